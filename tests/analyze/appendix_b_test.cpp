// Appendix B of the book: linear equations on TS^1, TS^2 and TSO(3), as its corrections have them, of potentials drawn
// at random; and section 2.6, rates that are given as functions of the configuration.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hamel/analyze/equilibria.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test::appendix_b_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// U = y.H y/2 + b.y
struct Quadratic {
  MatrixXd H;
  VectorXd b;

  explicit Quadratic(int n, unsigned seed) : H(n, n), b(n) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (double& x : H.reshaped()) x = normal(random);
    for (double& x : b) x = normal(random);
    H = ((H + H.transpose()) / 2).eval();
  }
  Formula operator()(const Formula& y) const { return dot(y, Formula(H) * y) / 2 + dot(Formula(b), y); }
  VectorXd gradient(const VectorXd& y) const { return H * y + b; }
};

constexpr double mass = 1.3, radius = 0.7;

void expect_matrix(const MatrixXd& found, const MatrixXd& expected) {
  EXPECT_LE((found - expected).norm(), 1e-9 * (1 + expected.norm())) << found << "\nfor\n" << expected;
}

// m r^2 x'' + B^T (U_qq - (q.U_q) I) B x = 0; B has one column on the circle.
template <class Sphere>
void expect_sphere(int ambient, unsigned seed) {
  const Quadratic U(ambient, seed);
  Model model("particle");
  const Formula q = model.coordinate<Sphere>("q");
  model.kinetic(mass * radius * radius / 2 * squared_norm(rate(q)));
  model.potential(U(q));
  const Equilibria all = equilibria(derive(model));
  ASSERT_GE(all.found.size(), 2U) << all.remark;
  for (const Equilibrium& one : all.found) {
    const VectorXd& at = one.linear.at.q;
    const MatrixXd& B = one.linear.basis;
    expect_matrix(one.linear.M, mass * radius * radius * MatrixXd::Identity(B.cols(), B.cols()));
    const MatrixXd hessian = U.H - at.dot(U.gradient(at)) * MatrixXd::Identity(ambient, ambient);
    expect_matrix(one.linear.K, B.transpose() * hessian * B);
  }
}

TEST(AppendixB, LinearEquationsOnTheCircle) {
  for (const unsigned seed : {1U, 2U, 3U}) expect_sphere<S1>(2, seed);
}

TEST(AppendixB, LinearEquationsOnTheSphere) {
  for (const unsigned seed : {1U, 2U, 3U}) expect_sphere<S2>(3, seed);
}

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

// J x'' + {sum S(U_i) S(r_i) - sum S(r_i) U_ij S(r_j)} x = 0, with the rows r_i = R^T e_i
TEST(AppendixB, LinearEquationsOnTheRotations) {
  const Matrix3d J = Vector3d(1.1, 1.4, 0.7).asDiagonal();
  const Quadratic U(9, 5);
  Model model("body");
  const Formula R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .inertia = J});
  std::vector<Formula> rows;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rows.push_back(R(i, j));
  model.potential(U(Formula::vector(rows)));
  const Equilibria all = equilibria(derive(model));
  ASSERT_GE(all.found.size(), 4U) << all.remark;
  for (const Equilibrium& one : all.found) {
    const Matrix3d at = one.linear.at.q.reshaped(3, 3);
    const VectorXd y = at.transpose().reshaped(), slope = U.gradient(y);
    MatrixXd K = MatrixXd::Zero(3, 3);
    for (int i = 0; i < 3; ++i) {
      K += cross_matrix(slope.segment<3>(3 * i)) * cross_matrix(y.segment<3>(3 * i));
      for (int j = 0; j < 3; ++j)
        K -= cross_matrix(y.segment<3>(3 * i)) * U.H.block<3, 3>(3 * i, 3 * j) * cross_matrix(y.segment<3>(3 * j));
    }
    expect_matrix(one.linear.M, J);
    expect_matrix(one.linear.K, K);
  }
}

// Section 2.6, problem 2.20: R' = R S(sum e_i x R^T e_i). Home attracts; every half turn is at rest, with 2, 0, 0.
TEST(ClosedLoopKinematics, RestAtHomeAndAtEveryHalfTurn) {
  Model model("attitude");
  const Formula R = model.coordinate<SO3>("R");
  Formula Omega = cross(unit_vector(0), transpose(R) * unit_vector(0));
  for (const int i : {1, 2}) Omega = Omega + cross(unit_vector(i), transpose(R) * unit_vector(i));
  model.field(R, R * hat(Omega));
  const Equilibria all = equilibria(derive(model));
  ASSERT_EQ(all.found.size(), 2U) << all.remark;
  for (const Equilibrium& one : all.found) {
    const bool is_home = one.linear.at.q.reshaped(3, 3).trace() > 2;
    EXPECT_EQ(one.stability.family, is_home ? 0 : 2);
    EXPECT_EQ(one.stability.verdict, is_home ? Verdict::asymptotically_stable : Verdict::unstable);
    const std::vector<std::complex<double>> values = one.stability.spectrum.all();
    ASSERT_EQ(values.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LE(std::abs(values[k] - (is_home ? -2.0 : k == 2 ? 2.0 : 0.0)), 1e-9) << values[k];
  }
}

// The same on the circle, q' = w S q with w = -k (e1 x q): -k home, k on the other side.
TEST(ClosedLoopKinematics, TurnsACircleHome) {
  Model model("heading");
  const Formula q = model.coordinate<S1>("q");
  const double k = 1.7;
  model.field(q, -k * q.y() * Formula::vector({-q.y(), q.x()}));
  const Equilibria all = equilibria(derive(model));
  ASSERT_EQ(all.found.size(), 2U) << all.remark;
  for (const Equilibrium& one : all.found)
    EXPECT_NEAR(one.stability.spectrum.rightmost().value.real(), one.linear.at.q(0) > 0 ? -k : k, 1e-12);
}

}  // namespace
}  // namespace hamel::test::appendix_b_test
