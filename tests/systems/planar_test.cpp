// Book chapter 4: systems on (S^1)^n, each against its equations in the four forms.
#include <Eigen/LU>
#include <hamel/manifold/s1.hpp>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"
#include "systems/models.hpp"

namespace hamel::test::planar_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix4d;

const Vector2d e1(1, 0), e2(0, 1);
const Matrix2d S = quarter_turn();
const Matrix2d I = Matrix2d::Identity();

Vector2d part(const VectorXd& x, int i) { return x.segment<2>(2 * i); }
Matrix2d P(const Vector2d& q) { return I - q * q.transpose(); }
VectorXd scalar(double x) { return VectorXd::Constant(1, x); }
VectorXd pair(double x, double y) { return Vector2d(x, y); }
VectorXd pair(const Vector2d& x, const Vector2d& y) { return stack({x, y}); }

TEST(PlanarSystems, PlanarPendulum) {
  const double ml2 = m * L * L, mgl = m * g * L;
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) -> VectorXd {  // book (4.31)
    return -v.squaredNorm() * q - mgl / ml2 * P(q) * e2;
  };
  hand.omega = [&](const VectorXd& q, const VectorXd&) { return scalar(-mgl * q(0) / ml2); };  // book (4.33)
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {                              // book (4.34), (4.35)
    return {mu / ml2, -mu.squaredNorm() / ml2 * q - mgl * P(q) * e2};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (4.36), (4.37)
    return {pi(0) / ml2 * S * q, scalar(-mgl * q(0))};
  };
  expect_by_hand(planar_pendulum(), hand);
}

TEST(PlanarSystems, SecondOrderField) {
  ByHand hand;
  hand.velocity = [](const VectorXd& x, const VectorXd& v) -> VectorXd {  // book 1.3.5.5
    const double lambda = -(v.squaredNorm() + x(0)) / 2;
    return e1 + 2 * lambda * x;
  };
  expect_by_hand(from_gallery("vf-ts1-dae2"), hand);
}

ByHand rotating_hoop() {
  const double ml2 = m * L * L, w2 = Omega * Omega;
  ByHand hand;
  hand.velocity = [=](const VectorXd& q, const VectorXd& v) -> VectorXd {  // book (4.38)
    return -v.squaredNorm() * q + w2 * q(0) * P(q) * e1;
  };
  hand.omega = [=](const VectorXd& q, const VectorXd&) { return scalar(-w2 * q(0) * q(1)); };  // book (4.40)
  hand.mu = [=](const VectorXd& q, const VectorXd& mu) -> Rates {                              // book (4.41), (4.42)
    return {mu / ml2, -mu.squaredNorm() / ml2 * q + ml2 * w2 * q(0) * P(q) * e1};
  };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (4.43), (4.44)
    return {pi(0) / ml2 * S * q, scalar(-ml2 * w2 * q(0) * q(1))};
  };
  return hand;
}

TEST(PlanarSystems, ParticleRotatingHoop) { expect_by_hand(particle_rotating_hoop(), rotating_hoop()); }
TEST(PlanarSystems, ParticleRotatingHoopInSpace) { expect_by_hand(particle_rotating_hoop_in_space(), rotating_hoop()); }

TEST(PlanarSystems, TwoElasticPlanarPendulums) {
  const double ml2 = m * L * L;
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) {  // book (4.45), (4.46)
    const auto a = [&](int i, int j) -> Vector2d {
      return -part(v, i).squaredNorm() * part(q, i) + kappa / ml2 * P(part(q, i)) * part(q, j);
    };
    return pair(a(0, 1), a(1, 0));
  };
  const auto torque = [&](const VectorXd& q, int i, int j) { return -kappa * part(q, i).dot(S * part(q, j)); };
  hand.omega = [&](const VectorXd& q, const VectorXd&) {  // book (4.49), (4.50)
    return pair(torque(q, 0, 1) / ml2, torque(q, 1, 0) / ml2);
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {  // book (4.51) to (4.54)
    const auto rate = [&](int i, int j) -> Vector2d {
      return -part(mu, i).squaredNorm() / ml2 * part(q, i) + kappa * P(part(q, i)) * part(q, j);
    };
    return {mu / ml2, pair(rate(0, 1), rate(1, 0))};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (4.55) to (4.58)
    return {pair(pi(0) / ml2 * S * part(q, 0), pi(1) / ml2 * S * part(q, 1)), pair(torque(q, 0, 1), torque(q, 1, 0))};
  };
  expect_by_hand(two_elastic_planar_pendulums(), hand);
}

