// Linear models against formulas by hand, and against differences of the acceleration.
#include "hamel/analyze/linear_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/symmetry/noether.hpp"
#include "message.hpp"

namespace hamel::test {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double g = 9.81;

State at_rest(const VectorXd& q) { return {0, q, VectorXd::Zero(q.size())}; }

void expect_equal(const MatrixXd& a, const MatrixXd& b, double tolerance = 1e-12) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance * (1 + b.cwiseAbs().maxCoeff())) << a << "\nfor\n" << b;
}

// x'' by differences of the acceleration, along retractions: the second route, from the outside.
MatrixXd stiffness_by_differences(const System& system, const LinearModel& model) {
  constexpr double h = 1e-4;
  const Eigen::Index n = model.K.rows();
  MatrixXd result(n, n);
  const MatrixXd to_basis = linear::pseudo_inverse(model.basis);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto acceleration_at = [&](double s) -> VectorXd {
      VectorXd q(model.at.q.size());
      system.space().retract(model.at.q, s * model.basis.col(j), q);
      return to_basis * acceleration(system, at_rest(q), model.inputs);
    };
    result.col(j) =
        -(8 * (acceleration_at(h) - acceleration_at(-h)) - acceleration_at(2 * h) + acceleration_at(-2 * h)) / (12 * h);
  }
  return result;
}

TEST(LinearModel, OfAPendulumIsAllMultiplier) {
  Model model("pendulum");
  const auto q = model.coordinate<S2>("q");
  const double m = 1.3, l = 0.7;
  model.kinetic(m * l * l / 2 * squared_norm(rate(q)));
  model.potential(m * g * l * q.z());
  const System system = derive(model);
  for (const double s : {-1.0, 1.0}) {  // hanging, inverted; U_qq = 0
    const LinearModel linear = linearize(system, at_rest(Vector3d(0, 0, s)));
    expect_equal(linear.M, m * l * l * Matrix2d::Identity());
    expect_equal(linear.K, -s * m * g * l * Matrix2d::Identity());
    expect_equal(linear.D, Matrix2d::Zero());
    expect_equal(linear.G, Matrix2d::Zero());
    expect_equal(linear.basis.transpose() * linear.basis, Matrix2d::Identity());
    expect_equal(linear.multipliers, VectorXd::Constant(1, linear.multipliers(0)));
  }
  const LinearModel::FirstOrder first = linearize(system, at_rest(Vector3d(0, 0, -1))).first_order();
  MatrixXd A = MatrixXd::Zero(4, 4);
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -g / l * Matrix2d::Identity();
  expect_equal(first.A, A);
  EXPECT_EQ(first.B.cols(), 0);
}

// On the circle the mass matrix omega(q)^2 has rank 1 in the ambient space; K is that of U - T0.
TEST(LinearModel, OfAParticleOnAHoopThatTurns) {
  Model model("hoop");
  const auto q = model.coordinate<S1>("q");
  const double m = 0.7, R = 0.4, rate_of_hoop = 1.7;
  model.kinetic(m * R * R / 2 * (squared_norm(rate(q)) + rate_of_hoop * rate_of_hoop * q.x() * q.x()));
  const System system = derive(model);
  for (const double s : {-1.0, 1.0}) {
    expect_equal(linearize(system, at_rest(Vector2d(s, 0))).K,
                 MatrixXd::Constant(1, 1, m * R * R * rate_of_hoop * rate_of_hoop));
    expect_equal(linearize(system, at_rest(Vector2d(0, s))).K,
                 MatrixXd::Constant(1, 1, -m * R * R * rate_of_hoop * rate_of_hoop));
  }
}

struct DoublePendulum {
  double m1 = 1.1, m2 = 0.6, l1 = 0.9, l2 = 0.5;
  Model model{"double pendulum"};
  std::vector<Formula> q = model.coordinates<S1>("q", 2);

  DoublePendulum() {
    const Formula x1 = l1 * q[0], x2 = x1 + l2 * q[1];
    model.kinetic(m1 / 2 * squared_norm(rate(x1)) + m2 / 2 * squared_norm(rate(x2)));
    model.potential(m1 * g * x1.y() + m2 * g * x2.y());
  }
};

