#include "derive/radial.hpp"

#include <gtest/gtest.h>

namespace hamel::test {
namespace {

class RadialForm : public testing::Test {
 protected:
  Graph graph;
  Graph::Scope scope{graph};
  Exprs q = graph.variables("q", 3);
  Expr a = graph.variable("a"), b = graph.variable("b");
};

TEST_F(RadialForm, IsFoundWhereverTheTermsStand) {
  const Expr inverse = Expr(1.0) / a;
  Expr e = b;
  for (const Expr x : q) e -= 2 * x * (2 * x * inverse);
  const auto found = radial(e, q);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at_zero.id(), b.id());
  const Exprs slope{found->slope}, variables{a};
  const std::vector<double> values{0.5};
  EXPECT_EQ(evaluate(slope, variables, values).front(), -8);
}

TEST_F(RadialForm, IsOfAllNumbersAlikeAndOfNothingElse) {
  const auto square = [](Expr x) { return x * x; };
  const Expr round = square(q[0]) + square(q[1]) + square(q[2]);
  EXPECT_TRUE(radial(a * round, q));
  EXPECT_FALSE(radial(square(q[0]) + square(q[1]), q)) << "a number is missing";
  EXPECT_FALSE(radial(round + a * square(q[0]), q)) << "one counts more";
  EXPECT_FALSE(radial(round + q[1], q)) << "linear";
  EXPECT_FALSE(radial(round + q[0] * q[1], q)) << "mixed";
  EXPECT_FALSE(radial(square(round), q)) << "no quadratic form";
  EXPECT_FALSE(radial(b, q)) << "without any";
}

}  // namespace
}  // namespace hamel::test
