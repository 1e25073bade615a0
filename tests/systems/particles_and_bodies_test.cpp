// Bodies and particles: dL/dq' and dL/dq against automatic differentiation of Lagrangians by hand, the momenta that are
// found automatically against those of the textbooks, native code against the interpreter.
#include <hamel/manifold/factors.hpp>
#include <hamel/symmetry/noether.hpp>

#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"
#include "systems/derivatives.hpp"

namespace hamel::test::particles_and_bodies_test {
namespace {

const Eigen::Vector3d center(0.1, -0.2, 0.3);
constexpr double mass = 1.4, gravity = 9.81;

Eigen::Matrix3d inertia() {
  Eigen::Matrix3d J;
  J << 1.2, 0.05, -0.1, 0.05, 1.5, 0.08, -0.1, 0.08, 0.9;
  return J;
}

template <class Lagrangian>
void expect_lagrangian(const Model& model, const Lagrangian& lagrangian) {
  const System system = derive(model);
  const Samples samples = random_samples(system);
  expect_derivatives(system, lagrangian, samples);
  expect_tiers_agree(model, samples);
}

using MomentaByHand = std::function<VectorXd(const VectorXd& q, const VectorXd& v)>;

// What is found are as many independent combinations of the momenta by hand, with the same coefficients at all states.
void expect_momenta(const Model& model, const MomentaByHand& by_hand) {
  const System system = derive(model);
  const NoetherReport report = conserved_momenta(model);
  const Samples samples = random_samples(system, 20);
  const auto count = by_hand(samples.states[0].q, samples.states[0].v).size(), states = Eigen::Index{20};
  ASSERT_EQ(static_cast<Eigen::Index>(report.momenta.size()), count);
  EXPECT_TRUE(report.energy_conserved && report.undecided.empty());
  MatrixXd expected(states, count), found(states, count);
  Workspace work(system);
  for (Eigen::Index k = 0; k < states; ++k) {
    const State& s = samples.states[static_cast<std::size_t>(k)];
    expected.row(k) = by_hand(s.q, s.v).transpose();
    for (Eigen::Index i = 0; i < count; ++i)
      found(k, i) = report.momenta[static_cast<std::size_t>(i)].value(system, work, s);
  }
  const MatrixXd coefficients = linear::shortest_least_squares(expected, found, 1e-12);
  EXPECT_LE((expected * coefficients - found).norm(), 1e-11 * found.norm());
  EXPECT_EQ(linear::orthogonal(coefficients, 1e-6).rank, count);
}

Vector3d spatial_momentum(const VectorXd& q, const VectorXd& v) {  // R J Omega
  return attitude(q) * inertia() * vee(attitude(q).transpose() * attitude(v));
}

Dual dot3(const VectorDual& a, int i, const VectorDual& b, int j) {
  return a(i) * b(j) + a(i + 1) * b(j + 1) + a(i + 2) * b(j + 2);
}

// tr(R' J_d R'^T) / 2, columns of R' one after another
Dual turning(const VectorDual& v) {
  const Eigen::Matrix3d Jd = inertia().trace() / 2 * Eigen::Matrix3d::Identity() - inertia();
  Dual sum(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += Jd(i, j) / 2 * dot3(v, 3 * i, v, 3 * j);
  return sum;
}

// R c, entry k
Dual turned(const VectorDual& R, int k) { return center(0) * R(k) + center(1) * R(3 + k) + center(2) * R(6 + k); }

TEST(LagrangiansOfBodies, FreeBody) {
  Model model("free rigid body");
  const auto R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .mass = mass, .inertia = inertia()});
  expect_lagrangian(model, [](const VectorDual&, const VectorDual& v) -> Dual { return turning(v); });
  expect_momenta(model, spatial_momentum);
}

TEST(LagrangiansOfBodies, Pendulum3d) {
  Model model("3-D pendulum");
  const auto R = model.coordinate<SO3>("R");
  const Formula c = model.body("body", {.attitude = R, .mass = mass, .inertia = inertia(), .center_of_mass = center});
  model.potential(mass * gravity * c.z());
  expect_lagrangian(model, [](const VectorDual& q, const VectorDual& v) -> Dual {
    return turning(v) - mass * gravity * turned(q, 2);
  });
  expect_momenta(model,
                 [](const VectorXd& q, const VectorXd& v) -> VectorXd { return spatial_momentum(q, v).tail<1>(); });
}

TEST(LagrangiansOfBodies, FreeBodyWithOffset) {
  Model model("free body");
  const auto pose = model.coordinate<SE3>("X");
  const Formula c = model.body("body", {.attitude = rotation(pose),
                                        .position = position(pose),
                                        .mass = mass,
                                        .inertia = inertia(),
                                        .center_of_mass = center});
  model.potential(mass * gravity * c.z());
  expect_lagrangian(model, [](const VectorDual& q, const VectorDual& v) -> Dual {
    Dual sum = turning(v) + mass / 2 * dot3(v, 9, v, 9) - mass * gravity * (q(11) + turned(q, 2));
    for (int k = 0; k < 3; ++k) sum += mass * v(9 + k) * turned(v, k);
    return sum;
  });
  expect_momenta(model, [](const VectorXd& q, const VectorXd& v) -> VectorXd {
    const Vector3d x = q.tail<3>(), x_rate = v.tail<3>(), arm = attitude(q) * center,
                   p = mass * (x_rate + attitude(v) * center);
    const Vector3d about_origin = spatial_momentum(q, v) + x.cross(p) + mass * arm.cross(x_rate);
    const Vector3d about_center = about_origin - (x + arm).cross(p);
    VectorXd momenta(6);
    momenta << p.x(), p.y(), about_origin.z(), about_center;
    return momenta;
  });
}

TEST(LagrangiansOfParticles, Kepler) {
  Model model("Kepler");
  const auto q = model.coordinate("q", Rn(3));
  model.kinetic(mass / 2 * squared_norm(rate(q)));
  model.potential(-mass * 2.0 / norm(q));
  expect_lagrangian(model, [](const VectorDual& x, const VectorDual& v) -> Dual {
    return mass / 2 * dot3(v, 0, v, 0) + mass * 2.0 / sqrt(dot3(x, 0, x, 0));
  });
  expect_momenta(model, [](const VectorXd& x, const VectorXd& v) -> VectorXd { return hat(x) * mass * v; });
}

TEST(LagrangiansOfParticles, RotatingFrame) {
  const double rate_of_frame = 0.7;
  Model model("rotating frame");
  const auto q = model.coordinate("q", Rn(3));
  model.lagrangian(mass / 2 * squared_norm(rate(q) + cross(rate_of_frame * unit_vector(2), q)) - 1.5 * squared_norm(q));
  expect_lagrangian(model, [=](const VectorDual& x, const VectorDual& v) -> Dual {
    const Dual a = v(0) - rate_of_frame * x(1), b = v(1) + rate_of_frame * x(0);
    return mass / 2 * (a * a + b * b + v(2) * v(2)) - 1.5 * dot3(x, 0, x, 0);
  });
  expect_momenta(model, [=](const VectorXd& x, const VectorXd& v) -> VectorXd {
    return VectorXd::Constant(1, x(0) * (v(1) + rate_of_frame * x(0)) - x(1) * (v(0) - rate_of_frame * x(1)));
  });
}

TEST(LagrangiansOfParticles, ChargedInAMagneticField) {
  const double charge = 0.8, field = 1.3;
  Model model("charged particle");
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(mass / 2 * squared_norm(rate(x)));
  model.lagrangian(charge * field * x[0] * rate(x)[1]);
  expect_lagrangian(model, [=](const VectorDual& q, const VectorDual& v) -> Dual {
    return mass / 2 * dot3(v, 0, v, 0) + charge * field * q(0) * v(1);
  });
  expect_momenta(model, [=](const VectorXd& q, const VectorXd& v) -> VectorXd {
    const double turning_rate = charge * field / mass;
    const double spin = q(0) * v(1) - q(1) * v(0) + turning_rate / 2 * q.head<2>().squaredNorm();
    return Eigen::Vector4d(v(0) - turning_rate * q(1), v(1) + turning_rate * q(0), v(2), spin);
  });
}

TEST(LagrangiansOfParticles, Relativistic) {
  const double c = 20;
  Model model("relativistic particle");
  const auto x = model.coordinate("x", Rn(3));
  model.lagrangian(-mass * c * c * sqrt(1 - squared_norm(rate(x)) / (c * c)) - squared_norm(x));
  expect_lagrangian(model, [=](const VectorDual& q, const VectorDual& v) -> Dual {
    return -mass * c * c * sqrt(Dual(1.0) - dot3(v, 0, v, 0) / (c * c)) - dot3(q, 0, q, 0);
  });
  expect_momenta(model, [=](const VectorXd& q, const VectorXd& v) -> VectorXd {
    return hat(q) * mass * v / std::sqrt(1 - v.squaredNorm() / (c * c));
  });
}

}  // namespace
}  // namespace hamel::test::particles_and_bodies_test