TEST(LinearModel, OfADoublePendulum) {
  const DoublePendulum p;
  const System system = derive(p.model);
  for (const double s : {-1.0, 1.0})
    for (const double r : {-1.0, 1.0}) {
      const LinearModel linear = linearize(system, at_rest(Eigen::Vector4d(0, s, 0, r)));
      const double c = p.m2 * p.l1 * p.l2 * s * r;
      Matrix2d M, K;
      M << (p.m1 + p.m2) * p.l1 * p.l1, c, c, p.m2 * p.l2 * p.l2;
      K << -s * (p.m1 + p.m2) * g * p.l1, 0, 0, -r * p.m2 * g * p.l2;
      const double sense = linear.basis(0, 0) * linear.basis(2, 1) * s * r;  // of the basis of either circle
      expect_equal(linear.M.cwiseAbs(), M.cwiseAbs());
      EXPECT_GT(linear.M(0, 1) * M(0, 1) * sense, 0);
      expect_equal(linear.K, K);
      expect_equal(linear::solve_columns(linear.M, linear.K), stiffness_by_differences(system, linear), 1e-9);
    }
}

// The second-order term of the retraction is all there is: K = m g rho (e1, e2), in body rates.
TEST(LinearModel, OfABodyThatHangs) {
  Model model("3-D pendulum");
  const auto R = model.coordinate<SO3>("R");
  const Matrix3d J = Vector3d(0.3, 0.4, 0.2).asDiagonal();
  const double m = 1.5, rho = 0.25;
  const Formula center = R * Formula(Vector3d(0, 0, rho));
  model.kinetic(0.5 * dot(omega(R), Formula(J) * omega(R)));
  model.potential(-m * g * center.z());  // e3 points down
  const System system = derive(model);
  const LinearModel linear = linearize(system, at_rest(Matrix3d::Identity().reshaped()));
  expect_equal(linear.M, J);
  expect_equal(linear.K, Vector3d(m * g * rho, m * g * rho, 0).asDiagonal().toDenseMatrix());
  expect_equal(linear::solve_columns(linear.M, linear.K), stiffness_by_differences(system, linear), 1e-9);

  // Spinning about the vertical at w, whole rate: K = Hess(U - T(xi)), G = w (tr J - 2 J3) and skew.
  const NoetherReport noether = conserved_momenta(model);
  ASSERT_EQ(noether.momenta.size(), 1u);
  const double w = 2;
  const Generator spin = generator(noether.momenta[0], 9, w);
  const VectorXd q = Matrix3d::Identity().reshaped();
  const double sense = spin.velocity(q)(1) > 0 ? 1 : -1;
  const LinearModel turning = linearize(system, {0, q, spin.velocity(q)}, VectorXd(), spin);
  expect_equal(turning.M, J);
  expect_equal(
      turning.K,
      Vector3d(m * g * rho + w * w * (0.2 - 0.4), m * g * rho + w * w * (0.2 - 0.3), 0).asDiagonal().toDenseMatrix());
  Matrix3d G = Matrix3d::Zero();
  G(0, 1) = -sense * w * (0.3 + 0.4 - 0.2);
  G(1, 0) = -G(0, 1);
  expect_equal(turning.G, G);
  // The momentum of its own spin: J3 w changes with the third rate.
  const Eigen::RowVectorXd slope = Linearization(system).slope(noether.momenta[0], turning);
  Eigen::RowVectorXd expected = Eigen::RowVectorXd::Zero(6);
  expected(5) = 0.2 * sense;
  expect_equal(slope, expected);
}

