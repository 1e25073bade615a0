// Book 9.2 to 9.4: products of R^2, S^1 and S^2, against their equations in the four forms.
#include <Eigen/LU>

#include "hamel/linear/dense.hpp"
#include "systems/bodies.hpp"
#include "systems/models.hpp"

namespace hamel::test::cart_test {
namespace {

const Vector3d e3(0, 0, 1);
const Matrix2d S = quarter_turn();
const Matrix2d I2 = Matrix2d::Identity();
const Matrix3d I3 = Matrix3d::Identity();

// The rate of mu = P p where f is the force on q.
VectorXd mu_rate(const VectorXd& q, const VectorXd& v, const VectorXd& p, const VectorXd& f) {
  return projector(q) * f - q.dot(p) * v - v.dot(p) * q;
}

// (x, q) on R^2 x S^1.
TEST(CartSystems, HorizontalPendulumOnCart) {
  const double total = m_cart + m, k = m * L, ml2 = m * L * L;
  const auto angular_mass = [&](const Vector2d& q) {
    Matrix3d A;
    A << total * I2, k * S * q, k * (S * q).transpose(), ml2;
    return A;
  };
  const auto mass = [&](const Vector2d& q) {
    Eigen::Matrix4d A;
    A << total * I2, k * I2, k * projector(q), ml2 * I2;
    return A;
  };
  ByHand hand;
  hand.velocity = [&](const VectorXd& y, const VectorXd& v) -> VectorXd {
    const Vector2d q = y.tail<2>();
    return linear::solve(mass(q), stack({Vector2d(0, 0), -ml2 * v.tail<2>().squaredNorm() * q}));
  };
  hand.omega = [&](const VectorXd& y, const VectorXd& w) -> VectorXd {  // book (9.6)
    const Vector2d q = y.tail<2>();
    return linear::solve(angular_mass(q), stack({k * w(2) * w(2) * q, VectorXd::Zero(1)}));
  };
  hand.mu = [&](const VectorXd& y, const VectorXd& mu) -> Rates {
    const Vector2d q = y.tail<2>();
    const VectorXd v = linear::solve(mass(q), mu);
    const Vector2d p = k * (v.head<2>() + L * v.tail<2>());
    return {v, stack({Vector2d(0, 0), mu_rate(q, v.tail<2>(), p, Vector2d(0, 0))})};
  };
  hand.pi = [&](const VectorXd& y,
                const VectorXd& momenta) -> Rates {  // book (9.7) to (9.9), with their explicit inverse
    const Vector2d q = y.tail<2>(), p = momenta.head<2>(), n = S * q;
    const double pi = momenta(2);
    const Vector2d x_rate = (m_cart * p + m * n * n.dot(p)) / (m_cart * total) - n * pi / (m_cart * L);
    const double omega = -n.dot(p) / (m_cart * L) + total / (m_cart * m * L * L) * pi;
    const double pi_rate = (m / (m_cart * total) * n.dot(p) - pi / (m_cart * L)) * q.dot(p);
    return {stack({x_rate, omega * n}), Vector3d(0, 0, pi_rate)};
  };
  expect_by_hand(horizontal_pendulum_on_cart(), hand);
}

// (q1, q2) on S^1 x S^2; the first link moves in the plane of axes 2 and 3.
struct PlanarSpherical {
  double a = (m1 + m2) * L1 * L1, b = m2 * L1 * L2, c = m2 * L2 * L2, G1 = (m1 + m2) * g * L1, G2 = m2 * g * L2;
  Eigen::Matrix<double, 3, 2> Q = I3.rightCols<2>();

