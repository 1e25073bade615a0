// Native code gives the bits of the interpreter, and the values of the graph to rounding where libm is involved.
#include "hamel/program/native.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "hamel/graph/differentiate.hpp"
#include "hamel/program/evaluate.hpp"
#include "program/bits.hpp"
#include "program/count_allocations.hpp"
#include "program/random_graph.hpp"
#include "program/tape.hpp"
#include "program/temporary.hpp"

namespace hamel {
namespace {

class Native : public testing::Test {
 protected:
  test::FreshCache cache;
  Graph graph;
  Graph::Scope scope{graph};
  std::vector<Expr> x = graph.variables("x", 6);
  std::vector<double> state = test::random_numbers(6, 3);

  std::vector<double> run(const Program& program, std::size_t outputs) const {
    std::vector<double> out(outputs, -1), scratch(program.scratch_size());
    const double* const in_groups[] = {state.data()};
    double* const out_groups[] = {out.data()};
    program.run(in_groups, out_groups, scratch.data());
    return out;
  }

  void expect_bits(const Program& program, const std::vector<Expr>& f) const {
    ASSERT_TRUE(program.is_native());
    const std::vector<double> expected = test::bits_of(program, state), values = evaluate(f, x, state);
    const std::vector<double> out = run(program, f.size());
    for (std::size_t i = 0; i < f.size(); ++i) {
      ASSERT_EQ(out[i], expected[i]) << program.name() << ", output " << i;
      ASSERT_NEAR(out[i], values[i], 1e-12 * std::max(1.0, std::abs(values[i]))) << program.name() << ", output " << i;
    }
  }
};

TEST_F(Native, ExactOperationsGiveTheBitsOfTheGraph) {
  const std::vector<Expr> f = test::random_expressions(x, test::exact_operations, 2000, 7);
  const Program program("random", {x}, {f});
  EXPECT_FALSE(program.is_native());
  EXPECT_TRUE(program.compile());
  EXPECT_TRUE(program.compile()) << "again";
  expect_bits(program, f);
}

TEST_F(Native, LibraryFunctionsGiveTheBitsOfTheInterpreter) {
  std::vector<Expr> f;
  for (const Op op : test::library_operations)
    for (std::size_t i = 0; i < x.size(); ++i) f.push_back(test::grow(op, x[i], x[(i + 1) % x.size()], x[0]));
  for (int k = -20; k <= 20; ++k) f.push_back(pow(x[0] * x[0] + 1, k));
  const Program program("library", {x}, {f});
  const std::vector<double> interpreted = run(program, f.size());
  ASSERT_TRUE(program.compile());
  const std::vector<double> expected = evaluate(f, x, state), out = run(program, f.size());
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_EQ(out[i], interpreted[i]) << "output " << i;
    EXPECT_NEAR(out[i], expected[i], 20 * 0x1p-52 * std::abs(expected[i])) << "output " << i;
  }
}

// sin and cos of one number become one call of sincos, powers with a constant exponent may become products.
TEST_F(Native, LibraryFunctionsGiveTheBitsOfTheInterpreterAtAnySize) {
  std::vector<Expr> f;
  for (const Expr& a : x) {
    const Expr positive = abs(a) + 1e-300;
    f.insert(f.end(), {sin(a), cos(a), tan(a), exp(a / 1e3), log(positive), sqrt(positive), sinh(a / 1e3),
                       cosh(a / 1e3), tanh(a), atan2(a, x[0])});
    for (const double exponent : {2.0, 0.5, 1.5, -0.5, 1.0 / 3, 3.0}) f.push_back(pow(positive, Expr(exponent)));
  }
  const Program interpreted("sizes", {x}, {f}), native("sizes", {x}, {f});
  ASSERT_TRUE(native.compile());
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20000; ++k) {
    for (double& number : state) number = normal(random) * std::exp2(static_cast<double>(k % 60 - 30));
    ASSERT_EQ(run(native, f.size()), run(interpreted, f.size())) << "at x[0] = " << state[0];
  }
}