TEST(LinearModel, OfAPendulumOnACartHasItsInput) {
  Model model("cart");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinate<S2>("q");
  const auto u = model.input("u", 2);
  const double M = 0.5, m = 0.1, l = 0.2;
  const Formula place = x.x() * unit_vector(0) + x.y() * unit_vector(1), ball = place + l * q;
  model.kinetic(M / 2 * squared_norm(rate(x)) + m / 2 * squared_norm(rate(ball)));
  model.potential(m * g * ball.z());
  model.force_on(x, u);
  const System system = derive(model);
  VectorXd point(5);
  point << 0.3, -0.2, 0, 0, 1;
  const LinearModel linear = linearize(system, at_rest(point));
  const MatrixXd on_ball = linear.basis.block(2, 2, 2, 2);  // horizontal
  MatrixXd mass = MatrixXd::Zero(4, 4), stiffness = MatrixXd::Zero(4, 4), input = MatrixXd::Zero(4, 2);
  mass.topLeftCorner(2, 2) = (M + m) * Matrix2d::Identity();
  mass.bottomRightCorner(2, 2) = m * l * l * Matrix2d::Identity();
  mass.topRightCorner(2, 2) = m * l * on_ball;
  mass.bottomLeftCorner(2, 2) = mass.topRightCorner(2, 2).transpose();
  stiffness.bottomRightCorner(2, 2) = -m * g * l * Matrix2d::Identity();
  input.topRows(2).setIdentity();
  expect_equal(linear.M, mass);
  expect_equal(linear.K, stiffness);
  expect_equal(linear.B, input);
}

// Thrust along a body axis: K is not symmetric, K_x,theta = m g hat(e3).
TEST(LinearModel, OfAFollowerForceIsNotSymmetric) {
  Model model("quadrotor");
  const auto R = model.coordinate<SO3>("R");
  const auto x = model.coordinate("x", Rn(3));
  const auto thrust = model.input("thrust");
  const double m = 1.2;
  model.kinetic(0.01 * squared_norm(omega(R)) + m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.z());
  model.force_on(x, thrust * (R * Formula(Vector3d(0, 0, 1))));
  const System system = derive(model);
  VectorXd hover(12);
  hover << Matrix3d::Identity().reshaped(), 0.1, 0.2, 0.3;
  const LinearModel linear = linearize(system, at_rest(hover), VectorXd::Constant(1, m * g));
  MatrixXd K = MatrixXd::Zero(6, 6);
  K(3, 1) = -m * g;
  K(4, 0) = m * g;
  expect_equal(linear.K, K);
  EXPECT_NE(message_of([&] { linearize(system, at_rest(hover)); }).find("not in equilibrium"), std::string::npos);
}

// On a circle of radius 2 that is a constraint in the plane: all stiffness is the multiplier's.
TEST(LinearModel, EliminatesConstraints) {
  Model model("bead");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(g * x.y());
  model.constraint("circle", squared_norm(x) - 4.0);
  model.dissipation(0.3 * squared_norm(rate(x)));
  const LinearModel linear = linearize(derive(model), at_rest(Vector2d(0, -2)));
  expect_equal(linear.K, MatrixXd::Constant(1, 1, g / 2));
  expect_equal(linear.D, MatrixXd::Constant(1, 1, 0.6));
  ASSERT_EQ(linear.basis.cols(), 1);
  EXPECT_NEAR(std::abs(linear.basis(0, 0)), 1, 1e-12);
}

TEST(LinearModel, OfAFieldHasFirstOrder) {
  Model model("attitude");
  const auto q = model.coordinate<S2>("q");
  const Vector3d goal(1, 0, 0);
  model.field(q, Formula(goal) - dot(q, Formula(goal)) * q);
  const System system = derive(model);
  for (const double s : {1.0, -1.0}) {
    const LinearModel linear = linearize(system, at_rest(s * goal));
    EXPECT_TRUE(linear.is_field);
    expect_equal(linear.first_order().A, -s * Matrix2d::Identity());
  }
}

TEST(LinearModel, RefusesConstraintsThatAreNotIndependent) {
  Model model("cross");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.constraint("cross", x.x() * x.y());
  const System system = derive(model);
  EXPECT_NE(message_of([&] { Linearization(system).near(0, Vector2d(0, 0)); }).find("not independent"),
            std::string::npos);
}

}  // namespace
}  // namespace hamel::test
