// Steady motions in which drag balances what drives: nobody gives their speed.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/analyze/equilibria.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test::drift_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double g = 9.81;

Model falling(double m, double length, double time) {
  Model model("falling");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * length / (time * time) * x.z());
  return model;
}

void expect_speed(const Equilibria& found, double speed) {
  ASSERT_EQ(found.found.size(), 1U) << found.remark;
  const Equilibrium& one = found.found[0];
  EXPECT_NEAR(one.linear.at.v(2) / speed, 1, 1e-9);
  EXPECT_NEAR(one.linear.at.v.norm() / speed, -1, 1e-9);
  ASSERT_EQ(one.drift.size(), 1U);
  EXPECT_EQ(one.drift[0].first, "translation along e3 of x");
  EXPECT_NEAR(one.drift[0].second / speed, 1, 1e-9);
  EXPECT_EQ(one.stability.verdict, Verdict::asymptotically_stable_modulo_family) << one.stability.reason;
  EXPECT_EQ(one.stability.family, 3);
}

TEST(Drift, OfAFallWithLinearDragHasTheSpeedMgOverC) {
  for (const double m : {1e-24, 2.0, 1e24})
    for (const double length : {1e-9, 1.0, 1e9}) {
      const double time = 1e-3, c = 0.7 * m / time;
      Model model = falling(m, length, time);
      model.dissipation(c / 2 * squared_norm(rate(model.coordinate(0))));
      expect_speed(equilibria(derive(model)), -m * g * length / (time * time) / c);
    }
}

TEST(Drift, OfAFallWithQuadraticDragHasTheSpeedSqrtOfMgOverC) {
  for (const double length : {1e-9, 1.0, 1e9}) {
    const double m = 2, c = 0.7 / length;
    Model model = falling(m, length, 1);
    const Formula x = model.coordinate(0);
    model.force_on(x, -c * norm(rate(x)) * rate(x));
    expect_speed(equilibria(derive(model)), -std::sqrt(m * g * length / c));
  }
}

// What rolls down with friction at its contact and in the air: no slip in the end.
TEST(Drift, OfADiskOnAnInclineRolls) {
  constexpr double m = 2, J = 0.3, r = 0.4, slope = 0.35, c = 0.8, k = 5;
  Model model("disk");
  const Formula x = model.coordinate("x", Rn(1)), q = model.coordinate<S1>("q");
  model.kinetic(m / 2 * squared_norm(rate(x)) + J / 2 * squared_norm(rate(q)));
  model.potential(-m * g * slope * x.x());
  model.dissipation(c / 2 * squared_norm(rate(x)) + k / 2 * pow(rate(x).x() - r * omega(q), 2));
  const Equilibria found = equilibria(derive(model));
  ASSERT_EQ(found.found.size(), 1U) << found.remark;
  const Equilibrium& one = found.found[0];
  const double speed = m * g * slope / c;
  EXPECT_NEAR(one.linear.at.v(0), speed, 1e-9);
  EXPECT_NEAR(one.linear.at.v.tail(2).norm(), speed / r, 1e-9);
  EXPECT_EQ(one.stability.verdict, Verdict::asymptotically_stable_modulo_family) << one.stability.reason;
  EXPECT_EQ(one.drift.size(), 2U);
}

// An arrow that is braked at its end falls head first; tail first it is steady, too, and turns over.
TEST(Drift, OfAnArrowIsStableHeadFirst) {
  constexpr double m = 0.5, c = 0.3, arm = 0.4;
  Model model("arrow");
  const Formula R = model.coordinate<SO3>("R"), x = model.coordinate("x", Rn(3));
  const Matrix3d J = Vector3d(0.02, 0.02, 0.005).asDiagonal();
  model.body("arrow", {.attitude = R, .inertia = J});
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.z());
  model.dissipation(c / 2 * squared_norm(rate(x + arm * (R * unit_vector(2)))) + 0.001 * squared_norm(omega(R)));
  const Equilibria found = equilibria(derive(model));
  ASSERT_EQ(found.found.size(), 2U) << found.remark;
  int stable = 0;
  for (const Equilibrium& one : found.found) {
    EXPECT_NEAR(one.linear.at.v(11), -m * g / c, 1e-9);
    EXPECT_EQ(one.stability.family, 4);
    const double up = one.linear.at.q(8);  // where the tail is
    EXPECT_NEAR(std::abs(up), 1, 1e-9);
    EXPECT_EQ(one.stability.verdict, up > 0 ? Verdict::asymptotically_stable_modulo_family : Verdict::unstable)
        << one.stability.reason;
    stable += up > 0 ? 1 : 0;
  }
  EXPECT_EQ(stable, 1);
}

