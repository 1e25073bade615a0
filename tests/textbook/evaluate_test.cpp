// Numbers of a tree, against the scalar graph that formulas are lowered to.
#include "hamel/textbook/evaluate.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {
namespace {

class Evaluate : public ::testing::Test {
 protected:
  Model model{"everything"};
  Formula a = model.parameter("a", 0.7);
  Formula R = model.coordinate<SO3>("R");
  Formula x = model.coordinate("x", Rn(3));

  void SetUp() override { model.kinetic(squared_norm(rate(x)) + trace(rate(R) * transpose(rate(R)))); }

  void expect_same_numbers(const Formula& formula) {
    Graph graph;
    const Graph::Scope scope(graph);
    LoweredModel lowered = lower(model);
    const MatrixXe entries = lower(formula, model, lowered);
    std::vector<Expr> variables = lowered.q;
    variables.insert(variables.end(), lowered.v.begin(), lowered.v.end());
    variables.push_back(lowered.parameters[0]);
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal;
    std::vector<double> numbers(variables.size() - 1);
    for (double& number : numbers) number = normal(random);
    numbers.push_back(0.7);
    const FormulaValues values = {{"a", MatrixXd::Constant(1, 1, 0.7)},
                                  {"R", Eigen::Map<const MatrixXd>(numbers.data(), 3, 3)},
                                  {"x", Eigen::Map<const MatrixXd>(numbers.data() + 9, 3, 1)},
                                  {"R'", Eigen::Map<const MatrixXd>(numbers.data() + 12, 3, 3)},
                                  {"x'", Eigen::Map<const MatrixXd>(numbers.data() + 21, 3, 1)}};
    const MatrixXd value = evaluate(formula, values);
    const std::vector<double> expected =
        evaluate(std::span(entries.data(), static_cast<std::size_t>(entries.size())), variables, numbers);
    ASSERT_EQ(value.size(), static_cast<Eigen::Index>(expected.size()));
    for (Eigen::Index k = 0; k < value.size(); ++k)
      EXPECT_NEAR(value(k), expected[static_cast<std::size_t>(k)], 1e-13) << formula.to_string();
  }
};

TEST_F(Evaluate, EveryKindOfFormula) {
  const Formula v = rate(x), y = x[1];
  for (const Formula& formula : {x + v,
                                 x - v,
                                 -x,
                                 a * R,
                                 R * x,
                                 x / a,
                                 pow(a, 3.0),
                                 dot(x, v),
                                 cross(x, v),
                                 norm(x),
                                 squared_norm(x),
                                 hat(x),
                                 vee(R),
                                 transpose(R),
                                 trace(R),
                                 determinant(R),
                                 R(1, 2),
                                 R.column(1),
                                 Formula::vector({a, y, 1.0}),
                                 Formula::columns({x, v}),
                                 less(y, a),
                                 less_equal(a, a),
                                 select(less(y, a), x, v),
                                 rate(R) * v})
    expect_same_numbers(formula);
}

TEST_F(Evaluate, EveryFunction) {
  const Formula y = x[0];
  for (const Formula& formula : {sqrt(a), exp(y), log(a), sin(y), cos(y), tan(y), asin(a), acos(a), sinh(y), cosh(y),
                                 tanh(y), abs(y), atan2(y, a), min(y, a), max(y, a)})
    expect_same_numbers(formula);
}

TEST_F(Evaluate, SaysWhatIsMissing) {
  try {
    evaluate(a * x, {{"a", MatrixXd::Constant(1, 1, 2)}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "x has no value; give it one");
  }
  try {
    evaluate(x, {{"x", MatrixXd::Zero(2, 1)}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "the value of x must be 3x1, not 2x1");
  }
}

}  // namespace
}  // namespace hamel
