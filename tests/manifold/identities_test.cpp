// The identities of the book's chapters 1 and 2 on random data, by equation number.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <numbers>

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/rotation.hpp"
#include "manifold/gallery.hpp"

namespace hamel::gallery {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double rounding = 2e-14;

class Identities : public testing::TestWithParam<unsigned> {
 protected:
  Identities() { std::srand(GetParam()); }

  const Vector3d x = Vector3d::Random(), y = Vector3d::Random(), z = Vector3d::Random();
  const Matrix3d A = Matrix3d::Random(), B = Matrix3d::Random(), I = Matrix3d::Identity();
  const Matrix3d R = rotation(x + 2 * y);
  const Matrix2d S = (Matrix2d() << 0, -1, 1, 0).finished();

  static Matrix3d rotation(const Vector3d& v) { return Eigen::AngleAxisd(v.norm(), v.normalized()).toRotationMatrix(); }
  static Matrix2d turn(double angle) { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }
  static Matrix4d displacement(const Matrix3d& rotation, const Vector3d& translation) {
    Matrix4d g = Matrix4d::Identity();
    g.topLeftCorner<3, 3>() = rotation;
    g.topRightCorner<3, 1>() = translation;
    return g;
  }
  static Matrix4d twist(const Vector3d& omega, const Vector3d& v) {
    Matrix4d X = Matrix4d::Zero();
    X.topLeftCorner<3, 3>() = hat(omega);
    X.topRightCorner<3, 1>() = v;
    return X;
  }
};

void expect_equal(const MatrixXd& left, const MatrixXd& right, const char* equation) {
  EXPECT_LE((left - right).norm(), rounding) << equation;
}

TEST_P(Identities, OrthogonalSplits) {
  const Vector3d along = y * y.dot(x) / y.squaredNorm(), across = (I - y * y.transpose() / y.squaredNorm()) * x;
  expect_equal(x, along + across, "(1.3)");
  EXPECT_NEAR(along.dot(across), 0, rounding) << "(1.3)";
  const Matrix3d symmetric = (A + A.transpose()) / 2, skew = (A - A.transpose()) / 2;
  EXPECT_NEAR((symmetric.transpose() * skew).trace(), 0, rounding) << "(1.4), section 1.1.2";
  EXPECT_NEAR((A.transpose() * A).trace(), A.squaredNorm(), rounding) << "(1.5)";
}

TEST_P(Identities, QuarterTurnOfThePlane) {
  const Vector2d a = x.head<2>();
  expect_equal(quarter_turn(a), S * a, "(1.6)");
  EXPECT_EQ(a.dot(quarter_turn(a)), 0) << "section 1.1.3";
  expect_equal(S.transpose() * S, Matrix2d::Identity(), "section 1.1.3");
  expect_equal(S * S, -Matrix2d::Identity(), "section 1.1.3");
}

TEST_P(Identities, PlanarAndSpatialAngles) {
  const double angle = 3 * x(0);
  const Vector2d a = y.head<2>().normalized(), b = turn(angle) * a;
  EXPECT_NEAR(a.dot(b), std::cos(angle), rounding) << "section 1.1.3";
  EXPECT_NEAR(a.dot(S.transpose() * b), std::sin(angle), rounding) << "section 1.1.3";
  const Vector3d c = y.normalized(), axis = c.cross(z).normalized(), d = rotation(std::abs(angle) * axis) * c;
  EXPECT_NEAR(c.dot(d), std::cos(angle), rounding) << "section 1.1.4";
  EXPECT_NEAR(c.cross(d).norm(), std::abs(std::sin(angle)), rounding) << "section 1.1.4";
}

TEST_P(Identities, HatAndVee) {
  expect_equal(hat(x) * y, x.cross(y), "(1.7), (1.8)");
  expect_equal(vee(hat(x)), x, "(1.8), inverse");
  EXPECT_NEAR(hat(x).determinant(), 0, rounding) << "(1.8)";
  EXPECT_NEAR(y.dot(hat(x) * y), 0, rounding) << "(1.8)";
  expect_equal(vee(A), vee((A - A.transpose()) / 2), "vee takes the skew part");
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) sum += Vector3d::Unit(k).cross(A.col(k));
  expect_equal(sum, vee(A - A.transpose()), "sum of e_i x A e_i");
}

