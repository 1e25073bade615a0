// Linear equations that the texts print, in their corrected form (docs/errata.md): matrices by hand.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "gallery/files.hpp"
#include "hamel/analyze/equilibria.hpp"

namespace hamel::test::printed_linear_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double g = 9.81;

State rest(const VectorXd& q) { return {0, q, VectorXd::Zero(q.size())}; }

void expect_matrix(const MatrixXd& a, const MatrixXd& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-12 * (1 + b.cwiseAbs().maxCoeff())) << a << "\nfor\n" << b;
}

Matrix3d hat(const Vector3d& x) { return (Matrix3d() << 0, -x(2), x(1), x(2), 0, -x(0), -x(1), x(0), 0).finished(); }

// Proposition 2 of the paper on the chain on a cart, for every s; here s = 1 is up.
TEST(PrintedLinearEquations, OfAChainOnACartForAllSigns) {
  constexpr int n = 5;
  constexpr double cart = 0.5, m = 0.1, l = 0.2;
  const System system = derive(from_gallery("chain-pendulum-on-cart"));
  const Linearization linearization(system);
  for (int signs = 0; signs < 1 << n; ++signs) {
    VectorXd q = VectorXd::Zero(2 + 3 * n);
    MatrixXd M = MatrixXd::Zero(1 + n, 1 + n), K = M;  // in one horizontal direction
    M(0, 0) = cart + n * m;
    for (int i = 0; i < n; ++i) {
      const double s = (signs >> i & 1) != 0 ? 1 : -1;
      q(2 + 3 * i + 2) = s;
      M(0, 1 + i) = M(1 + i, 0) = (n - i) * m * l;
      for (int j = 0; j < n; ++j) M(1 + i, 1 + j) = (n - std::max(i, j)) * m * l * l;
      K(1 + i, 1 + i) = -s * (n - i) * m * g * l;
    }
    const LinearModel linear = linearization.at(rest(q));
    MatrixXd turned(2 + 2 * n, 2 + 2 * n);  // from horizontal parts, x and y after one another, to the basis
    turned.setZero();
    turned.topLeftCorner(2, 2) = linear.basis.topLeftCorner(2, 2);
    for (int i = 0; i < n; ++i)
      turned.block(2 + 2 * i, 2 + 2 * i, 2, 2) = linear.basis.block(2 + 3 * i, 2 + 2 * i, 2, 2);
    MatrixXd both_M(2 + 2 * n, 2 + 2 * n), both_K = both_M;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        both_M.block(2 * i, 2 * j, 2, 2) = M(i, j) * Eigen::Matrix2d::Identity();
        both_K.block(2 * i, 2 * j, 2, 2) = K(i, j) * Eigen::Matrix2d::Identity();
      }
    expect_matrix(linear.M, turned.transpose() * both_M * turned);
    expect_matrix(linear.K, turned.transpose() * both_K * turned);
    expect_matrix(linear.G, MatrixXd::Zero(2 + 2 * n, 2 + 2 * n));
  }
}

// 5.6.4: two pairs +-i sqrt(2 kappa/(m L^2)) in phase, real ones out of phase, and four zeros that the rotations cause.
TEST(PrintedLinearEquations, OfTwoElasticSphericalPendulums) {
  constexpr double rate = 2.8284271247461903;  // sqrt(2 * 4)
  const System system = derive(from_gallery("two-elastic-spherical-pendulums"));
  const Linearization linearization(system);
  const Vector3d along(0.36, 0.48, 0.8);
  for (const double side : {1.0, -1.0}) {
    VectorXd q(6);
    q << along, side * along;
    const auto [linear, found] = examined(linearization, rest(q));
    EXPECT_EQ(found.verdict, side > 0 ? Verdict::stable_modulo_symmetry : Verdict::unstable) << found.reason;
    EXPECT_EQ(found.spectrum.zero().algebraic, 4);
    EXPECT_EQ(found.spectrum.zero().geometric, 2);
    ASSERT_EQ(found.spectrum.values.size(), 3U);
    const std::complex<double> expected = side > 0 ? std::complex<double>(0, rate) : std::complex<double>(rate, 0);
    EXPECT_LE(std::abs(found.spectrum.rightmost().value - expected), 1e-12);
    EXPECT_EQ(found.spectrum.rightmost().algebraic, 2);
  }
}