// Two links in a plane, and what they have in common with the robot.
struct TwoLinks {
  double a = (m1 + m2) * L1 * L1, b = m2 * L1 * L2, c = m2 * L2 * L2, G1 = (m1 + m2) * g * L1, G2 = m2 * g * L2;

  Matrix4d mass(const Vector2d& q1, const Vector2d& q2) const {
    Matrix4d M;
    M << a * I, b * P(q1), b * P(q2), c * I;
    return M;
  }
  Matrix2d scalar_mass(const Vector2d& q1, const Vector2d& q2) const {
    return Matrix2d{{a, b * q1.dot(q2)}, {b * q1.dot(q2), c}};
  }

  // Corrected book (4.59); f are further forces, projected.
  VectorXd acceleration(const Vector2d& q1, const Vector2d& q2, const Vector2d& v1, const Vector2d& v2,
                        const Vector2d& f1, const Vector2d& f2) const {
    return linear::solve(mass(q1, q2), pair(f1 - a * v1.squaredNorm() * q1 - G1 * P(q1) * e2,
                                            f2 - c * v2.squaredNorm() * q2 - G2 * P(q2) * e2));
  }
  // Corrected book (4.62).
  Vector2d angular(const Vector2d& q1, const Vector2d& q2, double w1, double w2, const Vector2d& torque) const {
    const double s = b * q1.dot(S * q2);
    const Vector2d rhs = torque - Vector2d(s * w2 * w2, -s * w1 * w1) - Vector2d(G1 * q1(0), G2 * q2(0));
    return linear::solve(scalar_mass(q1, q2), rhs);
  }
  // Corrected book (4.64).
  VectorXd mu_rate(const Vector2d& q1, const Vector2d& q2, const Vector2d& v1, const Vector2d& v2) const {
    const double v12 = v1.dot(v2);
    return pair(-a * v1.squaredNorm() * q1 - b * v12 * q1 - b * q1.dot(v2) * v1 - G1 * P(q1) * e2,
                -c * v2.squaredNorm() * q2 - b * v12 * q2 - b * q2.dot(v1) * v2 - G2 * P(q2) * e2);
  }
  // Corrected book (4.66).
  Vector2d pi_rate(const Vector2d& q1, const Vector2d& q2, double w1, double w2) const {
    const double s = b * w1 * w2 * q1.dot(S * q2);
    return {-s - G1 * q1(0), s - G2 * q2(0)};
  }
};

