// What rounding can have done to a value, in any unit.
#include "hamel/graph/rounded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

class RoundedTest : public testing::Test {
 protected:
  Rounded at(Expr f, double a, double b) {
    const std::vector<Rounded> values = {Rounded(a), Rounded(b)};
    return evaluate(std::vector<Expr>{f}, std::vector<Expr>{x, y}, values).front();
  }

  Graph graph;
  Graph::Scope scope{graph};
  Expr x = graph.variable("x"), y = graph.variable("y");
};

TEST_F(RoundedTest, SumsThatCancelAreZero) {
  for (const double unit : {1e-30, 1e-13, 1.0, 1e30}) {
    const Expr f = unit * (sin(x) * sin(x) + cos(x) * cos(x)), g = unit * ((x + y) * (x - y) - (x * x - y * y));
    EXPECT_TRUE(agree(at(f, 0.7, 0.3), Rounded(unit))) << unit;
    EXPECT_TRUE(agree(at(g, 0.7, 0.3), Rounded(0))) << unit;
    EXPECT_FALSE(agree(at(unit * x * y, 0.7, 0.3), Rounded(0))) << unit;
    EXPECT_FALSE(agree(at(f + unit * 1e-12 * y, 0.7, 0.3), Rounded(unit))) << unit;
  }
}

TEST_F(RoundedTest, NothingAgreesWithWhatIsNoNumber) {
  EXPECT_FALSE(agree(at(sqrt(x), -1, 0), Rounded(0)));
  EXPECT_FALSE(agree(at(1 / y, 1, 0), at(1 / y, 1, 0)));
}

// The error in units of epsilon: slope times the error of the argument, and the rounding of the result.
TEST_F(RoundedTest, ErrorsFollowSlopes) {
  struct Case {
    Expr f;
    double slope;
  };
  const double a = 0.6;
  for (const auto& [f, slope] : {Case{exp(x), std::exp(a)}, Case{log(x), 1 / a}, Case{sqrt(x), 0.5 / std::sqrt(a)},
                                 Case{tan(x), 1 / std::pow(std::cos(a), 2)}, Case{asin(x), 1 / std::sqrt(1 - a * a)},
                                 Case{pow(x, 3), 3 * a * a}, Case{pow(x, 1.5), 1.5 * std::sqrt(a)},
                                 Case{tanh(x), 1 / std::pow(std::cosh(a), 2)}, Case{cosh(x), std::sinh(a)}}) {
    const Rounded result = at(f, a, 0);
    const double carried = std::abs(slope) * a;
    EXPECT_GE(result.error, carried) << f;
    EXPECT_LE(result.error, carried + 3 * std::abs(result.value)) << f;
  }
}

}  // namespace
}  // namespace hamel