// Every lane gets the bits that its state gets alone; the second group is one for all lanes.
template <int lanes>
void expect_lanes_agree(const std::vector<Expr>& x, const std::vector<Expr>& shared, const std::vector<Expr>& f) {
  const Program program("lanes", {x, shared}, {f}, 1);
  const std::vector<double> states = test::random_numbers(x.size() * lanes, 11), constants = {0.7, -1.3};
  std::vector<double> interpreted(f.size() * lanes), native(f.size() * lanes), scratch(program.scratch_size(lanes));
  const double* const in[] = {states.data(), constants.data()};
  double* out[] = {interpreted.data()};
  program.run_lanes<lanes>(in, out, scratch.data());
  ASSERT_TRUE(program.compile(lanes));
  EXPECT_TRUE(program.is_native(lanes));
  EXPECT_FALSE(program.is_native(1));
  out[0] = native.data();
  program.run_lanes<lanes>(in, out, scratch.data());
  EXPECT_EQ(native, interpreted);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::vector<double> alone, all;
    for (std::size_t i = 0; i < x.size(); ++i) alone.push_back(states[i * lanes + lane]);
    alone.insert(alone.end(), constants.begin(), constants.end());
    const std::vector<double> expected = test::bits_of(program, alone);
    for (std::size_t i = 0; i < f.size(); ++i)
      ASSERT_EQ(native[i * lanes + lane], expected[i]) << "lane " << lane << ", output " << i;
  }
}

TEST_F(Native, LanesGiveTheBitsOfTheirStates) {
  const std::vector<Expr> shared = graph.variables("shared", 2);
  std::vector<Expr> all = x;
  all.insert(all.end(), shared.begin(), shared.end());
  std::vector<Expr> f = test::random_expressions(all, test::exact_operations, 1500, 21);
  f.insert(f.end(), {Expr(-2.5), shared[1], x[3], shared[0] * shared[1], min(shared[0], Expr(0.25)), x[1] * 0.1});
  expect_lanes_agree<4>(x, shared, f);
  expect_lanes_agree<8>(x, shared, f);
}

// Three outputs at once; the fourth uses one of their terms as well, which must stay.
TEST_F(Native, RowsOfAConstantMatrixGiveTheirBits) {
  const std::vector<Expr> constants = graph.variables("c", 20);
  std::vector<Expr> f(3);
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t row = 0; row < 3; ++row) f[row] += constants[3 * j + row] * (j < 3 ? x[j] : x[j] * x[j - 1]);
  f.push_back(f[1] + constants[19] * x[5]);
  for (const bool shared : {false, true}) {
    const std::vector<Expr> outputs(f.begin(), f.begin() + (shared ? 4 : 3));
    const Program program("rows", {x, constants}, {outputs}, 1);
    ASSERT_TRUE(program.compile());
    const std::vector<double> numbers = test::random_numbers(x.size() + constants.size(), 5);
    std::vector<double> out(outputs.size()), scratch(program.scratch_size());
    const double* const in[] = {numbers.data(), numbers.data() + x.size()};
    double* const out_groups[] = {out.data()};
    program.run(in, out_groups, scratch.data());
    EXPECT_EQ(out, test::bits_of(program, numbers)) << shared;
  }
}

TEST_F(Native, LoopsRunInLanes) {  // a recurrence that is rolled, with its own numbers in each turn
  const std::vector<Expr> y = graph.variables("y", 400), shared = graph.variables("shared", 2);
  std::vector<Expr> f;
  Expr value = shared[0];
  for (std::size_t i = 0; i < y.size(); ++i) {
    value = value * shared[1] + y[i] * static_cast<double>(i % 7 + 1) - sqrt(abs(y[i]));
    f.push_back(value);
  }
  expect_lanes_agree<8>(y, shared, f);
}

TEST_F(Native, LibraryFunctionsInLanesAgreeToRounding) {
  std::vector<Expr> f;
  for (const Op op : test::library_operations)
    for (std::size_t i = 0; i < x.size(); ++i) f.push_back(test::grow(op, x[i], x[(i + 1) % x.size()], x[0]));
  const Program program("library", {x}, {f});
  ASSERT_TRUE(program.compile(4));
  std::vector<double> states, out(f.size() * 4), scratch(program.scratch_size(4));
  for (const double value : state) states.insert(states.end(), 4, value);
  const double* const in[] = {states.data()};
  double* const out_groups[] = {out.data()};
  program.run_lanes<4>(in, out_groups, scratch.data());
  const std::vector<double> expected = evaluate(f, x, state);
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_NEAR(out[i], expected[i / 4], 20 * 0x1p-52 * std::abs(expected[i / 4])) << "output " << i / 4;
}

