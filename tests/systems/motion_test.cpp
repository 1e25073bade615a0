// Along the motion: energy, momenta, and states that were computed independently.
#include <Eigen/Geometry>
#include <cmath>
#include <hamel/symmetry/noether.hpp>
#include <numbers>

#include "gallery/files.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/models.hpp"
#include "systems/support.hpp"

namespace hamel::test::motion_test {
namespace {

const Vector3d e3(0, 0, 1);

State random_state(const System& system, unsigned seed = 7) { return random_samples(system, 1, seed).states.front(); }

void expect_motion_keeps(const Model& model, const Momenta& momenta) {
  const System system = derive(model);
  expect_conserved(system, random_state(system), 3.0, momenta);
}

// x1 p2 - x2 p1
double planar_moment(const VectorXd& x, const VectorXd& p) { return x(0) * p(1) - x(1) * p(0); }

Vector3d sum_of_parts(const VectorXd& x) {
  Vector3d sum = Vector3d::Zero();
  for (Eigen::Index i = 0; i < x.size(); i += 3) sum += x.segment<3>(i);
  return sum;
}

class GalleryMotion : public ::testing::TestWithParam<Exhibit> {};

TEST_P(GalleryMotion, EnergyIsConserved) {
  const System system = derive(GetParam().model());
  expect_conserved(system, random_state(system), 3.0);
}

INSTANTIATE_TEST_SUITE_P(Systems, GalleryMotion, ::testing::ValuesIn(gallery()),
                         [](const ::testing::TestParamInfo<Exhibit>& exhibit) { return exhibit.param.name; });

TEST(Momenta, OfPlanarSystems) {
  const auto first = [](const State&, const VectorXd& pi) -> VectorXd { return pi.head(1); };
  const auto sum = [](const State&, const VectorXd& pi) -> VectorXd { return VectorXd::Constant(1, pi.sum()); };
  expect_motion_keeps(two_elastic_planar_pendulums(), sum);
  expect_motion_keeps(particle_on_torus(), first);
  expect_motion_keeps(furuta_pendulum(), first);
  expect_motion_keeps(revolute_robot(), first);
}

TEST(Momenta, OfSphericalSystems) {
  const auto vertical = [](const State&, const VectorXd& pi) -> VectorXd {
    return VectorXd::Constant(1, sum_of_parts(pi).z());
  };
  expect_motion_keeps(spherical_pendulum(), vertical);
  expect_motion_keeps(double_spherical_pendulum(), vertical);
  expect_motion_keeps(chain_pendulum(4), vertical);
  expect_motion_keeps(two_elastic_spherical_pendulums(),
                      [](const State&, const VectorXd& pi) { return sum_of_parts(pi); });
  expect_motion_keeps(particle_rotating_sphere(),
                      [](const State&, const VectorXd& pi) { return Vector2d(pi(2), pi.norm()); });
}

// Clamped upright, the rod may be turned about the vertical: this is found, and the momentum is constant.
TEST(Momenta, OfARodClampedUpright) {
  const Model model = from_gallery("fixed-free-elastic-rod", {{"n", 3}, {"clamp", e3}});
  const NoetherReport report = conserved_momenta(model);
  ASSERT_EQ(report.momenta.size(), 1U);
  EXPECT_NE(report.momenta.front().name.find("about e3"), std::string::npos) << report.momenta.front().name;
  expect_motion_keeps(
      model, [](const State&, const VectorXd& pi) -> VectorXd { return VectorXd::Constant(1, sum_of_parts(pi).z()); });
}

TEST(Momenta, OfCarts) {
  expect_motion_keeps(horizontal_pendulum_on_cart(), [](const State& state, const VectorXd& pi) {
    return stack({pi.head<2>(), VectorXd::Constant(1, planar_moment(state.q, pi) + pi(2))});
  });
  expect_motion_keeps(spherical_pendulum_on_cart(), [](const State& state, const VectorXd& pi) {
    return stack({pi.tail<2>(), VectorXd::Constant(1, planar_moment(state.q.tail<2>(), pi.tail<2>()) + pi(2))});
  });
  expect_motion_keeps(chain_pendulum_on_cart(3), [](const State& state, const VectorXd& pi) {
    return stack({pi.head<2>(), VectorXd::Constant(1, planar_moment(state.q, pi) + sum_of_parts(pi.tail(9)).z())});
  });
}

// The centre of mass falls on a parabola, and the angular momentum about it is constant.
TEST(Momenta, OfFreeChain) {
  const int n = 3;
  double total = m_end;
  for (int i = 0; i < n; ++i) total += chain_mass(i);
  expect_motion_keeps(free_free_chain(n), [=](const State& state, const VectorXd& pi) {
    Vector3d x = state.q.head<3>(), center = m_end * x;
    for (int i = 0; i < n; ++i) {
      x += chain_length(i) * state.q.segment<3>(3 + 3 * i);
      center += chain_mass(i) * x;
    }
    center /= total;
    const Vector3d p = pi.head<3>(), about_origin = state.q.head<3>().cross(p) + sum_of_parts(pi.tail(3 * n));
    return stack({p + total * g * state.t * e3, about_origin - center.cross(p)});
  });
}

// In space the particle on a rotating sphere moves on a great circle at constant speed.
TEST(Motion, OnRotatingSphereIsGreatCircle) {
  const System system = derive(particle_rotating_sphere());
  const State start = random_state(system);
  const double t = 2.0;
  const State end = state_after(system, {0, start.q, start.v}, t);
  const Vector3d q = start.q, v = start.v + Omega * e3.cross(q);
  const Vector3d in_space = std::cos(v.norm() * t) * q + std::sin(v.norm() * t) * v.normalized();
  const Vector3d back = Eigen::AngleAxisd(-Omega * t, e3) * in_space;
  EXPECT_LE(distance(end.q, back), 1e-10);
}

// Forces do work: dE/dt = tau.omega_1 + d.x_n'.
TEST(Motion, PowerOfInputs) {
  const System system = derive(controlled_chain_pendulum(3));
  const Samples samples = random_samples(system);
  Workspace work(system);
  work.u = samples.inputs;
  for (const State& s : samples.states) {
    Vector3d tip = Vector3d::Zero();
    for (int i = 0; i < 3; ++i) tip += chain_length(i) * s.v.segment<3>(3 * i);
    const Vector3d omega = s.q.head<3>().cross(s.v.head<3>());
    const double expected = samples.inputs.head<3>().dot(omega) + samples.inputs.tail<3>().dot(tip);
    EXPECT_NEAR(system.power(work, s.t, s.q, s.v), expected, 1e-12 * std::max(1.0, std::abs(expected)));
  }
}

VectorXd numbers(std::initializer_list<double> values) {
  return Eigen::Map<const VectorXd>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

TEST(ReferenceMotion, DoubleSphericalPendulum) {
  const Model model =
      from_gallery("double-spherical-pendulum", {{"m", Vector2d(2, 1)}, {"l", Vector2d(1, 1)}, {"g", -g}});
  const System system = derive(model);
  const State start{0, numbers({1, 0, 0, 0, 1, 0}), numbers({0, 0.5, 0.2, -0.3, 0, 0.4})};
  expect_tiers_agree(model, {{start}, {}});
  Workspace work(system);
  EXPECT_NEAR(system.energy(work, 0, start.q, start.v).total, 0.64, 1e-14);
  const State end = state_after(system, start, 1.0);
  EXPECT_LE(distance(end.q, numbers({-0.36927991769, -0.18966040551, -0.90975890926, -0.95466769879, -0.27578517275,
                                     -0.11203625918})),
            1e-9);
  EXPECT_LE(
      (end.v - numbers({-0.64012942031, -3.77004274377, 1.04578780768, -1.45534203607, 3.59349483242, 3.55541538363}))
          .lpNorm<Eigen::Infinity>(),
      1e-9);
}

// Lee, Leok, McClamroch, "Dynamics and control of a chain pendulum on a cart", first experiment; e3 points down.
TEST(ReferenceMotion, ChainPendulumOnCart) {
  const int n = 5;
  const VectorXd tenths = VectorXd::Constant(n, 0.1);
  const Model model = from_gallery("chain-pendulum-on-cart", {{"M", 0.5}, {"m", tenths}, {"l", tenths}, {"g", -g}});
  const System system = derive(model);
  State start{0, VectorXd::Zero(17), VectorXd::Zero(17)};
  start.q.head<2>() << 0.2, 0.1;
  start.v.head<2>() << 0, -0.1;
  for (int i = 0; i < 4; ++i) start.q(2 + 3 * i + 2) = i % 2 == 0 ? -1 : 1;
  const double degree = std::numbers::pi / 180;
  start.q.tail<3>() << std::sin(degree), 0, -std::cos(degree);
  expect_tiers_agree(model, {{start}, {}});

  Workspace work(system);
  EXPECT_NEAR(system.energy(work, 0, start.q, start.v).total, 0.299285058895, 1e-12);
  const State end = state_after(system, start, 1.0, 1e-13);  // errors grow by 1e3: the motion is chaotic
  EXPECT_NEAR(system.energy(work, end.t, end.q, end.v).total, 0.299285058895, 1e-11);
  EXPECT_LE(distance(end.q.head<2>(), Vector2d(0.207949600069913, 0)), 1e-9);
  EXPECT_LE(distance(end.q.tail<3>(), Vector3d(0.859882086619616, 0, -0.510492700350060)), 1e-9);
  const VectorXd momenta = Field(system, Form::pi).pack(work, end).tail(system.rates());
  EXPECT_LE(distance(momenta.head<2>(), Vector2d(0, -0.1)), 1e-12);
}

}  // namespace
}  // namespace hamel::test::motion_test
