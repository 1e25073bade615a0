// Linear models, equilibria and regulators of systems that are given by a Hamiltonian: those of their Lagrangians, and
// differences of their accelerations.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/analyze/balance.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/symmetry/noether.hpp"
#include "message.hpp"

namespace hamel::test::linear_hamiltonian_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double g = 9.81;

struct Pair {
  Model lagrangian, hamiltonian;
  VectorXd point;
  double rate = 0;  // of the steady motion along its first symmetry; 0: at rest
};

// Magnetic, with friction and an input; on the cotangent bundle `nothing` is nothing.
Pair pendulum(double m, double l, double height, double nothing) {
  Pair pair{Model("pendulum"), Model("pendulum"), Vector3d(0, 0, height)};
  const double b = 0.6 * m * l * l * std::sqrt(g / l);
  const auto force = [&](Model& model, const Formula& q) {
    model.force_on(q, model.input("drive", 3));
    model.dissipation(b / 4 * squared_norm(rate(q)) * (1 + q.x() * q.x()));
  };
  const Formula q = pair.lagrangian.coordinate<S2>("q"), x = pair.hamiltonian.coordinate<S2>("q");
  pair.lagrangian.kinetic(m * l * l / 2 * squared_norm(rate(q)));
  pair.lagrangian.lagrangian(b * dot(rate(q), cross(unit_vector(2), q) + q.z() * unit_vector(0)));
  pair.lagrangian.potential(m * g * l * q.z());
  force(pair.lagrangian, q);
  const Formula mu = pair.hamiltonian.momentum(x);
  const Formula potential = cross(unit_vector(2), x) + x.z() * unit_vector(0);  // tangent in part only
  const Formula bare = mu - b * (potential - dot(potential, x) * x);
  pair.hamiltonian.hamiltonian(squared_norm(bare) / (2 * m * l * l) + m * g * l * x.z());
  pair.hamiltonian.hamiltonian(nothing / (m * l * l) * dot(x, mu) * (b + mu.x() + b * x.y() * x.z()));
  pair.hamiltonian.hamiltonian(nothing * (squared_norm(x) - 1) *
                               (m * g * l * sin(x.x()) + squared_norm(mu) / (m * l * l)));
  force(pair.hamiltonian, x);
  return pair;
}

// A cone: a round pendulum that turns about the vertical.
Pair cone(double nothing) {
  const double m = 1.3, l = 0.9, height = -0.6;
  Pair pair{Model("cone"), Model("cone"), Vector3d(std::sqrt(1 - height * height), 0, height)};
  const Formula q = pair.lagrangian.coordinate<S2>("q"), x = pair.hamiltonian.coordinate<S2>("q");
  pair.lagrangian.kinetic(m * l * l / 2 * squared_norm(rate(q)));
  pair.lagrangian.potential(m * g * l * q.z());
  const Formula mu = pair.hamiltonian.momentum(x);
  pair.hamiltonian.hamiltonian(squared_norm(mu) / (2 * m * l * l) + m * g * l * x.z());
  pair.hamiltonian.hamiltonian(nothing * dot(x, mu) * x.z() + nothing * (squared_norm(x) - 1) * squared_norm(mu));
  pair.rate = std::sqrt(g / (l * -height));
  return pair;
}

Pair double_pendulum(double first, double second) {
  constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4;
  constexpr double m11 = (m1 + m2) * l1 * l1, m12 = m2 * l1 * l2, m22 = m2 * l2 * l2;
  Pair pair{Model("double pendulum"), Model("double pendulum"), VectorXd::Zero(6)};
  pair.point(2) = first;
  pair.point(5) = second;
  const auto q = pair.lagrangian.coordinates<S2>("q", 2);
  const Formula x1 = l1 * q[0], x2 = x1 + l2 * q[1];
  pair.lagrangian.kinetic(m1 / 2 * squared_norm(rate(x1)) + m2 / 2 * squared_norm(rate(x2)));
  pair.lagrangian.potential(m1 * g * x1.z() + m2 * g * x2.z());
  const auto x = pair.hamiltonian.coordinates<S2>("q", 2);
  const Formula mu1 = pair.hamiltonian.momentum(x[0]), mu2 = pair.hamiltonian.momentum(x[1]);
  const Formula a = x[1] - dot(x[0], x[1]) * x[0], r = mu1 - m12 / m22 * (mu2 - dot(x[0], mu2) * x[0]);
  constexpr double b = m12 * m12 / m22, c = m11 - b;
  const Formula along = dot(a, r), kinetic = squared_norm(r) / c - b * along * along / (c * (c + b * squared_norm(a)));
  pair.hamiltonian.hamiltonian(squared_norm(mu2) / (2 * m22) + kinetic / 2 + (m1 + m2) * g * l1 * x[0].z() +
                               m2 * g * l2 * x[1].z());
  return pair;
}

