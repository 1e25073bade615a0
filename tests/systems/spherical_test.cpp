// Book chapter 5: systems on (S^2)^n, each against its equations in the four forms.
#include <Eigen/LU>
#include <cmath>
#include <hamel/manifold/s2.hpp>

#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"
#include "systems/models.hpp"

namespace hamel::test::spherical_test {
namespace {

const Vector3d e3(0, 0, 1);

Vector3d part(const VectorXd& x, int i) { return x.segment<3>(3 * i); }
Matrix3d P(const Vector3d& q) { return Matrix3d::Identity() - q * q.transpose(); }
VectorXd pair(const Vector3d& x, const Vector3d& y) { return stack({x, y}); }

// One body of inertia J about the pivot in a potential U(q): book (5.36) to (5.42), (5.47) to (5.53).
ByHand single_body(double J, const std::function<Vector3d(const Vector3d&)>& U_q) {
  ByHand hand;
  hand.velocity = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {
    return -v.squaredNorm() * q - P(q) * U_q(q) / J;
  };
  hand.omega = [=](const VectorXd& q, const VectorXd&) -> VectorXd { return -part(q, 0).cross(U_q(q)) / J; };
  hand.mu = [=](const VectorXd& q, const VectorXd& mu) -> Rates {
    return {mu / J, -mu.squaredNorm() / J * q - P(q) * U_q(q)};
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    return {part(pi, 0).cross(part(q, 0)) / J, -part(q, 0).cross(U_q(q))};
  };
  return hand;
}

TEST(SphericalSystems, SphericalPendulum) {
  expect_by_hand(spherical_pendulum(),
                 single_body(m * L * L, [](const Vector3d&) -> Vector3d { return m * g * L * e3; }));
}

Vector3d three_strings(const Vector3d& q) {
  const double a = L_rod / 2, b = L_rod / (2 * std::sqrt(3.0));
  Vector3d N = m_rod * g * L_rod / 2 * e3;
  for (const Vector3d& anchor : {Vector3d(-a, -b, 0), Vector3d(a, -b, 0), Vector3d(0, 2 * b, 0)}) {
    const Vector3d s = anchor - L_rod * q;
    if (s.norm() > L_rod) N -= L_rod * kappa_string * (s.norm() - L_rod) * s.normalized();
  }
  return N;
}

TEST(SphericalSystems, SphericalPendulumThreeStrings) {
  expect_by_hand(spherical_pendulum_three_strings(), single_body(J_rod, three_strings));
}

// A string is slack where z.q > L/6; the samples above must have the third one both slack and taut.
TEST(SphericalSystems, StringsAreSlackAndTautInTheSamples) {
  const System system = derive(spherical_pendulum_three_strings());
  int slack = 0;
  for (const State& state : random_samples(system).states) slack += L_rod / std::sqrt(3.0) * state.q(1) > L_rod / 6;
  EXPECT_GT(slack, 10);
  EXPECT_LT(slack, 90);
}

ByHand rotating_sphere() {
  const double ml2 = m * L * L;
  const Vector3d W = Omega * e3;
  const Matrix3d C = Vector3d(1, 1, 0).asDiagonal();
  ByHand hand;
  hand.velocity = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {  // book (5.43)
    return -v.squaredNorm() * q - P(q) * (2 * W.cross(part(v, 0)) - Omega * Omega * C * q);
  };
  hand.omega = [=](const VectorXd& q, const VectorXd& w) -> VectorXd {
    return Omega * q(2) * (2 * part(w, 0).cross(part(q, 0)) - Omega * part(q, 0).cross(e3));
  };
  hand.mu = [=](const VectorXd& q, const VectorXd& mu) -> Rates {  // book (5.45), (5.46)
    return {mu / ml2 - W.cross(part(q, 0)), -W.cross(part(mu, 0)) - mu.squaredNorm() / ml2 * q};
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {
    return {(part(pi, 0) / ml2 - W).cross(part(q, 0)), -W.cross(part(pi, 0))};
  };
  return hand;
}

TEST(SphericalSystems, ParticleRotatingSphere) { expect_by_hand(particle_rotating_sphere(), rotating_sphere()); }

// In space the momentum belongs to the directions in the rotating frame all the same.
TEST(SphericalSystems, ParticleRotatingSphereInSpace) {
  expect_by_hand(particle_rotating_sphere_in_space(), rotating_sphere());
}

TEST(SphericalSystems, TwoElasticSphericalPendulums) {
  const double ml2 = m * L * L;
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) {  // book (5.54), (5.55)
    const auto a = [&](int i, int j) -> Vector3d {
      return -part(v, i).squaredNorm() * part(q, i) + kappa / ml2 * P(part(q, i)) * part(q, j);
    };
    return pair(a(0, 1), a(1, 0));
  };
  const auto torque = [&](const VectorXd& q, int i, int j) -> Vector3d {
    return -kappa * part(q, j).cross(part(q, i));
  };
  hand.omega = [&](const VectorXd& q, const VectorXd&) {  // book (5.58), (5.59)
    return pair(torque(q, 0, 1) / ml2, torque(q, 1, 0) / ml2);
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {  // book (5.60) to (5.63)
    const auto rate = [&](int i, int j) -> Vector3d {
      return -part(mu, i).squaredNorm() / ml2 * part(q, i) + kappa * P(part(q, i)) * part(q, j);
    };
    return {mu / ml2, pair(rate(0, 1), rate(1, 0))};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (5.64) to (5.67)
    return {pair(part(pi, 0).cross(part(q, 0)) / ml2, part(pi, 1).cross(part(q, 1)) / ml2),
            pair(torque(q, 0, 1), torque(q, 1, 0))};
  };
  expect_by_hand(two_elastic_spherical_pendulums(), hand);
}

TEST(SphericalSystems, DoubleSphericalPendulum) {
  const double a = (m1 + m2) * L1 * L1, b = m2 * L1 * L2, c = m2 * L2 * L2, G1 = (m1 + m2) * g * L1, G2 = m2 * g * L2;
  const Matrix3d I = Matrix3d::Identity();
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  const auto mass = [&](const Vector3d& q1, const Vector3d& q2) {
    Matrix6d M;
    M << a * I, b * P(q1), b * P(q2), c * I;
    return M;
  };
  const auto angular_mass = [&](const Vector3d& q1, const Vector3d& q2) {
    Matrix6d M;
    M << a * I, b * hat(q1).transpose() * hat(q2), b * hat(q2).transpose() * hat(q1), c * I;
    return M;
  };
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) -> VectorXd {  // book (5.68)
    const Vector3d q1 = part(q, 0), q2 = part(q, 1);
    return linear::solve(mass(q1, q2), pair(-a * part(v, 0).squaredNorm() * q1 - G1 * P(q1) * e3,
                                            -c * part(v, 1).squaredNorm() * q2 - G2 * P(q2) * e3));
  };
  hand.omega = [&](const VectorXd& q, const VectorXd& w) -> VectorXd {  // book (5.71)
    const Vector3d q1 = part(q, 0), q2 = part(q, 1);
    const double n1 = part(w, 0).squaredNorm(), n2 = part(w, 1).squaredNorm();
    return linear::solve(angular_mass(q1, q2),
                         -pair(b * n2 * q2.cross(q1) + G1 * q1.cross(e3), b * n1 * q1.cross(q2) + G2 * q2.cross(e3)));
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {  // corrected book (5.73)
    const Vector3d q1 = part(q, 0), q2 = part(q, 1);
    const VectorXd v = linear::solve(mass(q1, q2), mu);
    const Vector3d v1 = part(v, 0), v2 = part(v, 1);
    return {v, pair(-a * v1.squaredNorm() * q1 - b * v1.dot(v2) * q1 - b * q1.dot(v2) * v1 - G1 * P(q1) * e3,
                    -c * v2.squaredNorm() * q2 - b * v1.dot(v2) * q2 - b * q2.dot(v1) * v2 - G2 * P(q2) * e3)};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (5.74), (5.75)
    const Vector3d q1 = part(q, 0), q2 = part(q, 1);
    const VectorXd w = linear::solve(angular_mass(q1, q2), pi);
    const Vector3d w1 = part(w, 0), w2 = part(w, 1), v1 = w1.cross(q1), v2 = w2.cross(q2);
    return {pair(v1, v2), pair(-b * q1.cross(w1.cross(v2)) + w1.cross(part(pi, 0)) + G1 * e3.cross(q1),
                               -b * q2.cross(w2.cross(v1)) + w2.cross(part(pi, 1)) + G2 * e3.cross(q2))};
  };
  expect_by_hand(double_spherical_pendulum(), hand);
}

}  // namespace
}  // namespace hamel::test::spherical_test
