// The interpreter gives the numbers of the graph, in every lane, in little memory, without allocating.
#include "hamel/program/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hamel/graph/differentiate.hpp"
#include "message.hpp"
#include "program/count_allocations.hpp"
#include "program/random_graph.hpp"
#include "program/tape.hpp"

namespace hamel {
namespace {

using test::random_expressions;
using test::random_numbers;

template <int lanes>
std::vector<double> run_states(const Program& program, const std::vector<std::vector<double>>& states,
                               std::size_t outputs) {
  const std::size_t inputs = states.front().size();
  std::vector<double> in(inputs * lanes), out(outputs * lanes, -1), scratch(program.scratch_size(lanes));
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane) in[i * lanes + lane] = states[lane][i];
  const double* const in_groups[] = {in.data()};
  double* const out_groups[] = {out.data()};
  program.run_lanes<lanes>(in_groups, out_groups, scratch.data());
  return out;
}

template <int lanes>
void expect_bits_of_graph(const std::vector<Op>& operations, unsigned seed) {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 6);
  const std::vector<Expr> f = random_expressions(x, operations, 1200, seed);
  const Program program("random", {x}, {f});
  std::vector<std::vector<double>> states;
  for (unsigned lane = 0; lane < lanes; ++lane) states.push_back(random_numbers(x.size(), seed + lane));
  const std::vector<double> out = run_states<lanes>(program, states, f.size());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::vector<double> expected = evaluate(f, x, states[lane]);
    for (std::size_t i = 0; i < f.size(); ++i) {
      ASSERT_TRUE(std::isfinite(expected[i])) << "the test itself has left a domain, output " << i;
      ASSERT_EQ(out[i * lanes + lane], expected[i]) << "output " << i << ", lane " << lane;
    }
  }
}

// Where the memory begins within a page decides where the file begins within the memory: never outside of it.
template <int lanes>
void expect_stays_within_its_scratch() {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 40);
  const std::vector<Expr> f = random_expressions(x, test::exact_operations, 60, 3);
  const Program program("anywhere", {x}, {f});
  std::vector<double> in, out(f.size() * lanes);
  for (const double value : random_numbers(x.size(), 5)) in.insert(in.end(), lanes, value);
  const double* const in_groups[] = {in.data()};
  double* const out_groups[] = {out.data()};
  constexpr std::size_t page = 512;
  constexpr double untouched = 0.125;
  const std::size_t size = program.scratch_size(lanes);
  for (std::size_t offset = 0; offset < page; ++offset) {
    std::vector<double> memory(offset + size + page, untouched);
    program.run_lanes<lanes>(in_groups, out_groups, memory.data() + offset);
    ASSERT_EQ(std::count(memory.begin(), memory.begin() + static_cast<long>(offset), untouched), offset);
    ASSERT_EQ(std::count(memory.end() - page, memory.end(), untouched), page) << offset;
  }
  const std::vector<double> expected = evaluate(f, x, random_numbers(x.size(), 5));
  for (std::size_t i = 0; i < f.size(); ++i) ASSERT_EQ(out[i * lanes], expected[i]);
}

TEST(Program, StaysWithinItsScratch) {
  expect_stays_within_its_scratch<1>();
  expect_stays_within_its_scratch<4>();
  expect_stays_within_its_scratch<8>();
}

class EachSeed : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Program, EachSeed, testing::Range(1u, 9u));

TEST_P(EachSeed, GivesTheBitsOfTheGraph) {
  std::vector<Op> operations = test::exact_operations;
  operations.insert(operations.end(), test::library_operations.begin(), test::library_operations.end());
  expect_bits_of_graph<1>(operations, GetParam());
  expect_bits_of_graph<4>(operations, GetParam());
  expect_bits_of_graph<8>(operations, GetParam());
}