TEST_F(Native, OtherArithmeticAgreesToRounding) {
  std::vector<Expr> f;
  for (const auto* operations : {&test::library_operations, &test::exact_operations})
    for (const Op op : *operations)
      for (std::size_t i = 0; i < x.size(); ++i) f.push_back(test::grow(op, x[i], x[(i + 1) % x.size()], x[0]));
  const Program program("extended", {x}, {f});
  const std::vector<long double> wide(state.begin(), state.end());
  std::vector<long double> out(f.size());
  const long double* const in[] = {wide.data()};
  long double* const out_groups[] = {out.data()};
  evaluate<long double>(program, in, out_groups);
  const std::vector<double> expected = evaluate(f, x, state);
  for (std::size_t i = 0; i < f.size(); ++i)
    EXPECT_NEAR(static_cast<double>(out[i]), expected[i], 1e-14 * std::max(1.0, std::abs(expected[i]))) << i;
}

TEST_F(Native, SeveralProgramsInOneRunOfTheCompiler) {
  std::vector<std::vector<Expr>> f;
  std::vector<Program> programs;
  for (unsigned i = 0; i < 4; ++i) {
    f.push_back(test::random_expressions(x, test::exact_operations, i == 2 ? 0 : 900, i));
    programs.emplace_back("number " + std::to_string(i), Program::Groups{x}, Program::Groups{f.back()});
  }
  std::vector<const Program*> all;
  for (const Program& program : programs) all.push_back(&program);
  all.push_back(&programs[1]);  // given twice
  ASSERT_TRUE(compile_native(all));
  for (std::size_t i = 0; i < programs.size(); ++i) expect_bits(programs[i], f[i]);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache.folder / "cache")) {
    EXPECT_EQ(entry.path().extension(), ".so") << "left behind";
    ++files;
  }
  EXPECT_EQ(files, 2u) << "large enough for two compilers, no more";
}

TEST_F(Native, ConstantsSurviveTheTextForm) {
  const std::vector<Expr> f = {
      x[0] * 0.1, min(x[0], 1e308), x[0] - -0x1.fffffffffffffp-3, Expr(5e-324), Expr(-2.5), -x[0], x[1]};
  const Program program("constants", {x}, {f});
  ASSERT_TRUE(program.compile());
  expect_bits(program, f);
}

TEST_F(Native, CompilesOnceFromManyThreads) {
  const std::vector<Expr> f = test::random_expressions(x, test::exact_operations, 200, 5);
  const Program program("shared", {x}, {f});
  const std::vector<double> expected = test::bits_of(program, state);
  std::vector<std::vector<double>> out(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : out)
      threads.emplace_back([&] {
        program.compile();
        result = run(program, f.size());
      });
  }
  for (const auto& result : out) EXPECT_EQ(result, expected);
}

TEST_F(Native, RunningNeverAllocates) {
  const std::vector<Expr> f = test::random_expressions(x, test::exact_operations, 600, 5);
  const Program program("random", {x}, {f});
  ASSERT_TRUE(program.compile());
  std::vector<double> out(f.size()), scratch(program.scratch_size());
  const double* const in_groups[] = {state.data()};
  double* const out_groups[] = {out.data()};
  const long before = test::allocations();
  program.run(in_groups, out_groups, scratch.data());
  EXPECT_EQ(test::allocations(), before);
}

TEST_F(Native, CanBeSwitchedOff) {
  const test::Environment off("HAMEL_NATIVE", "0");
  const Program program("off", {x}, {{x[0] * x[1]}});
  EXPECT_FALSE(program.compile());
  EXPECT_EQ(run(program, 1).front(), state[0] * state[1]);
}

TEST_F(Native, PaysForLongRunsOnly) {
  const Program program("random", {x}, {test::random_expressions(x, test::exact_operations, 600, 5)});
  EXPECT_FALSE(native_pays(program, 1));
  EXPECT_FALSE(native_pays(program, 1e4));
  EXPECT_TRUE(native_pays(program, 1e7));
  EXPECT_FALSE(native_pays(Program(), 1e12));
}

}  // namespace
}  // namespace hamel
