// Every rule that makes sums shorter: it applies, and what it leaves has the same numbers at random points.
#include <gtest/gtest.h>

#include <random>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/textbook/calculus.hpp"
#include "hamel/textbook/evaluate.hpp"

namespace hamel {
namespace {

class Rules : public ::testing::Test {
 protected:
  Model model{"rules", 1};
  Formula c = model.parameter("c", 0.7), d = model.parameter("d", -1.3);
  Formula n = model.parameter("n", Eigen::Vector3d(0.3, -0.4, 1.2));
  Formula J = model.parameter("J", Eigen::MatrixXd(Eigen::Vector3d(1, 2, 3).asDiagonal()));
  Formula rho = model.parameter("rho", Eigen::MatrixXd(Eigen::Matrix<double, 4, 3>::Random()));
  Formula a = model.coordinate("a", Rn(1)), b = model.coordinate("b", Rn(1)), x = model.coordinate("x", Rn(3));

  void expect(const Formula& formula, const std::string& text) {
    const Formula shorter = simplified(model, formula);
    EXPECT_EQ(shorter.to_string(), text);
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 5; ++k) {
      FormulaValues values;
      for (const Parameter& parameter : model.parameters()) values[parameter.name] = parameter.value;
      values["a"] = MatrixXd::Constant(1, 1, normal(random));
      values["b"] = MatrixXd::Constant(1, 1, normal(random));
      values["x"] = Eigen::Vector3d(normal(random), normal(random), normal(random));
      EXPECT_LE((evaluate(formula, values) - evaluate(shorter, values)).cwiseAbs().maxCoeff(), 1e-13) << text;
    }
  }
};

TEST_F(Rules, Squares) {
  expect(c * sin(a) * sin(a) + c * cos(a) * cos(a), "c");
  expect(c - c * sin(a) * sin(a), "c*cos(a)^2");
  expect(d * cos(a) * cos(a) - d, "-d*sin(a)^2");
  expect(c * cos(a) * cos(a) - c * sin(a) * sin(a), "c*cos(2*a)");
  expect(c * sin(a) * sin(a) + d * cos(a) * cos(a), "c*sin(a)^2 + d*cos(a)^2");  // nothing to be done
}

TEST_F(Rules, SumsOfAngles) {
  expect(c * cos(a) * cos(b) + c * sin(a) * sin(b), "c*cos(a - b)");
  expect(cos(a) * cos(b) - sin(a) * sin(b), "cos(a + b)");
  expect(d * sin(a) * cos(b) + d * cos(a) * sin(b), "d*sin(a + b)");
  expect(sin(a) * cos(b) - cos(a) * sin(b), "sin(a - b)");
  expect(sin(-a) + cos(b - a), "-sin(a) + cos(a - b)");
}

TEST_F(Rules, Turns) {
  const Formula e2 = unit_vector(1), e3 = unit_vector(2);
  expect(squared_norm(turn(e2, a) * x), "norm2(x)");
  expect(turn(e2, a) * turn(e2, b) * e3, "cos(a + b)*e3 + sin(a + b)*e1");
  expect(turn(e3, a) * e3, "e3");
  expect(dot(e2, turn(3.0 * e3, b) * e2), "cos(b)");
  expect(dot(n, turn(n, a) * n), "norm2(n)");
}

TEST_F(Rules, UnitsRowsAndDiagonals) {
  expect(norm(unit_vector(1)) * c, "c");
  expect(norm(n / norm(n)) * c, "c");
  expect(dot(unit_vector(0), J * unit_vector(1)), "0");
  expect(dot(unit_vector(2), J * x), "J[3,3]*dot(x, e3)");
  expect(transpose(rho).column(0), "rho[1]");
  expect(dot(transpose(rho).column(3), x), "dot(x, rho[4])");
  expect(pow(a - c, 2.0), "(a - c)^2");
}

}  // namespace
}  // namespace hamel
