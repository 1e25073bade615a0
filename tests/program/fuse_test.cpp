#include "program/fuse.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "program/bits.hpp"
#include "program/random_graph.hpp"
#include "program/temporary.hpp"

namespace hamel {
namespace {

class Fuse : public testing::Test {
 protected:
  test::FreshCache cache;
  Graph graph;
  Graph::Scope scope{graph};
  std::vector<Expr> x = graph.variables("x", 6);

  Program program(const std::vector<Expr>& f) const { return {"fused", {x}, {f}}; }

  std::vector<Expr> sums_of_products(unsigned seed) const {
    std::mt19937 random(seed);
    std::vector<Expr> all = x;
    const auto any = [&] { return all[random() % all.size()]; };
    for (int i = 0; i < 60; ++i) {
      const Expr product = any() * any() / 2, other = random() % 2 == 0 ? any() : any() * any();
      all.push_back(random() % 3 == 0 ? product + other : random() % 2 == 0 ? product - other : other - product);
    }
    return {all.end() - 12, all.end()};
  }

  static std::vector<Op> operations(const Program& program) {
    std::vector<Op> result;
    for (const Operation& operation : program.code().operations) result.push_back(operation.op);
    return result;
  }
};

TEST_F(Fuse, MakesOneOperationOfAProductAndASum) {
  EXPECT_EQ(operations(program({x[0] * x[1] + x[2]})), std::vector{Op::multiply_add});
  EXPECT_EQ(operations(program({x[0] * x[1] - x[2]})), std::vector{Op::multiply_subtract});
  EXPECT_EQ(operations(program({x[2] - x[0] * x[1]})), std::vector{Op::subtract_multiply});
  EXPECT_EQ(operations(program({x[0] * x[1] + x[2] * x[3]})), (std::vector{Op::multiply, Op::multiply_add}));
}

TEST_F(Fuse, LeavesNoProductThatSomethingElseNeeds) {
  const Expr product = x[0] * x[1];
  EXPECT_EQ(operations(program({product + x[2], product})), (std::vector{Op::multiply, Op::add})) << "an output";
  EXPECT_EQ(operations(program({product + x[2], sin(product)})).front(), Op::multiply) << "of another operation";
  EXPECT_EQ(operations(program({product + x[2], x[3] - product})),
            (std::vector{Op::multiply_add, Op::subtract_multiply}))
      << "two sums: one operation less";
}

// A dot product is a chain of multiply_adds: as many operations as it has terms.
TEST_F(Fuse, TakesEveryTermOfASumOfProducts) {
  Expr dot = x[0] * x[3];
  for (const std::size_t i : {1u, 2u}) dot = dot + x[i] * x[i + 3];
  EXPECT_EQ(program({dot}).operations(), 3u);
  Expr quadratic(0.0);
  for (std::size_t i = 0; i < x.size(); ++i) quadratic = quadratic + x[i] * x[i] * static_cast<double>(i + 2);
  EXPECT_EQ(program({quadratic}).operations(), 2 * x.size()) << "two products for each term but for the sums";
}

template <int lanes>
std::vector<double> run_lanes(const Program& program, const std::vector<double>& state, std::size_t outputs) {
  std::vector<double> states, out(outputs * lanes), scratch(program.scratch_size(lanes));
  for (const double number : state)
    for (int lane = 0; lane < lanes; ++lane) states.push_back(lane == 0 ? number : number * (1 + lane * 0x1p-50));
  const double* const in[] = {states.data()};
  double* const out_groups[] = {out.data()};
  program.run_lanes<lanes>(in, out_groups, scratch.data());
  return out;
}

template <int lanes>
void expect_bits(const Program& program, const std::vector<double>& state, const std::string& where) {
  const std::size_t outputs = program.code().outputs.size();
  const std::vector<double> out = run_lanes<lanes>(program, state, outputs);
  for (int lane = 0; lane < lanes; ++lane) {
    std::vector<double> alone = state;
    for (double& number : alone) number = lane == 0 ? number : number * (1 + lane * 0x1p-50);
    const std::vector<double> expected = test::bits_of(program, alone);
    for (std::size_t i = 0; i < outputs; ++i)
      ASSERT_EQ(out[i * lanes + static_cast<std::size_t>(lane)], expected[i])
          << where << ", " << lanes << " lanes, lane " << lane << ", output " << i;
  }
}

// Interpreted and native, alone and in lanes: the bits are those of the operations, one after the other.
TEST_F(Fuse, RoundsTheSameEverywhere) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Program p = program(sums_of_products(seed));
    const std::vector<Op> made = operations(p);
    for (const Op op : {Op::multiply_add, Op::multiply_subtract, Op::subtract_multiply})
      EXPECT_GT(std::count(made.begin(), made.end(), op), 3) << name(op) << ", seed " << seed;
    for (const bool native : {false, true}) {
      for (const int lanes : {1, 4, 8}) ASSERT_TRUE(!native || p.compile(lanes));
      const std::string where = (native ? "native, seed " : "interpreted, seed ") + std::to_string(seed);
      const std::vector<double> state = test::random_numbers(x.size(), seed + 40);
      expect_bits<1>(p, state, where);
      expect_bits<4>(p, state, where);
      expect_bits<8>(p, state, where);
    }
  }
}

// a b - a b is what rounding left of a b, and no more: small, not zero.
TEST_F(Fuse, RoundsOnceWhereTheProcessorCan) {
  const Program p = program({x[0] * x[1] - x[2]});
  const double a = 1 + 0x1p-30, b = 1 - 0x1p-30;
  const std::vector<double> out = run_lanes<1>(p, {a, b, 1, 0, 0, 0}, 1);
  EXPECT_EQ(out.front(), test::rounds_once() ? -0x1p-60 : 0.0);
}

}  // namespace
}  // namespace hamel
