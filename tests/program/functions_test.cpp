// Every row of functions.def and its derivatives: the interpreter, native code and both in lanes give the same bits.
#include "hamel/graph/functions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/table.hpp"
#include "hamel/program/program.hpp"
#include "program/bits.hpp"
#include "program/random_graph.hpp"
#include "program/temporary.hpp"

namespace hamel {
namespace {

class FunctionPrograms : public testing::Test {
 protected:
  FunctionPrograms() {
    const std::array knots{-2.0, -1.0, 0.5, 1.0, 2.0};
    const Expr curve(table_key("curve", knots, std::array{0.0, 1.0, -1.0, 2.0, 3.0})),
        other(table_key("other", knots, std::array{1.0, -1.0, 4.0, 0.0, 2.0}));
    for (const FunctionRow& row : functions()) {
      if (row.arity == 1) add(graph.make(row.op, x[0]));
      if (row.op == Op::interp) {
        add(interp(curve, x[1]));
        add(interp(other, x[0]));
      } else if (row.arity == 2) {
        add(graph.make(row.op, x[0], x[1]));
      }
    }
  }

  void add(Expr function) {
    const std::vector<Expr> slopes = gradient(function, x);
    f.push_back(function);
    f.insert(f.end(), slopes.begin(), slopes.end());
  }

  template <int lanes>
  std::vector<double> run(const Program& program) {
    states = test::random_numbers(2 * lanes, 4);
    for (std::size_t i = 0; i < lanes / 2; ++i) states[i] = static_cast<double>(i % 3) - 1;  // kinks, jumps and zeros
    std::vector<double> out(f.size() * lanes, -1), scratch(program.scratch_size(lanes));
    const double* const in[] = {states.data()};
    double* const to[] = {out.data()};
    if constexpr (lanes == 1)
      program.run(in, to, scratch.data());
    else
      program.run_lanes<lanes>(in, to, scratch.data());
    return out;
  }

  // Of every bit but those of what is not a number.
  static void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_TRUE((a[i] != a[i] && b[i] != b[i]) || std::memcmp(&a[i], &b[i], sizeof(double)) == 0)
          << i << ": " << a[i] << " and " << b[i];
  }

  template <int lanes>
  void expect_same_bits() {
    const Program program("functions", {x}, {f});
    const std::vector<double> interpreted = run<lanes>(program);
    ASSERT_TRUE(program.compile(lanes));
    expect_same(run<lanes>(program), interpreted);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::vector<double> alone = test::bits_of(program, {states[lane], states[lanes + lane]});
      std::vector<double> in_lane;
      for (std::size_t i = 0; i < f.size(); ++i) in_lane.push_back(interpreted[i * lanes + lane]);
      expect_same(in_lane, alone);
    }
  }

  test::FreshCache cache;
  Graph graph;
  Graph::Scope scope{graph};
  std::vector<Expr> x = graph.variables("x", 2), f;
  std::vector<double> states;
};

TEST_F(FunctionPrograms, GiveTheSameBitsAlone) { expect_same_bits<1>(); }
TEST_F(FunctionPrograms, GiveTheSameBitsInFourLanes) { expect_same_bits<4>(); }
TEST_F(FunctionPrograms, GiveTheSameBitsInEightLanes) { expect_same_bits<8>(); }

// Bodies with tables of their own become one loop; the key of a table is then a number of the loop.
TEST_F(FunctionPrograms, TablesMayDifferFromOneIterationToTheNext) {
  const int n = 60;
  const std::vector<Expr> y = graph.variables("y", n);
  std::vector<Expr> forces;
  for (int i = 0; i < n; ++i) {
    const Expr table(table_key("t", std::array{-2.0, 0.0, 2.0}, std::array{1.0 * i, 1.0, 2.0}));
    const Expr s = y[static_cast<std::size_t>(i)];
    forces.push_back(interp(table, s) * sin(s) + 2.5 * s);
  }
  const Program program("rows", {y}, {forces});
  const std::vector<double> at = test::random_numbers(y.size(), 8), expected = test::bits_of(program, at);
  std::vector<double> out(forces.size()), scratch(program.scratch_size());
  const double* const in[] = {at.data()};
  double* const to[] = {out.data()};
  ASSERT_TRUE(program.compile());
  program.run(in, to, scratch.data());
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace hamel