// A heavy body about a fixed point, on end or hanging, at rest or spinning.
Pair top(double rate) {
  const Matrix3d J = Vector3d(1.1, 1.4, 0.7).asDiagonal();
  const double m = 1.3;
  const VectorXd identity = Matrix3d::Identity().reshaped();
  Pair pair{Model("top"), Model("top"), identity, rate};
  const Formula R = pair.lagrangian.coordinate<SO3>("R"), S = pair.hamiltonian.coordinate<SO3>("R");
  pair.lagrangian.body("body", {.attitude = R, .inertia = J});
  pair.lagrangian.potential(-m * g * 0.3 * (R * unit_vector(2)).z());
  const Formula Pi = 2 * vee(transpose(S) * pair.hamiltonian.momentum(S));
  pair.hamiltonian.hamiltonian(dot(Pi, Formula(J.inverse().eval()) * Pi) / 2 - m * g * 0.3 * (S * unit_vector(2)).z());
  return pair;
}

// Where the metric changes from place to place, and turns with the first circle.
Pair torus(double angle, double rate) {
  constexpr double m = 1.3, outer = 2, inner = 0.6;
  Pair pair{Model("torus"), Model("torus"), VectorXd(4), rate};
  pair.point << 1, 0, std::cos(angle), std::sin(angle);
  const auto q = pair.lagrangian.coordinates<S1>("q", 2), x = pair.hamiltonian.coordinates<S1>("q", 2);
  const auto radius = [](const std::vector<Formula>& at) { return outer + inner * at[1].x(); };
  pair.lagrangian.kinetic(m / 2 * radius(q) * radius(q) * squared_norm(hamel::rate(q[0])) +
                          m / 2 * inner * inner * squared_norm(hamel::rate(q[1])));
  pair.lagrangian.potential(m * g * inner * q[1].y());
  const Formula mu1 = pair.hamiltonian.momentum(x[0]), mu2 = pair.hamiltonian.momentum(x[1]);
  pair.hamiltonian.hamiltonian(squared_norm(mu1) / (2 * m * radius(x) * radius(x)) +
                               squared_norm(mu2) / (2 * m * inner * inner) + m * g * inner * x[1].y());
  return pair;
}

// Fast, round a centre: H is not quadratic in p, L = -m c^2 sqrt(1 - v^2/c^2) - U.
Pair relativistic(double radius, double k) {
  constexpr double m = 1.3, c = 3;
  Pair pair{Model("relativistic"), Model("relativistic"), Vector2d(radius, 0)};
  const Formula x = pair.lagrangian.coordinate("x", Rn(2)), y = pair.hamiltonian.coordinate("x", Rn(2));
  pair.lagrangian.lagrangian(-m * c * c * sqrt(1 - squared_norm(hamel::rate(x)) / (c * c)));
  pair.lagrangian.potential(k / 2 * squared_norm(x));
  pair.hamiltonian.hamiltonian(c * sqrt(m * m * c * c + squared_norm(pair.hamiltonian.momentum(y))) +
                               k / 2 * squared_norm(y));
  // m gamma w^2 = k, with v = w radius
  double w = std::sqrt(k / m);
  for (int i = 0; i < 200; ++i) w = std::sqrt(k / m * std::sqrt(1 - w * w * radius * radius / (c * c)));
  pair.rate = radius == 0 ? 0 : w;
  return pair;
}

Generator moving_of(const Pair& pair, const Model& model) {
  if (pair.rate == 0) return {};
  const std::vector<ConservedMomentum> momenta = conserved_momenta(model).momenta;
  return generator(momenta.front(), static_cast<int>(pair.point.size()), pair.rate);
}

void expect_same(const MatrixXd& a, const MatrixXd& b, double tolerance = 1e-10) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).norm(), tolerance * (b.norm() + (b.norm() == 0 ? 1 : 0))) << a << "\nfor\n" << b;
}