// 9.3: in the plane of the first link a double pendulum, across it the second link alone.
TEST(PrintedLinearEquations, OfAPlanarAndASphericalPendulum) {
  constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4;
  const System system = derive(from_gallery("planar-spherical-pendulum"));
  const Linearization linearization(system);
  for (const double s1 : {-1.0, 1.0})
    for (const double s2 : {-1.0, 1.0}) {
      const Eigen::Matrix2d M{{(m1 + m2) * l1 * l1, m2 * l1 * l2}, {m2 * l1 * l2, m2 * l2 * l2}};
      const Eigen::Matrix2d K = Eigen::Vector2d(-s1 * (m1 + m2) * g * l1, -s2 * m2 * g * l2).asDiagonal();
      const Eigen::Matrix2d A = M.inverse() * K;
      const double half = A.trace() / 2, root = std::sqrt(half * half - A.determinant());
      VectorXd q(5);
      q << 0, s1, 0, 0, s2;
      const auto [linear, found] = examined(linearization, rest(q));
      ASSERT_EQ(found.spectrum.values.size(), 6U);
      for (const double square : {-half - root, -half + root, s2 * g / l2})
        EXPECT_TRUE(std::any_of(found.spectrum.values.begin(), found.spectrum.values.end(),
                                [&](const auto& one) { return std::abs(one.value * one.value - square) < 1e-10; }))
            << s1 << s2 << square;
      EXPECT_EQ(found.verdict, s1 + s2 < -1 ? Verdict::stable : Verdict::unstable) << found.reason;
    }
}

// 5.6.3: J x'' + (3 sqrt(3)/16 kappa L^2 -+ m g L/2) x = 0; upright it holds while 3 sqrt(3) kappa L > 8 m g.
TEST(PrintedLinearEquations, OfAPendulumWithThreeStrings) {
  constexpr double L = 1.2, m = 1, J = m * L * L / 3;
  const auto judged = [&](double kappa, double s) {
    const Model model = from_gallery("spherical-pendulum-three-strings", {{"kappa", kappa}});
    const Linearization linearization(derive(model));
    const LinearModel linear = linearization.at(rest(Vector3d(0, 0, s)));
    expect_matrix(linear.M, J * Eigen::Matrix2d::Identity());
    expect_matrix(linear.K,
                  (3 * std::sqrt(3.0) / 16 * kappa * L * L - s * m * g * L / 2) * Eigen::Matrix2d::Identity());
    return stability(linearization, linear, {}).verdict;
  };
  const double threshold = 8 * m * g / (3 * std::sqrt(3.0) * L);
  EXPECT_EQ(judged(1.01 * threshold, 1), Verdict::stable);
  EXPECT_EQ(judged(0.99 * threshold, 1), Verdict::unstable);
  EXPECT_EQ(judged(0.99 * threshold, -1), Verdict::stable);
}

// 6.6.1 and 7.6.1: J x'' = 0, m y'' = 0.
TEST(PrintedLinearEquations, OfFreeBodies) {
  const Matrix3d J = Vector3d(1, 2, 3).asDiagonal();
  const System turning = derive(from_gallery("free-rigid-body-so3", {{"J", J}}));
  const LinearModel attitude = linearize(turning, rest(Matrix3d::Identity().reshaped()));
  expect_matrix(attitude.M, J);
  expect_matrix(attitude.K, Matrix3d::Zero());
  const System flying = derive(from_gallery("free-rigid-body-se3", {{"J", J}, {"m", 2.5}}));
  VectorXd pose(12);
  pose << Matrix3d::Identity().reshaped(), 1, 2, 3;
  const LinearModel free = linearize(flying, rest(pose));
  MatrixXd M = MatrixXd::Zero(6, 6);
  M.topLeftCorner(3, 3) = J;
  M.bottomRightCorner(3, 3) = 2.5 * Matrix3d::Identity();
  expect_matrix(free.M, M);
  expect_matrix(free.K, MatrixXd::Zero(6, 6));
}

