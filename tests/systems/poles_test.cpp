// Where angles fail, nothing special happens: at the poles, upside down, and in any rotated frame.
#include <Eigen/Geometry>
#include <cmath>
#include <hamel/manifold/s2.hpp>

#include "systems/models.hpp"
#include "systems/support.hpp"

namespace hamel::test::poles_test {
namespace {

const Vector3d e1(1, 0, 0), e3(0, 0, 1);

// About an axis: it exchanges two unit vectors whose sum is the axis.
Eigen::Matrix3d half_turn(const Eigen::Vector3d& axis) {
  return 2 / axis.squaredNorm() * axis * axis.transpose() - Eigen::Matrix3d::Identity();
}

Eigen::Matrix3d random_rotation(Random& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
}

// The double spherical pendulum with gravity along `down`.
Model double_pendulum_falling(const Vector3d& down) {
  Model model("double spherical pendulum");
  auto gravity = model.parameter("gravity", MatrixXd(g * down));
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = L1 * q[0], x2 = x1 + L2 * q[1];
  model.kinetic(m1 / 2 * squared_norm(rate(x1)) + m2 / 2 * squared_norm(rate(x2)));
  model.potential(-m1 * dot(gravity, x1) - m2 * dot(gravity, x2));
  return model;
}

VectorXd rotated(const Eigen::Matrix3d& R, const VectorXd& x) {
  VectorXd y(x.size());
  for (Eigen::Index i = 0; i < x.size(); i += 3) y.segment<3>(i) = R * x.segment<3>(i);
  return y;
}

TEST(Poles, MotionCommutesWithRotations) {
  Random random(3);
  const System upright = derive(double_pendulum_falling(-e3));
  expect_tiers_agree(upright.model(), random_samples(upright, 5));
  for (int k = 0; k < 5; ++k) {
    const State start = random_samples(upright, 1, static_cast<unsigned>(k)).states.front();
    Eigen::Matrix3d R = random_rotation(random);
    if (k == 0) R = half_turn(start.q.head<3>() + e3);  // begins at the pole
    if (k == 1) R = half_turn(start.q.tail<3>() - e3);
    const System turned = derive(double_pendulum_falling(-R * e3));
    const State turned_start{start.t, rotated(R, start.q), rotated(R, start.v)};
    EXPECT_LE(distance(acceleration(turned, turned_start), rotated(R, acceleration(upright, start))), 1e-13);
    const State end = state_after(upright, start, 1.0), turned_end = state_after(turned, turned_start, 1.0);
    EXPECT_LE(distance(turned_end.q, rotated(R, end.q)), 1e-9);
    EXPECT_LE(distance(turned_end.v, rotated(R, end.v)), 1e-9);
  }
}

// Through both poles in a vertical plane: the planar pendulum.
TEST(Poles, SwingOverTheTop) {
  const System spherical = derive(spherical_pendulum()), planar = derive(planar_pendulum());
  const double speed = 1.2 * std::sqrt(4 * g / L);  // enough to go over
  const State end = state_after(spherical, {0, -e3, speed * e1}, 2.0);
  const State expected = state_after(planar, {0, Vector2d(0, -1), Vector2d(speed, 0)}, 2.0);
  EXPECT_LE(distance(end.q, Vector3d(expected.q(0), 0, expected.q(1))), 1e-9);
  EXPECT_LE(distance(end.v, Vector3d(expected.v(0), 0, expected.v(1))), 1e-9);
  EXPECT_EQ(end.q(1), 0);
  const State over = state_after(planar, {0, Vector2d(0, 1), Vector2d(-speed, 0)}, 1.0);
  const State started_at_top = state_after(spherical, {0, e3, -speed * e1}, 1.0);
  EXPECT_LE(distance(started_at_top.q, Vector3d(over.q(0), 0, over.q(1))), 1e-9);
}

// The inverted position is an equilibrium; near it the acceleration is (g/L) times the displacement.
TEST(Poles, InvertedPosition) {
  const System system = derive(spherical_pendulum());
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(acceleration(system, {0, sign * e3, Vector3d::Zero()}).norm(), 0);
    for (const double angle : {1e-4, 1e-8, 1e-12}) {
      const Vector3d q(std::sin(angle), 0, sign * std::cos(angle));
      const Vector3d a = acceleration(system, {0, q, Vector3d::Zero()});
      EXPECT_NEAR(a.x(), sign * g / L * std::sin(angle) * std::cos(angle), 1e-15);
      EXPECT_NEAR(a.z(), -g / L * std::sin(angle) * std::sin(angle), 5e-15);
    }
  }
}

// Every sample passes the same tests with q exactly at a pole.
TEST(Poles, FormsAgreeThere) {
  const System system = derive(chain_pendulum(3));
  Samples samples = random_samples(system, 8);
  for (std::size_t k = 0; k < samples.states.size(); ++k) {
    State& state = samples.states[k];
    for (int i = 0; i < 3; ++i) state.q.segment<3>(3 * i) = (k >> i & 1U) != 0 ? e3 : -e3;
    system.space().tangent_project(state.q, VectorXd(state.v), state.v);
  }
  expect_forms_agree(system, samples);
  expect_paths_agree(chain_pendulum(3), samples);
}

}  // namespace
}  // namespace hamel::test::poles_test