void expect_same_linear_model(const Pair& pair) {
  const System by_L = derive(pair.lagrangian), by_H = derive(pair.hamiltonian);
  const Generator moving = moving_of(pair, pair.lagrangian);
  const State at{0, pair.point, moving.velocity(pair.point)};
  const LinearModel expected = linearize(by_L, at, VectorXd(), moving), found = linearize(by_H, at, VectorXd(), moving);
  expect_same(found.M, expected.M);
  const double size = expected.K.norm() / expected.M.norm();
  const MatrixXd scale = std::sqrt(size) * expected.M;
  expect_same(found.D + found.G + scale, expected.D + expected.G + scale);
  expect_same(found.K, expected.K);
  expect_same(found.B, expected.B);
  EXPECT_EQ(found.has_forces, expected.has_forces);
  const Linearization L(by_L), H(by_H);
  const Stability of_L = stability(L, expected, conserved_momenta(pair.lagrangian).momenta),
                  of_H = stability(H, found, conserved_momenta(pair.hamiltonian).momenta);
  EXPECT_EQ(of_H.verdict, of_L.verdict) << of_H.reason << "\n" << of_L.reason;
  EXPECT_EQ(of_H.reason, of_L.reason);
  ASSERT_EQ(of_H.spectrum.values.size(), of_L.spectrum.values.size());
  for (std::size_t k = 0; k < of_L.spectrum.values.size(); ++k)
    EXPECT_LE(std::abs(of_H.spectrum.values[k].value - of_L.spectrum.values[k].value), 1e-10 * of_L.spectrum.rate);
}

// Rows of A by differences of the acceleration, along a retraction and along velocities.
void expect_derivatives_of_the_flow(const Pair& pair) {
  const System system = derive(pair.hamiltonian);
  const LinearModel model = linearize(system, {0, pair.point, VectorXd::Zero(pair.point.size())});
  const Eigen::Index n = model.K.rows(), N = pair.point.size();
  const MatrixXd to_basis = linear::pseudo_inverse(model.basis);
  constexpr double h = 1e-4;
  const auto acceleration_at = [&](Eigen::Index j, double s) -> VectorXd {
    VectorXd q = pair.point, v = VectorXd::Zero(N);
    if (j < n)
      system.space().retract(pair.point, s * model.basis.col(j), q);
    else
      v = s * model.basis.col(j - n);
    return to_basis * acceleration(system, {0, q, v}, model.inputs);
  };
  MatrixXd rows(n, 2 * n);
  for (Eigen::Index j = 0; j < 2 * n; ++j)
    rows.col(j) = (8 * (acceleration_at(j, h) - acceleration_at(j, -h)) - acceleration_at(j, 2 * h) +
                   acceleration_at(j, -2 * h)) /
                  (12 * h);
  expect_same(model.first_order().A.bottomRows(n), rows, 1e-9);
}

TEST(HamiltonianLinearModel, IsThatOfItsLagrangianAtRest) {
  for (const double nothing : {0.0, 0.8})
    for (const double height : {-1.0, 1.0}) expect_same_linear_model(pendulum(1.3, 0.9, height, nothing));
  for (const double first : {-1.0, 1.0})
    for (const double second : {-1.0, 1.0}) expect_same_linear_model(double_pendulum(first, second));
  for (const double sign : {-1.0, 1.0}) expect_same_linear_model(torus(sign * M_PI / 2, 0));
  expect_same_linear_model(top(0));
  expect_same_linear_model(relativistic(0, 2.5));
}

TEST(HamiltonianLinearModel, IsThatOfItsLagrangianInUnitsOfAnySize) {
  for (const double m : {1e-24, 1e24})
    for (const double l : {1e-9, 1e9}) expect_same_linear_model(pendulum(m, l, -1, 0.8));
}

TEST(HamiltonianLinearModel, IsThatOfItsLagrangianInSteadyMotion) {
  for (const double nothing : {0.0, 0.8}) expect_same_linear_model(cone(nothing));
  for (const double spin : {2.0, -7.0, 40.0}) expect_same_linear_model(top(spin));
  expect_same_linear_model(relativistic(1.1, 2.5));
  // On the inside of the torus: (R + r cos) sin w^2 = g cos
  const double angle = 0.3;
  expect_same_linear_model(
      torus(-angle, std::sqrt(g * std::cos(angle) / ((2 + 0.6 * std::cos(angle)) * std::sin(angle)))));
}

