#include "hamel/textbook/calculus.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"

namespace hamel {
namespace {

class Calculus : public ::testing::Test {
 protected:
  Model model{"test", 1};
  Formula m = model.parameter("m", {1.3, 0.7}), l = model.parameter("l", {0.9, 1.4}), g = model.parameter("g", 9.81);
  Formula J = model.parameter("J", Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal()));
  Formula A = model.parameter("A", Eigen::Matrix3d{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  Formula rho = model.parameter("rho", {0.1, 0.2, 0.3});
  std::vector<Formula> q = model.coordinates<S2>("q", 2);
  Formula z = model.coordinate<S1>("z");
  Formula x = model.coordinate("x", Rn(3));
  Formula R = model.coordinate<SO3>("R");
  Formula e3 = unit_vector(2);

  std::string simple(const Formula& formula) const { return simplified(model, formula).to_string(); }
  std::string slope(const Formula& scalar, const Formula& variable) const {
    return gradient(model, scalar, variable).to_string();
  }
};

TEST_F(Calculus, KnowsTheManifolds) {
  EXPECT_EQ(simple(dot(q[0], q[0])), "1");
  EXPECT_EQ(simple(dot(q[0], rate(q[0]))), "0");
  EXPECT_EQ(simple(dot(q[0], q[1])), "dot(q[1], q[2])");
  EXPECT_EQ(simple(transpose(R) * R), "I3");
  EXPECT_EQ(simple(transpose(R) * (R * x)), "x");
  EXPECT_EQ(simple(squared_norm(R * rho)), "norm2(rho)");
  EXPECT_EQ(simple(rate(R)), "R*hat(Omega)");
  EXPECT_EQ(simple(norm(q[0])), "1");
  EXPECT_EQ(simple(z.x() * z.x() + z.y() * z.y()), "1");
}

TEST_F(Calculus, KnowsVectorAlgebra) {
  EXPECT_EQ(simple(cross(x, x)), "[0, 0, 0]");
  EXPECT_EQ(simple(hat(x) * rho), "cross(x, rho)");
  EXPECT_EQ(simple(cross(rho, x)), "-cross(x, rho)");
  EXPECT_EQ(simple(cross(q[0], cross(q[0], x))), "cross(q[1], cross(q[1], x))");
  EXPECT_EQ(simple(cross(rho, cross(x, q[0]))), "cross(rho, cross(x, q[1]))");
  EXPECT_EQ(simple(dot(cross(x, rho), x)), "0");
  EXPECT_EQ(simple(dot(A * x, rho)), "dot(rho, A*x)");
  EXPECT_EQ(simple(dot(J * x, rho) - dot(x, J * rho)), "0");
  EXPECT_EQ(simple(trace(hat(x) * hat(x))), "-2*norm2(x)");
  EXPECT_EQ(simple(vee(hat(x))), "x");
  EXPECT_EQ(simple(transpose(x) * (J * x)), "dot(x, J*x)");
  EXPECT_EQ(simple((x * transpose(x)) * rho), "dot(x, rho)*x");
  EXPECT_EQ(simple(cross(R * x, R * rho)), "R*cross(x, rho)");
  EXPECT_EQ(simple(pow(sin(x.x()), 2) * g + g * pow(cos(x.x()), 2)), "g");
}

TEST_F(Calculus, CollectsNumbersAndParameters) {
  EXPECT_EQ(simple(g / 2 * 2 * x), "g*x");
  EXPECT_EQ(simple(x + x - 3 * x), "-x");
  EXPECT_EQ(simple(m[0] * g * l[0] * x + m[1] * g * l[0] * x), "(m[1] + m[2])*g*l[1]*x");
  EXPECT_EQ(simple(g * x / (g * g)), "x/g");
  EXPECT_EQ(simple(x / 3 + x / 6), "x/2");
  EXPECT_EQ(simple(-g * (x - rho)), "-g*x + g*rho");
  EXPECT_EQ(simple((x - rho) / norm(x - rho)), "(x - rho)/norm(x - rho)");
}

TEST_F(Calculus, LooksThroughNamesOfPoints) {
  const Vec3 first = model.point("first", l[0] * q[0]), second = model.point("second", first + l[1] * q[1]);
  EXPECT_EQ(simple(m[0] / 2 * squared_norm(rate(first)) + m[1] / 2 * squared_norm(rate(second))),
            "(m[1] + m[2])*l[1]^2*norm2(q'[1])/2 + m[2]*l[1]*l[2]*dot(q'[1], q'[2]) + m[2]*l[2]^2*norm2(q'[2])/2");
  EXPECT_EQ(simple(-m[0] * g * first.z() - m[1] * g * second.z()),
            "-(m[1] + m[2])*g*l[1]*dot(q[1], e3) - m[2]*g*l[2]*dot(q[2], e3)");
}

TEST_F(Calculus, Gradients) {
  EXPECT_EQ(slope(g / 2 * squared_norm(rate(l[0] * q[0])), rate(q[0])), "g*l[1]^2*q'[1]");
  EXPECT_EQ(slope(g * dot(R * rho, e3), R), "g*cross(rho, transpose(R)*e3)");
  EXPECT_EQ(slope(dot(omega(R), J * omega(R)) / 2, omega(R)), "J*Omega");
  EXPECT_EQ(slope(-g / norm(x), x), "g/norm(x)^3*x");
  EXPECT_EQ(slope(dot(x, A * x), x), "A*x + transpose(A)*x");
  EXPECT_EQ(slope(dot(x, cross(rho, A * x)), x), "cross(rho, A*x) + transpose(A)*cross(x, rho)");
  EXPECT_EQ(slope(sin(dot(x, rho)), x), "cos(dot(x, rho))*rho");
  EXPECT_EQ(slope(log(squared_norm(x)), x), "2/norm2(x)*x");
  EXPECT_EQ(slope(trace(R), R), "-2*vee(R)");
  EXPECT_EQ(slope(trace(A * R), R), "-2*vee(A*R)");
}

TEST_F(Calculus, RatesAlongTheMotion) {
  const auto along = [&](const Formula& formula) { return rate_along_motion(model, formula).to_string(); };
  EXPECT_EQ(along(dot(q[0], q[1])), "dot(q[2], q'[1]) + dot(q[1], q'[2])");
  EXPECT_EQ(along(cross(x, rate(x))), "cross(x, x'')");
  EXPECT_EQ(along(J * omega(R)), "J*Omega'");
  EXPECT_EQ(along(transpose(R) * e3), "-cross(Omega, transpose(R)*e3)");
  EXPECT_EQ(along(model.time() * x), "x + t*x'");
}

TEST_F(Calculus, Refuses) {
  const auto message = [&](const Formula& f, const Formula& variable) -> std::string {
    try {
      gradient(model, f, variable);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(x, x), "a gradient is that of a scalar, got x (3x1)");
  EXPECT_EQ(message(g, g * x), "a gradient is taken by a coordinate, its rate or its Omega, got g*x (3x1)");
  EXPECT_EQ(message(determinant(R), R), "det(R): a determinant has no vector form");
}

}  // namespace
}  // namespace hamel