TEST(Program, IntegerPowersAreProducts) {
  Graph graph;
  const Graph::Scope scope(graph);
  const Expr x = graph.variable("x");
  std::vector<Expr> powers;
  for (int k = -20; k <= 20; ++k) powers.push_back(pow(x, k));
  const Program program("powers", {{x}}, {powers});
  const std::vector<double> out = run_states<1>(program, {{1.37}}, powers.size());
  for (int k = -20; k <= 20; ++k) {
    const double expected = std::pow(1.37, k);
    EXPECT_NEAR(out[static_cast<std::size_t>(k + 20)], expected, 10 * 0x1p-52 * expected) << k;
  }
}

TEST(Program, ReusesRegisters) {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 4);
  Expr sum = 0;
  for (int i = 0; i < 5000; ++i) sum += sin(x[static_cast<std::size_t>(i % 4)] * sum + i);
  const Program program("long sum", {x}, {{sum}});
  const Schedule& schedule = program.tape().schedule;
  const std::uint32_t temporaries = schedule.registers - schedule.first_output - 1;
  EXPECT_GT(program.operations(), 14000u);
  EXPECT_LT(temporaries, 20u);
}

TEST(Program, EmptyProgramsRun) {
  Program().run(nullptr, nullptr, nullptr);
  EXPECT_EQ(Program().operations(), 0u);
  Graph graph;
  const Graph::Scope scope(graph);
  const Program nothing("nothing", {}, {});
  EXPECT_EQ(nothing.scratch_size(), 0u);
  nothing.run(nullptr, nullptr, nullptr);
}

TEST(Program, OutputsMayBeInputsConstantsAndRepeated) {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 2), y = graph.variables("y", 1);
  const Expr f = x[0] * y[0];
  const Program program("plain", {x, {}, y}, {{x[1], Expr(2.5), f}, {}, {f, y[0], f + 1, x[1]}});
  const double x_values[] = {3, 5}, y_values[] = {7};
  double first[3], second[4];
  std::vector<double> scratch(program.scratch_size());
  const double* const in[] = {x_values, nullptr, y_values};
  double* const out[] = {first, nullptr, second};
  program.run(in, out, scratch.data());
  EXPECT_EQ(std::vector(first, first + 3), (std::vector<double>{5, 2.5, 21}));
  EXPECT_EQ(std::vector(second, second + 4), (std::vector<double>{21, 7, 22, 5}));
}

TEST(Program, OutlivesItsGraph) {
  Program program;
  {
    Graph graph;
    const Graph::Scope scope(graph);
    const Expr x = graph.variable("x");
    program = Program("square", {{x}}, {{x * x}});
  }
  EXPECT_EQ(run_states<1>(program, {{3}}, 1).front(), 9);
}

TEST(Program, RunningNeverAllocates) {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 6);
  std::vector<Op> all = test::exact_operations;
  all.insert(all.end(), test::library_operations.begin(), test::library_operations.end());
  const std::vector<Expr> f = random_expressions(x, all, 300, 1);
  const Program program("random", {x}, {f});
  const std::vector<double> in(x.size() * 8, 0.5);
  std::vector<double> out(f.size() * 8), scratch(program.scratch_size(8));
  const double* const in_groups[] = {in.data()};
  double* const out_groups[] = {out.data()};
  const long before = test::allocations();
  program.run(in_groups, out_groups, scratch.data());
  program.run_lanes<4>(in_groups, out_groups, scratch.data());
  program.run_lanes<8>(in_groups, out_groups, scratch.data());
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(before, 0);
}

TEST(Program, SaysWhatIsWrongWithItsInputs) {
  Graph graph;
  const Graph::Scope scope(graph);
  const Expr x = graph.variable("x"), y = graph.variable("y");
  const auto message = [](const Program::Groups& inputs, const Program::Groups& outputs) {
    return test::message_of<std::invalid_argument>([&] { Program("p", inputs, outputs); });
  };
  EXPECT_NE(message({{x}}, {{x + y}}).find("'y', which is not among the inputs"), std::string::npos);
  EXPECT_NE(message({{x}, {x}}, {{x}}).find("'x' is an input twice"), std::string::npos);
  EXPECT_NE(message({{x + y}}, {{x}}).find("is not a variable"), std::string::npos);
  EXPECT_THROW(Program().scratch_size(3), std::invalid_argument);
}

}  // namespace
}  // namespace hamel