TEST(HamiltonianLinearModel, HasTheDerivativesOfTheFlow) {
  for (const double nothing : {0.0, 0.8}) expect_derivatives_of_the_flow(pendulum(1.3, 0.9, -1, nothing));
  expect_derivatives_of_the_flow(double_pendulum(1, -1));
  expect_derivatives_of_the_flow(torus(-M_PI / 2, 0));
  expect_derivatives_of_the_flow(top(0));
  expect_derivatives_of_the_flow(relativistic(0, 2.5));
}

TEST(HamiltonianEquilibria, AreThoseOfTheLagrangian) {
  for (const Pair& pair : {pendulum(1.3, 0.9, -1, 0.8), double_pendulum(1, 1), torus(0, 0), top(0)}) {
    const Equilibria by_L = equilibria(derive(pair.lagrangian)), by_H = equilibria(derive(pair.hamiltonian));
    EXPECT_FALSE(by_L.found.empty());
    ASSERT_EQ(by_H.found.size(), by_L.found.size()) << by_H.remark << "\n" << by_L.remark;
    for (std::size_t k = 0; k < by_L.found.size(); ++k) {
      EXPECT_EQ(by_H.found[k].stability.verdict, by_L.found[k].stability.verdict);
      EXPECT_NEAR(by_H.found[k].energy, by_L.found[k].energy, 1e-9 * (1 + std::abs(by_L.found[k].energy)));
    }
  }
}

TEST(HamiltonianEquilibria, AtGivenMomentumAreThoseOfTheLagrangian) {
  const Pair pair = cone(0.8);
  const std::vector<ConservedMomentum> of_L = conserved_momenta(pair.lagrangian).momenta,
                                       of_H = conserved_momenta(pair.hamiltonian).momenta;
  ASSERT_EQ(of_L.size(), 1U);
  ASSERT_EQ(of_H.size(), 1U);
  const Equilibria by_L = equilibria(derive(pair.lagrangian), {.symmetry = &of_L[0], .momentum = 1.1}),
                   by_H = equilibria(derive(pair.hamiltonian), {.symmetry = &of_H[0], .momentum = 1.1});
  ASSERT_EQ(by_L.found.size(), 1U) << by_L.remark;
  ASSERT_EQ(by_H.found.size(), 1U) << by_H.remark;
  EXPECT_NEAR(by_H.found[0].rate, by_L.found[0].rate, 1e-9);
  EXPECT_EQ(by_H.found[0].stability.verdict, by_L.found[0].stability.verdict);
}

TEST(HamiltonianControl, HasTheGainsOfTheLagrangian) {
  const Pair pair = pendulum(1.3, 0.9, 1, 0.8);
  const State at{0, pair.point, Vector3d::Zero()};
  const LinearModel of_L = linearize(derive(pair.lagrangian), at), of_H = linearize(derive(pair.hamiltonian), at);
  expect_same(lqr(of_H).gain, lqr(of_L).gain, 1e-8);
}

// The momentum at rest is not zero, and P turns it as q moves: what H_q says alone is wrong.
TEST(HamiltonianEquilibria, AreClaimedWhereTheyAre) {
  Model model("pendulum");
  const Formula q = model.coordinate<S2>("q"), mu = model.momentum(q);
  const Formula potential = 0.6 * q.z() * unit_vector(0) + 0.3 * unit_vector(2);
  model.hamiltonian(0.5 * squared_norm(mu - potential) + g * q.z());
  const System system = derive(model);
  EXPECT_GT(Balance(system).at({0, Vector3d(0, 0, 1), Vector3d::Zero()}).imbalance, 1e-3);
  const Equilibria all = equilibria(system);
  ASSERT_EQ(all.found.size(), 2U);
  for (const Equilibrium& one : all.found) {
    EXPECT_LE(Balance(system).at(one.linear.at).imbalance, 1e-12);
    EXPECT_LE(acceleration(system, one.linear.at).norm(), 1e-12);
  }
}

// Each place is an equilibrium of x' = x, p' = -p, and no velocity says what p is.
TEST(HamiltonianLinearModel, IsRefusedWhereMomentaDoNotFollowFromVelocities) {
  Model model("stretch");
  const Formula x = model.coordinate("x", Rn(1)), p = model.momentum(x);
  model.hamiltonian(x.x() * p.x());
  const System system = derive(model);
  const std::string message = message_of<std::invalid_argument>([&] { equilibria(system); });
  EXPECT_NE(message.find("degenerate in its momenta"), std::string::npos) << message;
}

}  // namespace
}  // namespace hamel::test::linear_hamiltonian_test