TEST_P(Identities, OfTheHatMap) {
  EXPECT_NEAR(x.dot(y), (x * y.transpose()).trace(), rounding) << "(1.14)";
  EXPECT_NEAR((A * B).trace(), (B * A).trace(), rounding) << "(1.15)";
  expect_equal(hat(x).transpose(), -hat(x), "(1.16)");
  expect_equal(hat(x) * x, Vector3d::Zero(), "(1.17)");
  expect_equal(hat(x) * hat(x), x * x.transpose() - x.squaredNorm() * I, "(1.18)");
  expect_equal(hat(x) * hat(x) * hat(x), -x.squaredNorm() * hat(x), "(1.19)");
  expect_equal(R * x.cross(y), (R * x).cross(R * y), "(1.20)");
  expect_equal(R * hat(x) * R.transpose(), hat(R * x), "(1.21)");
  expect_equal(hat(x.cross(y)), y * x.transpose() - x * y.transpose(), "(1.22)");
  expect_equal(hat(x.cross(y)), hat(x) * hat(y) - hat(y) * hat(x), "(1.23)");
  expect_equal(hat(x) * hat(y), y * x.transpose() - x.dot(y) * I, "(1.24)");
  EXPECT_NEAR(x.cross(y).dot(z), x.dot(y.cross(z)), rounding) << "(1.25)";
  expect_equal(x.cross(y.cross(z)), x.dot(z) * y - x.dot(y) * z, "(1.26)");
  expect_equal(y.cross(x.cross(z)) + x.cross(z.cross(y)) + z.cross(y.cross(x)), Vector3d::Zero(), "(1.27)");
  EXPECT_NEAR(x.cross(y).squaredNorm(), x.squaredNorm() * y.squaredNorm() - std::pow(x.dot(y), 2), rounding)
      << "(1.28)";
}

TEST_P(Identities, CayleyWithItsSign) {
  const Matrix3d book = (I - hat(x)) * (I + hat(x)).inverse();
  expect_equal(book.transpose() * book, I, "(1.9), (1.10)");
  EXPECT_NEAR(book.determinant(), 1, rounding) << "(1.9)";
  expect_equal((I - book) * (I + book).inverse(), hat(x), "(1.12)");
  expect_equal(book, rotation(-2 * std::atan(x.norm()) * x.normalized()), "(1.10), a turn by -2 atan|x|");
  expect_equal(I + cayley_minus_identity<double>(-2 * x), book, "(1.10), ours at -2 x");
  const Matrix3d ours = (I - hat(y) / 2).inverse() * (I + hat(y) / 2);
  expect_equal(I + cayley_minus_identity<double>(y), ours, "our sign");
  expect_equal(inverse_cayley<double>(ours), y, "our sign, inverse");
}

TEST(Rotations, FactorsOfTurnsAreExactToRounding) {
  for (long double x = 0.01L; x < 4; x *= 1.003L) {
    const auto s = static_cast<double>(x * x);
    const long double angle = std::sqrt(static_cast<long double>(s)), half = std::sin(angle / 2) / angle;
    const auto expect_near = [&](double found, long double exact) {
      EXPECT_LT(std::abs(found - exact), 3e-16L) << static_cast<double>(x);
    };
    expect_near(sine_factor(s), std::sin(angle) / angle);
    expect_near(versine_factor(s), 2 * half * half);
    const long double cubic = cubic_factor(static_cast<long double>(s));
    EXPECT_LT(std::abs(cubic * s * angle + std::sin(angle) - angle), 3e-19L * angle) << static_cast<double>(x);
    expect_near(cubic_factor(s), cubic);
  }
}

TEST_P(Identities, ExponentialOfRotations) {
  for (const double size : {3.0, 1.0, 1e-3, 1e-8, 0.0}) {
    const Vector3d v = size * x;
    const Matrix3d F = I + exponential_minus_identity<double>(v);
    expect_equal(F, Matrix3d(linear::exponential(hat(v))), "(1.11)");
    if (v.norm() < std::numbers::pi) expect_equal(rotation_logarithm<double>(F), v, "(1.13)");
    const Matrix4d whole = linear::exponential(twist(v, y));
    expect_equal(mean_rotation<double>(v) * y, Vector3d(whole.topRightCorner<3, 1>()), "constant velocity on SE(3)");
  }
}

TEST_P(Identities, RigidDisplacements) {
  const Matrix3d Q = rotation(z);
  const Matrix4d first = displacement(R, x), second = displacement(Q, y);
  expect_equal(second * first, displacement(Q * R, y + Q * x), "section 1.1.6, composition");
  expect_equal(first.inverse(), displacement(R.transpose(), -R.transpose() * x), "section 1.1.6, inverse");
}

TEST_P(Identities, ProjectorOntoTheKernel) {
  Eigen::Matrix<double, 2, 5> J = Eigen::Matrix<double, 2, 5>::Random();
  const Eigen::Matrix<double, 5, 5> P =
      Eigen::Matrix<double, 5, 5>::Identity() - J.transpose() * (J * J.transpose()).inverse() * J;
  expect_equal(P * P, P, "(1.32)");
  expect_equal(P, P.transpose(), "(1.32)");
  EXPECT_LE((J * P).norm(), 1e-13) << "(1.32)";
  EXPECT_NEAR(P.trace(), 3, rounding) << "(1.32)";
}

