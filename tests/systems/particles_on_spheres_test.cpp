// The examples of the paper on variational integrators on two-spheres, and others of the kind: unit vectors with a
// constant inertia in a potential, against their equations in the four forms.
#include <cmath>

#include "gallery/files.hpp"
#include "systems/chain.hpp"

namespace hamel::test::particles_on_spheres_test {
namespace {

constexpr double g = 9.81;
const Vector3d e1(1, 0, 0), e3(0, 0, 1);

Vector3d part(const VectorXd& x, int i) { return x.segment<3>(3 * i); }

// dU/dq_i
using Gradient = std::function<Vector3d(const VectorXd& q, int i)>;

void expect_by_hand(const Model& model, const MatrixXd& M, const Gradient& U_q, double tolerance = 1e-11) {
  Chain chain;
  chain.M = M;
  chain.E.resize(3, 0);
  chain.c = VectorXd::Zero(M.rows());
  chain.h.resize(0);
  chain.f = [=](const VectorXd& q) {
    VectorXd f(q.size());
    for (int i = 0; i < M.rows(); ++i) f.segment<3>(3 * i) = -U_q(q, i);
    return f;
  };
  const System system = derive(model);
  expect_equations(system, by_hand(chain), random_samples(system, 50), tolerance);
}

TEST(ParticlesOnSpheres, ThreeBodies) {
  const Vector3d m(1.2, 0.7, 0.9);
  constexpr double gamma = 1.3;
  const Gradient U_q = [=](const VectorXd& q, int i) {
    Vector3d sum(0, 0, 0);
    for (int j = 0; j < 3; ++j) {
      const double c = part(q, i).dot(part(q, j));
      if (j != i) sum -= gamma * m(i) * m(j) * std::pow(1 - c * c, -1.5) * part(q, j);
    }
    return sum;
  };
  expect_by_hand(from_gallery("three-bodies-on-sphere", {{"m", m}, {"gamma", gamma}}), m.asDiagonal(), U_q, 1e-9);
}

TEST(ParticlesOnSpheres, FourCoupledPendula) {
  constexpr double m = 0.1, l = 0.1;
  const Eigen::Vector4d kappa(10, 20, 30, 40);
  const std::array<Vector3d, 4> corners = {Vector3d(0, 0, 0), Vector3d(l, 0, 0), Vector3d(l, -l, 0),
                                           Vector3d(0, -l, 0)};
  const auto middle = [=](const VectorXd& q, int i) -> Vector3d {
    return corners[static_cast<std::size_t>(i)] + l / 2 * part(q, i);
  };
  const Gradient U_q = [=](const VectorXd& q, int i) {
    Vector3d sum = -m * g * l * e3;
    for (const int spring : {i, (i + 3) % 4}) {  // to the next, and from the one before
      const Vector3d apart = middle(q, i) - middle(q, spring == i ? (i + 1) % 4 : spring);
      sum += kappa(spring) * (apart.norm() - l) * l / 2 * apart.normalized();
    }
    return sum;
  };
  expect_by_hand(from_gallery("four-coupled-spherical-pendula"), m * l * l * MatrixXd::Identity(4, 4), U_q);
}

// The inertia as it is printed, and a squared energy of bending.
TEST(ParticlesOnSpheres, ElasticRodInPureBending) {
  constexpr int n = 4;
  const double m = 0.055 / (n + 1), l = 1.1 / (n + 1), kappa = 3;
  MatrixXd M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = m * l * l * (i == j ? 1. / 3 + n - 1 - i : (n - std::max(i, j)) / 2.);
  const auto bend = [](const VectorXd& q, int i) { return 1 - (i == 0 ? e1 : part(q, i - 1)).dot(part(q, i)); };
  const Gradient U_q = [=](const VectorXd& q, int i) {
    Vector3d sum = -m * g * l * (n - 0.5 - i) * e3 - kappa * bend(q, i) * (i == 0 ? e1 : part(q, i - 1));
    if (i + 1 < n) sum -= kappa * bend(q, i + 1) * part(q, i + 1);
    return sum;
  };
  expect_by_hand(from_gallery("elastic-rod-pure-bending", {{"n", n}, {"kappa", kappa}}), M, U_q);
}

TEST(ParticlesOnSpheres, MagneticDipoles) {
  constexpr double m = 0.05, l = 0.02, strength = 1e-7 * 0.01, edge = 1.2 * l;
  const auto place = [=](int i) { return Vector3d(edge * (i % 4), edge * (i / 4), 0); };
  const Gradient U_q = [=](const VectorXd& q, int i) {
    Vector3d sum(0, 0, 0);
    for (int j = 0; j < 16; ++j) {
      if (j == i) continue;
      const Vector3d r = place(i) - place(j), along = r.normalized();
      sum += strength / std::pow(r.norm(), 3) * (part(q, j) - 3 * along.dot(part(q, j)) * along);
    }
    return sum;
  };
  expect_by_hand(from_gallery("magnetic-dipoles"), m * l * l / 12 * MatrixXd::Identity(16, 16), U_q);
}

TEST(ParticlesOnSpheres, Molecules) {
  constexpr int n = 5;
  constexpr double sigma = 0.8, epsilon = 0.3;
  const Gradient U_q = [=](const VectorXd& q, int i) {
    Vector3d sum(0, 0, 0);
    for (int j = 0; j < n; ++j) {
      const double d2 = 2 - 2 * part(q, i).dot(part(q, j)), s = std::pow(sigma * sigma / d2, 3);
      if (j != i) sum += 4 * epsilon * (2 * s - 1) * 6 * s / d2 * part(q, j);  // ds/dq_i = 6 s q_j / d^2
    }
    return sum;
  };
  expect_by_hand(from_gallery("molecules-on-sphere", {{"n", n}, {"sigma", sigma}, {"epsilon", epsilon}}),
                 MatrixXd::Identity(n, n), U_q, 1e-9);
}

TEST(ParticlesOnSpheres, ChainOfRotors) {
  constexpr int n = 5;
  constexpr double inertia = 1.4, K = 0.9;
  const Gradient U_q = [=](const VectorXd& q, int i) -> Vector3d {
    return -K * (part(q, (i + 1) % n) + part(q, (i + n - 1) % n));
  };
  expect_by_hand(from_gallery("spin-chain", {{"n", n}, {"I", inertia}, {"K", K}}), inertia * MatrixXd::Identity(n, n),
                 U_q);
}

TEST(ParticlesOnSpheres, TriplePendulum) {
  const Vector3d m(1.0, 0.6, 0.4), l(0.8, 0.6, 0.5);
  const auto beyond = [=](int i) { return m.tail(3 - i).sum(); };
  MatrixXd M(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) M(i, j) = beyond(std::max(i, j)) * l(i) * l(j);
  expect_by_hand(from_gallery("triple-pendulum"), M,
                 [=](const VectorXd&, int i) -> Vector3d { return beyond(i) * g * l(i) * e3; });
}

// A particle at D q on an ellipsoid, or a bead on an ellipse: P { D^2 q'' + dU/dq } = 0 with q.q'' = -|q'|^2.
TEST(ParticlesOnSpheres, Ellipsoids) {
  const auto expect_on_ellipsoid = [](const Model& model, const VectorXd& a, const VectorXd& U_q) {
    const MatrixXd M = a.cwiseAbs2().asDiagonal();
    const auto solved = [=](const VectorXd& q, const VectorXd& tangent, double normal) -> VectorXd {
      const MatrixXd P = projector(q), N = MatrixXd::Identity(q.size(), q.size()) - P;
      return linear::solve(P * M + N, P * tangent + normal * q);
    };
    ByHand hand;
    hand.velocity = [=](const VectorXd& q, const VectorXd& v) { return solved(q, -U_q, -v.squaredNorm()); };
    hand.mu = [=](const VectorXd& q, const VectorXd& mu) -> Rates {
      const VectorXd v = solved(q, mu, 0), p = M * v;
      return {v, -projector(q) * U_q - q.dot(p) * v - v.dot(p) * q};
    };
    const System system = derive(model);
    expect_equations(system, hand, random_samples(system, 50));
  };
  const Vector3d a(1.5, 1.1, 0.7);
  expect_on_ellipsoid(from_gallery("s2-general", {{"a", a}}), a, Vector3d(0, 0, 0));
  const Vector2d b(1.5, 0.6);
  expect_on_ellipsoid(from_gallery("s1-general", {{"a", b}}), b, Vector2d(0, g * b(1)));
}

// Subspaces: x'' = -P dU/dx, book (8.22) and the paper on embedded manifolds, section 3.1.
TEST(ParticlesOnSubspaces, TodaLattice) {
  constexpr double m = 1.3, k = 0.8;
  const Matrix3d P = Matrix3d::Identity() - Matrix3d::Ones() / 3;
  const auto force = [=](const VectorXd& x) -> VectorXd {
    const Vector3d e = Vector3d(x(0) - x(1), x(1) - x(2), x(2) - x(0)).array().exp();
    return -k * P * Vector3d(e(0) - e(2), e(1) - e(0), e(2) - e(1));
  };
  ByHand hand;
  hand.velocity = [=](const VectorXd& x, const VectorXd&) -> VectorXd { return force(x) / m; };
  hand.mu = [=](const VectorXd& x, const VectorXd& mu) -> Rates { return {mu / m, force(x)}; };
  const System system = derive(from_gallery("subspace-dynamics", {{"m", m}, {"k", k}}));
  expect_equations(system, hand, random_samples(system, 50));
}

TEST(ParticlesOnSubspaces, PlaneAndLine) {
  const Matrix2d m{{1.0, 0.3}, {0.3, 0.5}};
  constexpr double kappa = 4;
  const Matrix3d P1 = Matrix3d::Identity() - Matrix3d::Ones() / 3, P2{{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0, 0, 0}};
  MatrixXd K(6, 6);
  K << m(0, 0) * Matrix3d::Identity(), m(0, 1) * P1, m(1, 0) * P2, m(1, 1) * Matrix3d::Identity();
  const auto force = [=](const VectorXd& x) {
    const Vector3d pull = kappa * (x.tail<3>() - x.head<3>());
    return stack({P1 * pull, -P2 * pull});
  };
  ByHand hand;
  hand.velocity = [=](const VectorXd& x, const VectorXd&) -> VectorXd { return linear::solve(K, force(x)); };
  hand.mu = [=](const VectorXd& x, const VectorXd& mu) -> Rates { return {linear::solve(K, mu), force(x)}; };
  const System system = derive(from_gallery("product-linear-manifolds", {{"m", m}, {"kappa", kappa}}));
  expect_equations(system, hand, random_samples(system, 50));
}

}  // namespace
}  // namespace hamel::test::particles_on_spheres_test