TEST(PlanarSystems, DoublePlanarPendulum) {
  const TwoLinks links;
  const Vector2d none(0, 0);
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) {
    return links.acceleration(part(q, 0), part(q, 1), part(v, 0), part(v, 1), none, none);
  };
  hand.omega = [&](const VectorXd& q, const VectorXd& w) {
    return links.angular(part(q, 0), part(q, 1), w(0), w(1), none);
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {
    const VectorXd v = linear::solve(links.mass(part(q, 0), part(q, 1)), mu);  // book (4.63)
    return {v, links.mu_rate(part(q, 0), part(q, 1), part(v, 0), part(v, 1))};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {
    const Vector2d q1 = part(q, 0), q2 = part(q, 1), w = linear::solve(links.scalar_mass(q1, q2), pi);  // book (4.65)
    return {pair(w(0) * S * q1, w(1) * S * q2), links.pi_rate(q1, q2, w(0), w(1))};
  };
  expect_by_hand(double_planar_pendulum(), hand);
}

TEST(PlanarSystems, ParticleOnTorus) {
  const double r = r_torus;
  const auto radius = [&](const VectorXd& q) { return R_torus + r * q(2); };
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) {  // book (4.67), (4.68)
    const double rho = radius(q);
    const Vector2d q1 = part(q, 0), q2 = part(q, 1), v1 = part(v, 0), v2 = part(v, 1);
    return pair(-v1.squaredNorm() * q1 - 2 * r / rho * v2(0) * v1,
                -v2.squaredNorm() * q2 + rho / r * v1.squaredNorm() * P(q2) * e1 - g / r * P(q2) * e2);
  };
  hand.omega = [&](const VectorXd& q, const VectorXd& w) {  // book (4.71), (4.72)
    const double rho = radius(q);
    return pair(2 * r / rho * q(3) * w(0) * w(1), -rho / r * q(3) * w(0) * w(0) - g / r * q(2));
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {  // book (4.73) to (4.76)
    const double rho = radius(q), n1 = part(mu, 0).squaredNorm(), n2 = part(mu, 1).squaredNorm();
    const Vector2d q1 = part(q, 0), q2 = part(q, 1);
    return {pair(part(mu, 0) / (m * rho * rho), part(mu, 1) / (m * r * r)),
            pair(-n1 / (m * rho * rho) * q1,
                 r * n1 / (m * rho * rho * rho) * P(q2) * e1 - n2 / (m * r * r) * q2 - m * g * r * P(q2) * e2)};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // book (4.77) to (4.80)
    const double rho = radius(q);
    return {pair(pi(0) / (m * rho * rho) * S * part(q, 0), pi(1) / (m * r * r) * S * part(q, 1)),
            pair(0.0, -r * pi(0) * pi(0) / (m * rho * rho * rho) * q(3) - m * g * r * q(2))};
  };
  expect_by_hand(particle_on_torus(), hand);
}

struct Furuta {
  double m22 = m2 * L2 * L2, k = m2 * L1 * L2, G = m2 * g * L2;

  double m11(const Vector2d& q2) const { return (m1 + m2) * L1 * L1 + m22 * q2(0) * q2(0); }
  Matrix2d m12(const Vector2d& q1, const Vector2d& q2) const {
    return m2 * L2 * (L1 * S + L2 * q2(0) * I) * q1 * e1.transpose();
  }
  Matrix2d m12_rate(const Vector2d& q1, const Vector2d& q2, const Vector2d& v1, const Vector2d& v2) const {
    return m12(v1, q2) + m22 * v2(0) * q1 * e1.transpose();
  }
  Vector2d T_q1(const Vector2d& q2, const Vector2d& v1, const Vector2d& v2) const {
    return m2 * L2 * v2(0) * (L1 * S + L2 * q2(0) * I).transpose() * v1;
  }
  Vector2d T_q2(const Vector2d& q1, const Vector2d& q2, const Vector2d& v1, const Vector2d& v2) const {
    return m22 * (q2(0) * v1.squaredNorm() + v2(0) * v1.dot(q1)) * e1;
  }
  Matrix2d scalar_mass(const Vector2d& q2) const { return Matrix2d{{m11(q2), -k * q2(1)}, {-k * q2(1), m22}}; }
};

TEST(PlanarSystems, FurutaPendulum) {
  const Furuta furuta;
  const double m22 = furuta.m22, k = furuta.k, G = furuta.G;
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) -> VectorXd {  // book (4.81), (4.82)
    const Vector2d q1 = part(q, 0), q2 = part(q, 1), v1 = part(v, 0), v2 = part(v, 1);
    const double m11 = furuta.m11(q2);
    const Matrix2d m12 = furuta.m12(q1, q2), m12_rate = furuta.m12_rate(q1, q2, v1, v2);
    const Vector2d F1 = 2 * m22 * q2(0) * v2(0) * v1 + m12_rate * v2 - furuta.T_q1(q2, v1, v2);
    const Vector2d F2 = m12_rate.transpose() * v1 - furuta.T_q2(q1, q2, v1, v2);
    Matrix4d M;
    M << m11 * I, P(q1) * m12, P(q2) * m12.transpose(), m22 * I;
    return linear::solve(
        M, -pair(m11 * v1.squaredNorm() * q1 + P(q1) * F1, m22 * v2.squaredNorm() * q2 + P(q2) * (F2 + G * e2)));
  };
  hand.omega = [&](const VectorXd& q, const VectorXd& w) -> VectorXd {  // corrected book (4.85), (4.86)
    const double c = q(2), s = q(3);
    return linear::solve(furuta.scalar_mass(part(q, 1)),
                         pair(2 * m22 * c * s * w(0) * w(1) + k * c * w(1) * w(1), -m22 * c * s * w(0) * w(0) - G * c));
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {  // corrected book (4.87) to (4.90)
    const Vector2d q1 = part(q, 0), q2 = part(q, 1);
    const double m11 = furuta.m11(q2);
    const Matrix2d m12 = furuta.m12(q1, q2);
    Matrix4d M;
    M << m11 * I, P(q1) * m12 * P(q2), P(q2) * m12.transpose() * P(q1), m22 * I;
    const VectorXd v = linear::solve(M, mu);
    const Vector2d v1 = part(v, 0), v2 = part(v, 1), p1 = m11 * v1 + m12 * v2, p2 = m12.transpose() * v1 + m22 * v2;
    return {v, pair(P(q1) * furuta.T_q1(q2, v1, v2) - q1.dot(p1) * v1 - v1.dot(p1) * q1,
                    P(q2) * (furuta.T_q2(q1, q2, v1, v2) - G * e2) - q2.dot(p2) * v2 - v2.dot(p2) * q2)};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // corrected book (4.91) to (4.94)
    const Vector2d w = linear::solve(furuta.scalar_mass(part(q, 1)), pi);
    const double c = q(2), s = q(3);
    return {pair(w(0) * S * part(q, 0), w(1) * S * part(q, 1)),
            pair(0.0, -m22 * c * s * w(0) * w(0) - k * c * w(0) * w(1) - G * c)};
  };
  expect_by_hand(furuta_pendulum(), hand);
}

// The base of the robot: M00(q1, q2) and half its gradients.
struct Base {
  double rho1, rho2, M00;
  Vector2d half1, half2;
  Base(const Vector2d& q1, const Vector2d& q2)
      : rho1(L1 * q1(0)),
        rho2(L1 * q1(0) + L2 * q2(0)),
        M00(J_base + m1 * rho1 * rho1 + m2 * rho2 * rho2),
        half1(L1 * (m1 * rho1 + m2 * rho2) * e1),
        half2(m2 * L2 * rho2 * e1) {}
  double rate(const Vector2d& v1, const Vector2d& v2) const { return 2 * (half1.dot(v1) + half2.dot(v2)); }
};

TEST(PlanarSystems, RevoluteRobot) {
  const TwoLinks links;
  ByHand hand;
  hand.velocity = [&](const VectorXd& q, const VectorXd& v) {  // corrected book (4.95)
    const Vector2d q1 = part(q, 1), q2 = part(q, 2), v1 = part(v, 1), v2 = part(v, 2);
    const Base base(q1, q2);
    const double n0 = part(v, 0).squaredNorm();
    return stack({-n0 * part(q, 0) - base.rate(v1, v2) / base.M00 * part(v, 0),
                  links.acceleration(q1, q2, v1, v2, n0 * P(q1) * base.half1, n0 * P(q2) * base.half2)});
  };
  hand.omega = [&](const VectorXd& q, const VectorXd& w) {  // corrected book (4.99)
    const Vector2d q1 = part(q, 1), q2 = part(q, 2);
    const Base base(q1, q2);
    const double rate = base.rate(w(1) * S * q1, w(2) * S * q2);
    const Vector2d torque = -w(0) * w(0) * Vector2d(base.half1(0) * q1(1), base.half2(0) * q2(1));
    return stack({scalar(-rate * w(0) / base.M00), links.angular(q1, q2, w(1), w(2), torque)});
  };
  hand.mu = [&](const VectorXd& q, const VectorXd& mu) -> Rates {  // corrected book (4.101)
    const Vector2d q1 = part(q, 1), q2 = part(q, 2);
    const Base base(q1, q2);
    const Vector2d v0 = part(mu, 0) / base.M00;
    const VectorXd v = linear::solve(links.mass(q1, q2), mu.tail(4));
    const VectorXd pull = v0.squaredNorm() * pair(P(q1) * base.half1, P(q2) * base.half2);
    return {stack({v0, v}),
            stack({-base.M00 * v0.squaredNorm() * part(q, 0), links.mu_rate(q1, q2, part(v, 0), part(v, 1)) + pull})};
  };
  hand.pi = [&](const VectorXd& q, const VectorXd& pi) -> Rates {  // corrected book (4.103)
    const Vector2d q1 = part(q, 1), q2 = part(q, 2);
    const Base base(q1, q2);
    const double w0 = pi(0) / base.M00;
    const Vector2d w = linear::solve(links.scalar_mass(q1, q2), pi.tail(2));
    const Vector2d pull = -w0 * w0 * Vector2d(base.half1(0) * q1(1), base.half2(0) * q2(1));
    return {stack({w0 * S * part(q, 0), w(0) * S * q1, w(1) * S * q2}),
            stack({scalar(0), links.pi_rate(q1, q2, w(0), w(1)) + pull})};
  };
  expect_by_hand(revolute_robot(), hand);
}

}  // namespace
}  // namespace hamel::test::planar_test