  Eigen::Matrix4d angular_mass(const Vector2d& q1, const Vector3d& q2) const {
    Eigen::Matrix4d A;
    const Vector3d coupling = -b * hat(q2).transpose() * Q * S * q1;
    A << a, coupling.transpose(), coupling, c * I3;
    return A;
  }
  Eigen::Matrix<double, 5, 5> mass(const Vector2d& q1, const Vector3d& q2) const {
    Eigen::Matrix<double, 5, 5> A;
    A << a * I2, b * projector(q1) * Q.transpose(), b * projector(q2) * Q, c * I3;
    return A;
  }
};

TEST(CartSystems, PlanarSphericalPendulum) {
  const PlanarSpherical links;
  const Vector2d up(0, 1);
  ByHand hand;
  hand.velocity = [&](const VectorXd& y, const VectorXd& v) -> VectorXd {
    const Vector2d q1 = y.head<2>();
    const Vector3d q2 = y.tail<3>();
    return linear::solve(links.mass(q1, q2),
                         stack({-links.a * v.head<2>().squaredNorm() * q1 - links.G1 * projector(q1) * up,
                                -links.c * v.tail<3>().squaredNorm() * q2 - links.G2 * projector(q2) * e3}));
  };
  hand.omega = [&](const VectorXd& y, const VectorXd& w) -> VectorXd {  // book (9.13)
    const Vector2d q1 = y.head<2>();
    const Vector3d q2 = y.tail<3>(), w2 = w.tail<3>(), n = links.Q * S * q1;
    Eigen::Vector4d rhs;
    rhs << -links.b * n.dot(w2.cross(w2.cross(q2))) - links.G1 * e3.dot(n),
        links.b * w(0) * w(0) * q2.cross(links.Q * q1) - links.G2 * q2.cross(e3);
    return linear::solve(links.angular_mass(q1, q2), rhs);
  };
  hand.mu = [&](const VectorXd& y, const VectorXd& mu) -> Rates {
    const Vector2d q1 = y.head<2>();
    const Vector3d q2 = y.tail<3>();
    const VectorXd v = linear::solve(links.mass(q1, q2), mu);
    const Vector2d v1 = v.head<2>(), p1 = links.a * v1 + links.b * links.Q.transpose() * v.tail<3>();
    const Vector3d v2 = v.tail<3>(), p2 = links.b * links.Q * v1 + links.c * v2;
    return {v, stack({mu_rate(q1, v1, p1, -links.G1 * up), mu_rate(q2, v2, p2, -links.G2 * e3)})};
  };
  hand.pi = [&](const VectorXd& y, const VectorXd& pi) -> Rates {  // book (9.14), (9.15)
    const Vector2d q1 = y.head<2>();
    const Vector3d q2 = y.tail<3>(), n = links.Q * S * q1;
    const VectorXd w = linear::solve(links.angular_mass(q1, q2), pi);
    const Vector3d w2 = w.tail<3>(), v2 = w2.cross(q2);
    Eigen::Vector4d rate;
    rate << -links.b * w(0) * w2.dot(q2.cross(links.Q * q1)) - links.G1 * e3.dot(n),
        links.b * w(0) * v2.cross(n) - links.G2 * q2.cross(e3);
    return {stack({w(0) * S * q1, v2}), rate};
  };
  expect_by_hand(planar_spherical_pendulum(), hand);
}

// (q, x) on S^2 x R^2.
TEST(CartSystems, SphericalPendulumOnCart) {
  const double total = m_cart + m, k = m * L, ml2 = m * L * L, G = m * g * L;
  const Eigen::Matrix<double, 3, 2> C = I3.leftCols<2>();
  using Matrix5d = Eigen::Matrix<double, 5, 5>;
  const auto angular_mass = [&](const Vector3d& q) {
    Matrix5d A;
    A << ml2 * I3, k * hat(q) * C, -k * C.transpose() * hat(q), total * I2;
    return A;
  };
  const auto mass = [&](const Vector3d& q) {
    Matrix5d A;
    A << ml2 * I3, k * projector(q) * C, k * C.transpose(), total * I2;
    return A;
  };
  const Vector2d none(0, 0);
  ByHand hand;
  hand.velocity = [&](const VectorXd& y, const VectorXd& v) -> VectorXd {
    const Vector3d q = y.head<3>();
    return linear::solve(mass(q), stack({-ml2 * v.head<3>().squaredNorm() * q - G * projector(q) * e3, none}));
  };
  hand.omega = [&](const VectorXd& y, const VectorXd& w) -> VectorXd {  // book (9.17)
    const Vector3d q = y.head<3>(), omega = w.head<3>();
    return linear::solve(angular_mass(q), stack({-G * q.cross(e3), -k * C.transpose() * omega.cross(omega.cross(q))}));
  };
  hand.mu = [&](const VectorXd& y, const VectorXd& mu) -> Rates {
    const Vector3d q = y.head<3>();
    const VectorXd v = linear::solve(mass(q), mu);
    const Vector3d p = k * (C * v.tail<2>() + L * v.head<3>());
    return {v, stack({mu_rate(q, v.head<3>(), p, -G * e3), none})};
  };
  hand.pi = [&](const VectorXd& y, const VectorXd& pi) -> Rates {
    const Vector3d q = y.head<3>();
    const VectorXd w = linear::solve(angular_mass(q), pi);
    const Vector3d q_rate = w.head<3>().cross(q), cart = C * w.tail<2>();
    return {stack({q_rate, w.tail<2>()}), stack({k * q_rate.cross(cart) - G * q.cross(e3), none})};
  };
  expect_by_hand(spherical_pendulum_on_cart(), hand);
}

}  // namespace
}  // namespace hamel::test::cart_test
