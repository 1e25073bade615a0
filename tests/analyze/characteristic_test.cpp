// Characteristic polynomials in the symbols of parameters: what books print, and the spectrum at other values.
#include <gtest/gtest.h>

#include "hamel/analyze/spectrum.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test::characteristic_test {
namespace {

// 4.6.4: two links in a vertical plane.
Model double_pendulum(double m1, double m2, double l1, double l2) {
  Model model("double pendulum");
  const auto q1 = model.coordinate<S1>("a");
  const auto q2 = model.coordinate<S1>("b");
  const Formula M1 = model.parameter("m1", m1), M2 = model.parameter("m2", m2), L1 = model.parameter("l1", l1),
                L2 = model.parameter("l2", l2), g = model.parameter("g", 9.81);
  const Formula x1 = L1 * q1, x2 = x1 + L2 * q2;
  model.kinetic(0.5 * M1 * squared_norm(rate(x1)) + 0.5 * M2 * squared_norm(rate(x2)));
  model.potential(M1 * g * x1.y() + M2 * g * x2.y());
  return model;
}

std::complex<double> at(const std::vector<double>& coefficients, std::complex<double> s) {
  std::complex<double> sum = 0;
  for (std::size_t k = coefficients.size(); k-- > 0;) sum = sum * s + coefficients[k];
  return sum;
}

TEST(Characteristic, PolynomialOfADoublePendulumInSymbols) {
  const System system = derive(double_pendulum(1, 2, 0.7, 0.5));
  const State hanging{0, Eigen::Vector4d(0, -1, 0, -1), Eigen::Vector4d::Zero()};
  const LinearModel linear = linearize(system, hanging);
  const auto found = characteristic_polynomial(system, linear);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->coefficients.size(), 5u);
  EXPECT_EQ(found->coefficients[1], "0");
  EXPECT_EQ(found->coefficients[3], "0");
  // m1 m2 l1^2 l2^2 s^4 + (m1 + m2) m2 g l1 l2 (l1 + l2) s^2 + (m1 + m2) m2 g^2 l1 l2
  EXPECT_EQ(found->coefficients[4], "m1*m2*l1^2*l2^2");
  EXPECT_EQ(found->coefficients[0], "m1*m2*l1*l2*g^2 + m2^2*l1*l2*g^2");
}

TEST(Characteristic, PolynomialVanishesAtTheSpectrum) {
  for (const Eigen::Vector2d& signs : {Eigen::Vector2d(-1, -1), Eigen::Vector2d(-1, 1), Eigen::Vector2d(1, 1)})
    for (const double m : {0.3, 2.7}) {
      const System system = derive(double_pendulum(m, 1.3, 0.4 + m, 0.9));
      const LinearModel linear =
          linearize(system, {0, Eigen::Vector4d(0, signs(0), 0, signs(1)), Eigen::Vector4d::Zero()});
      const auto found = characteristic_polynomial(system, linear);
      ASSERT_TRUE(found);
      for (const std::complex<double>& s : spectrum(linear).all()) {
        double size = 0;
        for (std::size_t k = 0; k < found->values.size(); ++k)
          size += std::abs(found->values[k]) * std::pow(std::abs(s), static_cast<double>(k));
        EXPECT_LE(std::abs(at(found->values, s)), 1e-11 * size);
      }
    }
}

// Sixty masses on each of two rods: twelve of them took 20 s in space, and all would take hours.
TEST(Characteristic, PolynomialOfVeryManyTermsIsLeftToNumbers) {
  Model model("beads");
  const auto q1 = model.coordinate<S1>("a");
  const auto q2 = model.coordinate<S1>("b");
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(i);
    const Formula m = model.parameter("m" + number, 1.0), l = model.parameter("l" + number, 1.0 + i);
    for (const Formula& x : {Formula(l * q1), Formula(q1 + l * q2)}) {
      model.kinetic(0.5 * m * squared_norm(rate(x)));
      model.potential(m * x.y());
    }
  }
  const System system = derive(model);
  const LinearModel linear = linearize(system, {0, Eigen::Vector4d(0, -1, 0, -1), Eigen::Vector4d::Zero()});
  EXPECT_FALSE(characteristic_polynomial(system, linear));
}

TEST(Characteristic, PolynomialIsNoneWhereThePointDependsOnParameters) {
  Model model("spring");
  const auto x = model.coordinate("x", Rn(1));
  const Formula k = model.parameter("k", 2.0), f = model.parameter("f", 2.0);
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(0.5 * k * squared_norm(x) - f * x.x());
  const System system = derive(model);
  const LinearModel linear = linearize(system, {0, VectorXd::Ones(1), VectorXd::Zero(1)});
  EXPECT_FALSE(characteristic_polynomial(system, linear));
}

}  // namespace
}  // namespace hamel::test::characteristic_test
