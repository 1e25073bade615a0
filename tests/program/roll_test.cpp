// Chains roll into loops: the size of the rolled form does not grow with the chain, and the bits stay the same.
#include "program/roll.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "hamel/graph/differentiate.hpp"
#include "hamel/program/native.hpp"
#include "program/random_graph.hpp"
#include "program/tape.hpp"
#include "program/temporary.hpp"

namespace hamel {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Groups {
  Program::Groups inputs, outputs;
};

// Thomas' algorithm: forward elimination and back substitution, which reads the forward values in reverse.
Groups tridiagonal(int n) {
  Graph& graph = Graph::current();
  const auto a = graph.variables("a", n), b = graph.variables("b", n), c = graph.variables("c", n);
  std::vector<Expr> d = graph.variables("d", n), diagonal = b, x(at(n)), right = d;
  for (int i = 1; i < n; ++i) {
    const Expr factor = a[at(i)] / (4 + abs(diagonal[at(i - 1)]));
    diagonal[at(i)] = b[at(i)] - factor * c[at(i - 1)];
    right[at(i)] = d[at(i)] - factor * right[at(i - 1)];
  }
  x.back() = right.back() / (4 + abs(diagonal.back()));
  for (int i = n - 2; i >= 0; --i) x[at(i)] = (right[at(i)] - c[at(i)] * x[at(i + 1)]) / (4 + abs(diagonal[at(i)]));
  return {{a, b, c, d}, {x}};
}

// Positions down a chain with different lengths and masses, its energy and the gradient of it (a sweep back up).
Groups chain(int n) {
  Graph& graph = Graph::current();
  const auto q = graph.variables("q", 3 * n), v = graph.variables("v", 3 * n);
  std::array<Expr, 3> position, velocity;
  Expr energy = 0;
  std::vector<Expr> positions;
  for (int i = 0; i < n; ++i) {
    const double length = 1 + 0.01 * i, mass = 2 + 0.003 * i;
    Expr speed = 0;
    for (int k = 0; k < 3; ++k) {
      position[at(k)] += length * q[at(3 * i + k)];
      velocity[at(k)] += length * v[at(3 * i + k)];
      speed += velocity[at(k)] * velocity[at(k)];
      positions.push_back(position[at(k)]);
    }
    energy += mass / 2 * speed - mass * 9.81 * sin(position[2]);
  }
  return {{q, v}, {positions, gradient(energy, q), gradient(energy, v), {energy}, v}};
}

// A recursion that looks two and three iterations back.
Groups long_memory(int n) {
  const std::vector<Expr> x = Graph::current().variables("x", n);
  std::vector<Expr> y = {x[0], x[1], x[2], x[0] * x[1]};
  for (int i = 4; i < n; ++i) y.push_back(x[at(i)] * y[at(i - 1)] + sin(y[at(i - 2)]) * x[0] - y[at(i - 3)] * y[4 - 1]);
  return {{x}, {y}};
}

std::vector<double> run(const Program& program, const Groups& groups) {
  std::vector<std::vector<double>> in, out;
  std::vector<const double*> in_pointers;
  std::vector<double*> out_pointers;
  for (const auto& group : groups.inputs) in.push_back(test::random_numbers(group.size(), unsigned(group.size())));
  for (const auto& group : groups.outputs) out.emplace_back(group.size(), -1);
  for (const auto& group : in) in_pointers.push_back(group.data());
  for (auto& group : out) out_pointers.push_back(group.data());
  constexpr double untouched = 12345.678;
  std::vector<double> scratch(program.scratch_size() + 64, untouched), all;
  program.run(in_pointers.data(), out_pointers.data(), scratch.data());
  EXPECT_EQ(std::count(scratch.end() - 64, scratch.end(), untouched), 64) << "wrote beyond its scratch";
  for (const auto& group : out) all.insert(all.end(), group.begin(), group.end());
  return all;
}

void expect_rolls(Groups (*make)(int), std::size_t most_operations) {
  const test::FreshCache cache;
  std::size_t rolled = 0;
  for (const int n : {1000, 2000}) {
    Graph graph;
    const Graph::Scope scope(graph);
    const Groups groups = make(n);
    const Program program("chain of " + std::to_string(n), groups.inputs, groups.outputs);
    EXPECT_TRUE(rolled == 0 || rolled == program.tape().rolled.operations());
    rolled = program.tape().rolled.operations();
    EXPECT_LT(rolled, most_operations);
    const std::vector<double> expected = run(program, groups);
    ASSERT_TRUE(program.compile());
    const std::vector<double> native = run(program, groups);
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(native[i], expected[i]) << "output " << i;
  }
}

// Two sweeps of a random recursion: inputs with any stride, own values up to five iterations back, constants that
// differ and coincide, what the first sweep left, forwards or backwards; now and then an irregular iteration.
Groups random_sweeps(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  constexpr int n = 60, parts = 4;
  Graph& graph = Graph::current();
  const std::vector<Expr> x = graph.variables("x", 6 * n), y = graph.variables("y", n);
  std::vector<std::vector<Expr>> sweeps;
  for (int sweep = 0; sweep < 2; ++sweep) {
    struct Recipe {
      int kind, source, offset, stride;
    };
    std::vector<Recipe> recipes;
    for (int i = 0; i < 14; ++i)
      recipes.push_back({pick(0, sweep == 0 ? 5 : 6), pick(0, parts - 1), pick(1, 5), pick(0, 2)});
    const int direction = pick(0, 1), irregular = pick(0, 3 * n);
    std::vector<Expr> values;
    for (int i = 0; i < n; ++i) {
      const auto argument = [&](const Recipe& recipe) -> Expr {
        const auto own = [&](int back) {
          return i < back ? y[at(recipe.source)] : values[at(parts * (i - back) + recipe.source)];
        };
        switch (recipe.kind) {
          case 0:
            return x[at(3 * i + recipe.offset)];
          case 1:
            return x[at(6 * n - 1 - 2 * i - recipe.offset * recipe.stride)];
          case 2:
            return own(recipe.offset);
          case 3:
            return recipe.stride == 0 ? 1.25 : 1 + recipe.stride * ((i * recipe.offset) % 17) / 16.0;
          case 4:
            return y[at(recipe.offset)];
          case 5:
            return own(1);
          default:
            return sweeps[0][at(parts * (direction == 0 ? i : n - 1 - i) + recipe.source)];
        }
      };
      for (int part = 0; part < parts; ++part) {
        Expr value = i == irregular ? x[0] : Expr(0.5);
        for (int k = 0; k < 3; ++k) {
          const Expr a = argument(recipes[at(3 * part + k)]), b = argument(recipes[at(3 * part + k + 1)]);
          value = k % 2 == 0 ? value * a + b : min(value - a, b / 4);
        }
        values.push_back(value / (2 + abs(value)));
      }
    }
    sweeps.push_back(values);
  }
  std::vector<Expr> some;
  for (int i = 0; i < n; ++i) some.push_back(sweeps[0][at(parts * i + pick(0, seed % 2 == 0 ? 0 : 3))]);
  return {{x, y}, {sweeps[1], some, {some[3], x[2], 0.25}}};
}

TEST(Roll, RandomSweepsKeepTheirBits) {
  const test::FreshCache cache;
  std::vector<Groups> groups;
  std::vector<Program> programs;
  std::vector<const Program*> pointers;
  std::vector<std::vector<double>> expected;
  std::size_t operations = 0, rolled = 0;
  Graph graph;
  const Graph::Scope scope(graph);
  for (unsigned seed = 0; seed < 12; ++seed) {
    groups.push_back(random_sweeps(seed));
    programs.emplace_back("sweeps " + std::to_string(seed), groups.back().inputs, groups.back().outputs);
    expected.push_back(run(programs.back(), groups.back()));
    operations += programs.back().operations();
    rolled += programs.back().tape().rolled.operations();
  }
  for (const Program& program : programs) pointers.push_back(&program);
  ASSERT_TRUE(compile_native(pointers));
  for (std::size_t seed = 0; seed < programs.size(); ++seed) {
    const std::vector<double> native = run(programs[seed], groups[seed]);
    for (std::size_t i = 0; i < native.size(); ++i)
      ASSERT_EQ(native[i], expected[seed][i]) << "seed " << seed << ", output " << i;
  }
  EXPECT_LT(rolled, operations / 2) << "or this test says little about loops";
}

TEST(Roll, Tridiagonal) { expect_rolls(tridiagonal, 60); }
TEST(Roll, Chain) { expect_rolls(chain, 200); }
TEST(Roll, LongMemory) { expect_rolls(long_memory, 100); }

}  // namespace
}  // namespace hamel
