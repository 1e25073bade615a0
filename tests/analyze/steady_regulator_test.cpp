// Regulators of steady motions, in the frame that moves along: runs of the whole system come back to the motion.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/analyze/control.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/symmetry/noether.hpp"
#include "message.hpp"

namespace hamel::test::steady_regulator_test {
namespace {

using Eigen::Vector3d;

constexpr double g = 9.81, l = 0.9, m = 1.3, height = -0.6;

enum class Push { around, east };

// A pendulum that turns in a cone, pushed around the vertical and away from it, or to the east.
Model cone(Push push) {
  Model model("cone");
  const Formula q = model.coordinate<S2>("q"), u = model.input("u", 2);
  model.kinetic(m * l * l / 2 * squared_norm(rate(q)));
  model.potential(m * g * l * q.z());
  const Formula around = cross(unit_vector(2), q), up = cross(q, around);
  model.force_on(q, push == Push::around ? u.x() * around + u.y() * up : u.x() * unit_vector(0) + u.y() * up);
  return model;
}

struct Steady {
  System system;
  LinearModel linear;
};

Steady steady_cone(Push push) {
  const Model model = cone(push);
  const System system = derive(model);
  // Symmetries are those without inputs.
  Model free("cone");
  const Formula q = free.coordinate<S2>("q");
  free.kinetic(m * l * l / 2 * squared_norm(rate(q)));
  free.potential(m * g * l * q.z());
  const Generator turning = generator(conserved_momenta(free).momenta.front(), 3, std::sqrt(g / (l * -height)));
  const Vector3d point(std::sqrt(1 - height * height), 0, height);
  return {system, trimmed(Linearization(system), {0, point, turning.velocity(point)}, turning)};
}

TEST(SteadyRegulator, BringsAConeBackFromFarAway) {
  const auto [system, linear] = steady_cone(Push::around);
  const Regulator regulator = lqr(linear, {.states = {{"q", 100.0}, {"q'", 10.0}}});
  const double decay = -regulator.closed_loop.real().maxCoeff();
  EXPECT_GT(decay, 0.5);
  const MatrixXd to_basis = linear::pseudo_inverse(linear.basis);
  // (x, x') of y = exp(-t X) q, as it is seen from the frame.
  const auto law = [&](double t, const VectorXd& q, const VectorXd& v) -> VectorXd {
    const Displacement back = linear.moving.displacement(-t);
    VectorXd x(2 * linear.size());
    x << to_basis * (back.turn * q + back.shift - linear.at.q),
        to_basis * (back.turn * (v - linear.moving.velocity(q)));
    return linear.inputs - regulator.gain * x;
  };
  Vector3d q = (linear.at.q + Vector3d(0.1, 0.25, -0.2)).normalized();
  Vector3d v = linear.moving.velocity(q) + Vector3d(0.3, -0.2, 0.1).cross(q);
  const double h = 4e-3;
  double t = 0;
  const auto slope = [&](double at, const Vector3d& p, const Vector3d& w) -> Vector3d {
    return acceleration(system, {at, p, w}, law(at, p, w));
  };
  for (; t < 18 / decay; t += h) {  // Runge and Kutta's, by hand
    const Vector3d a1 = slope(t, q, v), v2 = v + h / 2 * a1, a2 = slope(t + h / 2, q + h / 2 * v, v2),
                   v3 = v + h / 2 * a2, a3 = slope(t + h / 2, q + h / 2 * v2, v3), v4 = v + h * a3,
                   a4 = slope(t + h, q + h * v3, v4);
    q = (q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)).normalized();
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    v -= q * q.dot(v);
  }
  EXPECT_NEAR(q.z(), height, 1e-6);
  EXPECT_NEAR(v.z(), 0, 1e-6);
  EXPECT_NEAR(std::abs(Vector3d::UnitZ().dot(q.cross(v))) / (1 - height * height), std::sqrt(g / (l * -height)), 1e-5);
  const Displacement there = linear.moving.displacement(t);
  EXPECT_LE((q - there.turn * linear.at.q - there.shift).norm(), 1e-5);  // and to its place on the circle
}

TEST(SteadyRegulator, IsRefusedWhereInputsDoNotGoAlong) {
  const auto [system, linear] = steady_cone(Push::east);
  const std::string message = message_of<std::invalid_argument>([&] { lqr(linear); });
  EXPECT_NE(message.find("do not go along"), std::string::npos) << message;
}

TEST(SteadyRegulator, IsNoLawOfAModel) {
  const auto [system, linear] = steady_cone(Push::around);
  const Regulator regulator = lqr(linear);
  const std::string message =
      message_of<std::invalid_argument>([&] { feedback(cone(Push::around), linear, regulator); });
  EXPECT_NE(message.find("steady motion"), std::string::npos) << message;
}

// At terminal velocity a push sideways moves a body back under its line.
TEST(SteadyRegulator, OfAFallWithDrag) {
  Model model("fall");
  const Formula x = model.coordinate("x", Rn(3)), u = model.input("u", 3);
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(g * x.z());
  model.force_on(x, u - 0.4 * norm(rate(x)) * rate(x));
  const System system = derive(model);
  const double speed = std::sqrt(g / 0.4);
  const Generator falling{MatrixXd::Zero(3, 3), Vector3d(0, 0, -speed)};
  const LinearModel linear = trimmed(Linearization(system), {0, Vector3d::Zero(), Vector3d(0, 0, -speed)}, falling);
  EXPECT_LE(linear.inputs.norm(), 1e-9);
  const Regulator regulator = lqr(linear);
  // Across: x'' + c x' = u with c = 0.4 speed; weights 1: s^2 + (c + k2) s + 1, k2 = -c + sqrt(c^2 + 3)
  const double c = 0.4 * speed;
  EXPECT_NEAR(regulator.gain(0, 0), 1, 1e-9);
  EXPECT_NEAR(regulator.gain(0, 3), -c + std::sqrt(c * c + 3), 1e-9);
  EXPECT_NEAR(regulator.gain(2, 5), -2 * c + std::sqrt(4 * c * c + 3), 1e-9);
}

}  // namespace
}  // namespace hamel::test::steady_regulator_test