TEST_P(Identities, TangentVectorsInThreeForms) {
  const Manifold &circle = named("S1"), &sphere = named("S2");
  const Vector2d p = x.head<2>().normalized();
  const Vector2d v = tangent_project(circle, p, y.head<2>());
  expect_equal(v, (Matrix2d::Identity() - p * p.transpose()) * y.head<2>(), "(1.46)");
  expect_equal(v, rates(circle, p, v)(0) * S * p, "(2.3)");
  EXPECT_NEAR(rates(circle, p, v)(0), -p.dot(S * v), rounding) << "problem 2.11a";
  const Vector3d q = x.normalized(), w = tangent_project(sphere, q, y);
  expect_equal(w, (I - q * q.transpose()) * y, "(1.47)");
  const Vector3d omega = rates(sphere, q, w);
  expect_equal(w, hat(omega) * q, "(2.4)");
  expect_equal(omega, hat(q) * w, "problem 2.11b");
  EXPECT_NEAR(omega.dot(q), 0, rounding) << "(2.4)";
}

TEST_P(Identities, RotationRates) {
  const Manifold& m = named("SO3");
  const Matrix3d R_dot = velocity(m, R.reshaped(), y).reshaped(3, 3);
  expect_equal(R_dot, R * hat(y), "(2.16)");
  expect_equal(R_dot, hat(R * y) * R, "(2.17)");
  for (int k = 0; k < 3; ++k) expect_equal(R_dot.row(k).transpose(), hat(R.row(k).transpose()) * y, "(2.18)");
  expect_equal(rates(m, R.reshaped(), R_dot.reshaped()), y, "omega = vee(R^T R')");
  expect_equal(vee(R_dot * R.transpose()), R * y, "R omega = vee(R' R^T)");
  EXPECT_NEAR((R.transpose() * R_dot).trace(), 0, rounding) << "section 1.2.5";
}

TEST_P(Identities, PlanarRigidBody) {
  const Vector2d q = x.head<2>().normalized(), v = y.head<2>();
  const Matrix2d frame = (Matrix2d() << q, S * q).finished();
  expect_equal(frame.transpose() * (frame * v), v, "(2.19), (2.20)");
  expect_equal(frame.transpose() * frame, Matrix2d::Identity(), "(2.20)");
  expect_equal(z(0) * frame * S, (Matrix2d() << z(0) * S * q, z(0) * S * S * q).finished(), "problem 2.16");
}

TEST_P(Identities, FreeRigidBody) {
  const Manifold& m = named("SE3");
  VectorXd q(12), xi(6);
  q << R.reshaped(), x;
  xi << y, z;
  const VectorXd v = velocity(m, q, xi);
  expect_equal(Matrix3d(v.head(9).reshaped(3, 3)), R * hat(y), "(2.21)");
  expect_equal(v.tail(3), R * z, "(2.22)");
  expect_equal(rates(m, q, v), xi, "v = R^T x'");
}

TEST_P(Identities, FlowsOfConstantVelocity) {
  const double t = 1.3;
  const Vector2d p = x.head<2>().normalized();
  const VectorXd circle_rate = velocity(named("S1"), p, VectorXd::Constant(1, z(0)));
  expect_equal(exponential(named("S1"), p, t * circle_rate), turn(t * z(0)) * p, "q = exp(omega t S) q0");
  const Vector3d q = x.normalized(), omega = (I - q * q.transpose()) * y;
  expect_equal(exponential(named("S2"), q, t * velocity(named("S2"), q, omega)), rotation(t * omega) * q,
               "q = exp(t S(omega)) q0");
  const VectorXd R_dot = velocity(named("SO3"), R.reshaped(), y);
  expect_equal(exponential(named("SO3"), R.reshaped(), t * R_dot), VectorXd((R * rotation(t * y)).reshaped()),
               "R = R0 exp(t S(omega))");
  VectorXd g(12), xi(6);
  g << R.reshaped(), x;
  xi << y, z;
  const Matrix4d moved = displacement(R, x) * Matrix4d(linear::exponential(t * twist(y, z)));
  expect_equal(exponential(named("SE3"), g, t * velocity(named("SE3"), g, xi)), VectorXd(moved.topRows<3>().reshaped()),
               "g = g0 exp(t [S(omega) v; 0 0])");
}

TEST_P(Identities, SpatialRateIsConstantWithTheBodyRate) {
  const Matrix3d later = R * rotation(0.8 * y);
  expect_equal(later * y, R * y, "problem 2.14");
}

INSTANTIATE_TEST_SUITE_P(RandomData, Identities, testing::Range(1U, 21U));

}  // namespace
}  // namespace hamel::gallery