// Nothing but an angle: torque u against a fan, k w |w|.
TEST(Drift, OfARotorWithAFan) {
  Model model("rotor");
  const Formula q = model.coordinate<S1>("q"), u = model.input("u");
  model.kinetic(0.02 * squared_norm(rate(q)));
  model.torque(q, u - 0.003 * omega(q) * abs(omega(q)));
  const Equilibria found = equilibria(derive(model), {.inputs = VectorXd::Constant(1, 0.12)});
  ASSERT_EQ(found.found.size(), 1U) << found.remark;
  EXPECT_NEAR(found.found[0].linear.at.v.norm(), std::sqrt(0.12 / 0.003), 1e-9);
  EXPECT_EQ(found.found[0].stability.verdict, Verdict::asymptotically_stable_modulo_family);
}

// A canopy carries a load, which swings below it or stands above.
TEST(Drift, OfAParachuteHasItsLoadBelow) {
  constexpr double M = 5, m = 80, l = 6, c = 60;
  Model model("parachute");
  const Formula x = model.coordinate("x", Rn(3)), q = model.coordinate<S2>("q");
  model.kinetic(M / 2 * squared_norm(rate(x)) + m / 2 * squared_norm(rate(x + l * q)));
  model.potential(M * g * x.z() + m * g * (x.z() + l * q.z()));
  model.force_on(x, -c * norm(rate(x)) * rate(x));
  const Equilibria found = equilibria(derive(model));
  ASSERT_EQ(found.found.size(), 2U) << found.remark;
  for (const Equilibrium& one : found.found) {
    EXPECT_NEAR(one.linear.at.v(2), -std::sqrt((M + m) * g / c), 1e-9);
    EXPECT_EQ(one.stability.verdict,
              one.linear.at.q(5) < 0 ? Verdict::asymptotically_stable_modulo_family : Verdict::unstable);
  }
}

TEST(Drift, IsDrivenByInputs) {
  Model model("sled");
  const Formula x = model.coordinate("x", Rn(1)), u = model.input("u");
  model.kinetic(1.5 * squared_norm(rate(x)));
  model.force_on(x, u - 0.25 * rate(x));
  const System system = derive(model);
  const Equilibria found = equilibria(system, {.inputs = VectorXd::Constant(1, 3)});
  ASSERT_EQ(found.found.size(), 1U) << found.remark;
  EXPECT_NEAR(found.found[0].linear.at.v(0), 12, 1e-9);
  const Equilibria rest = equilibria(system);
  ASSERT_EQ(rest.found.size(), 1U) << rest.remark;
  EXPECT_TRUE(rest.found[0].linear.moving.is_rest());
}

TEST(Drift, IsNotFoundWhereNothingBrakes) {
  EXPECT_TRUE(equilibria(derive(falling(2, 1, 1))).found.empty());
  Model model = falling(2, 1, 1);
  const Formula x = model.coordinate(0);
  model.dissipation(0.5 * pow(rate(x).x(), 2));
  const Equilibria found = equilibria(derive(model));
  EXPECT_TRUE(found.found.empty()) << found.found[0].linear.at.v;
  EXPECT_TRUE(found.is_complete);
  // A body with thrusters that are off falls ever faster.
  Model off("thrusters");
  const Formula T = off.coordinate<SE3>("T"), thrust = off.input("thrust");
  off.kinetic(0.6 * squared_norm(rate(position(T))) + 0.005 * squared_norm(omega(T)));
  off.potential(1.2 * g * position(T).z());
  off.force(position(T), thrust * (rotation(T) * unit_vector(2)));
  EXPECT_TRUE(equilibria(derive(off)).found.empty());
  // Drag that grows with depth knows no steady speed.
  Model deep = falling(2, 1, 1);
  const Formula y = deep.coordinate(0);
  deep.dissipation(0.5 * (2 - tanh(y.z())) * squared_norm(rate(y)));
  EXPECT_TRUE(equilibria(derive(deep)).found.empty());
}

}  // namespace
}  // namespace hamel::test::drift_test