// 9.2: nothing pulls anywhere.
TEST(PrintedLinearEquations, OfAHorizontalPendulumOnACart) {
  const System system = derive(from_gallery("horizontal-pendulum-on-cart"));
  const LinearModel linear = linearize(system, rest((VectorXd(4) << 0.3, 0.2, 0.6, 0.8).finished()));
  expect_matrix(linear.K, Matrix3d::Zero());
  expect_matrix(linear.G, Matrix3d::Zero());
}

// 9.7: 9 coordinates, the joint moves with x' - hat(d) Omega.
TEST(PrintedLinearEquations, OfTwoBodiesWithACommonPoint) {
  const System system = derive(from_gallery("two-bodies-common-point"));
  VectorXd q(21);
  q << Matrix3d::Identity().reshaped(), Matrix3d::Identity().reshaped(), 0, 0, 0;
  const LinearModel linear = linearize(system, rest(q));
  MatrixXd M = MatrixXd::Zero(9, 9);
  M.block(0, 0, 3, 3) = Vector3d(0.5, 0.6, 0.2).asDiagonal();
  M.block(3, 3, 3, 3) = Vector3d(0.3, 0.1, 0.35).asDiagonal();
  M.block(6, 6, 3, 3) = 1.7 * Matrix3d::Identity();
  M.block(6, 0, 3, 3) = -1.0 * hat({0, 0, 0.6});
  M.block(6, 3, 3, 3) = -0.7 * hat({0, -0.5, 0});
  M.topRightCorner(6, 3) = M.bottomLeftCorner(3, 6).transpose().eval();
  expect_matrix(linear.M, M);
  expect_matrix(linear.K, MatrixXd::Zero(9, 9));
}

// 9.8: 7 coordinates, the proof mass moves with y' + x' e1 - l hat(e1) Omega.
TEST(PrintedLinearEquations, OfAFreeBodyWithAnAppendage) {
  const System system = derive(from_gallery("free-body-with-appendage"));
  constexpr double body = 2, m = 0.5, l = 0.6, kappa = 10;
  const Vector3d e1(1, 0, 0);
  VectorXd q(13);
  q << Matrix3d::Identity().reshaped(), 0.1, 0.2, 0.3, 0;
  MatrixXd velocity(3, 7);
  velocity << -l * hat(e1), Matrix3d::Identity(), e1;
  MatrixXd M = m * velocity.transpose() * velocity, K = MatrixXd::Zero(7, 7);
  M.topLeftCorner(3, 3).diagonal() += Vector3d(0.5, 0.8, 1.0);
  M.block(3, 3, 3, 3) += body * Matrix3d::Identity();
  K(6, 6) = kappa;
  const LinearModel linear = linearize(system, rest(q));
  expect_matrix(linear.M, M);
  expect_matrix(linear.K, K);
}

// 4.6.4 and 5.6.5 argue by the signs of det(mu M + K), mu = lambda^2: only hanging they are all the same.
TEST(PrintedLinearEquations, OfDoublePendulumsByTheSignsOfTheirPolynomial) {
  const System system = derive(from_gallery("double-planar-pendulum"));
  const Linearization linearization(system);
  for (const double s : {-1.0, 1.0})
    for (const double r : {-1.0, 1.0}) {
      const LinearModel linear = linearization.at(rest(Eigen::Vector4d(0, s, 0, r)));
      const Eigen::Matrix2d M = linear.M, K = linear.K;
      const double square = M.determinant(), constant = K.determinant();
      const double middle = (M + K).determinant() - square - constant;
      const bool same = square > 0 && middle > 0 && constant > 0;
      EXPECT_EQ(same, s < 0 && r < 0);
      EXPECT_EQ(stability(linearization, linear, {}).verdict == Verdict::stable, same);
    }
}

}  // namespace
}  // namespace hamel::test::printed_linear_test
