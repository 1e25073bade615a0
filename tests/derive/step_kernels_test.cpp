// The kernels of a variational step, on a double pendulum with a spring between its directions, against the discrete
// Euler-Lagrange equations in ambient coordinates, dense:
//
//   -D1 L_d(q0, q1) + C(q0)^T lambda = M v0,   c(q1) = 0,       then  p1 = D2 L_d(q0, q1),
//   L_d = h { V.M V/2 - sum_i w_i U((1 - s_i) q0 + s_i q1) },   V = (q1 - q0)/h;
//
// and on a free body.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>

#include "hamel/derive/constant_mass.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"

namespace hamel::step_kernels_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4, g = 9.81, k = 3.0;
constexpr double t = 0.2, h = 0.05;

Model double_pendulum() {
  Model model("double pendulum");
  const auto m = model.parameter("m", {m1, m2}), l = model.parameter("l", {l1, l2});
  const auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)) + m[1] / 2 * squared_norm(rate(x2)));
  model.potential(g * (m[0] * x1.z() + m[1] * x2.z()) + k * dot(q[0], q[1]));
  return model;
}

MatrixXd blocks(double a, double b, double c) {
  MatrixXd result = MatrixXd::Zero(6, 6);
  const Matrix3d I = Matrix3d::Identity();
  result << a * I, b * I, b * I, c * I;
  return result;
}
const MatrixXd M = blocks((m1 + m2) * l1 * l1, m2*l1*l2, m2*l2*l2), stiffness = blocks(0, k, 0);

VectorXd force(const VectorXd& q) {  // -dU/dq
  VectorXd weight = VectorXd::Zero(6);
  weight(2) = (m1 + m2) * g * l1;
  weight(5) = m2 * g * l2;
  return -weight - stiffness * q;
}

MatrixXd constraint_slopes(const VectorXd& q) {
  MatrixXd C = MatrixXd::Zero(2, 6);
  C.block(0, 0, 1, 3) = 2 * q.head(3).transpose();
  C.block(1, 3, 1, 3) = 2 * q.tail(3).transpose();
  return C;
}

// [ A C0^T; C1 0 ] (x, y) = (a, b)
VectorXd solved(const MatrixXd& A, const MatrixXd& C0, const MatrixXd& C1, const VectorXd& a, const VectorXd& b) {
  MatrixXd matrix = MatrixXd::Zero(8, 8);
  matrix << A, C0.transpose(), C1, MatrixXd::Zero(2, 2);
  VectorXd right(8);
  right << a, b;
  return matrix.partialPivLu().solve(right);
}

struct Oracle {
  Oracle(const Quadrature& rule, const VectorXd& q0, const VectorXd& v0) {
    double bending = 0;
    for (const auto& [at, weight] : rule.nodes()) bending += weight * h * at * (1 - at);
    VectorXd lambda = VectorXd::Zero(2);
    q1 = q0;
    for (int iteration = 0; iteration < 50; ++iteration) {
      VectorXd begin = M * (q1 - q0) / h;
      for (const auto& [at, weight] : rule.nodes()) begin -= h * weight * (1 - at) * force((1 - at) * q0 + at * q1);
      const VectorXd residual = begin - M * v0 + constraint_slopes(q0).transpose() * lambda;
      const VectorXd c{{q1.head(3).squaredNorm() - 1, q1.tail(3).squaredNorm() - 1}};
      const VectorXd correction =
          solved(M / h + bending * stiffness, constraint_slopes(q0), constraint_slopes(q1), -residual, -c);
      q1 += correction.head(6);
      lambda += correction.tail(2);
    }
    p1 = M * (q1 - q0) / h;
    for (const auto& [at, weight] : rule.nodes()) p1 += h * weight * at * force((1 - at) * q0 + at * q1);
    v1 = solved(M, constraint_slopes(q1), constraint_slopes(q1), p1, VectorXd::Zero(2)).head(6);
  }
  VectorXd q1, p1, v1;
};

// As the integrator does it.
struct Step {
  Step(const StepKernels& kernels, const VectorXd& q0, const VectorXd& v0)
      : P0(kernels.increments), lambda(VectorXd::Zero(kernels.multipliers)), way(q0.size()), v1(q0.size()) {
    F0 = W = impulse = F1 = P0;
    for (const Program* program : kernels.programs())
      scratch.resize(std::max(scratch.size(), static_cast<Eigen::Index>(program->scratch_size())));
    kernels.start.run<3, 1>({q0.data(), v0.data(), clock.data()}, {P0.data()}, scratch.data());
    if (!kernels.pull.empty()) kernels.pull.run<2, 1>({q0.data(), clock.data()}, {F0.data()}, scratch.data());
    kernels.predict.run<2, 1>({q0.data(), v0.data()}, {W.data()}, scratch.data());
    guess = W;
    for (int iteration = 0; iteration < 50; ++iteration) {
      VectorXd next = W, next_lambda = lambda;
      if (iteration == 0 || kernels.refine.empty())
        kernels.newton.run<7, 2>({q0.data(), P0.data(), F0.data(), W.data(), lambda.data(), nullptr, clock.data()},
                                 {next.data(), next_lambda.data()}, scratch.data());
      else
        kernels.refine.run<5, 2>({q0.data(), W.data(), lambda.data(), nullptr, clock.data()},
                                 {next.data(), next_lambda.data()}, scratch.data());
      W = next;
      lambda = next_lambda;
    }
    kernels.way.run<3, 1>({q0.data(), W.data(), clock.data()}, {way.data()}, scratch.data());
    q1 = q0 + way;
    kernels.finish.run<7, 2>({q0.data(), q1.data(), F0.data(), W.data(), lambda.data(), nullptr, clock.data()},
                             {impulse.data(), F1.data()}, scratch.data());
    P1 = P0 + impulse;
    kernels.velocity.run<3, 1>({q1.data(), P1.data(), clock.data()}, {v1.data()}, scratch.data());
  }
  std::array<double, 3> clock{t, h, 1 / h};
  VectorXd scratch, P0, F0, guess, W, lambda, way, q1, impulse, F1, P1, v1;
};

struct Start {
  Start() {
    const Vector3d a = Vector3d(0.3, -0.5, 0.8).normalized(), b = Vector3d(-0.6, 0.2, 0.4).normalized();
    q << a, b;
    v << Vector3d(0.4, 1.1, -0.3).cross(a), Vector3d(-0.9, 0.2, 0.7).cross(b);
  }
  VectorXd q = VectorXd(6), v = VectorXd(6);
};

// In the variables z = (q1, x2) of the lifted system the momentum is A^T p = (m1 l1^2 q1', m2 x2').
TEST(StepKernels, BeginWithTheMomentumOfTheLiftedSystem) {
  const Start start;
  const Step step(step_kernels(double_pendulum(), Quadrature::trapezoidal), start.q, start.v);
  const Vector3d v = start.v.head(3), x_rate = l1 * v + l2 * start.v.tail(3);
  VectorXd P(6), z_rate(6);
  P << m1 * l1 * l1 * v, m2 * x_rate;
  z_rate << v, x_rate;
  EXPECT_LT((step.P0 - P).norm(), 1e-14);
  EXPECT_LT((step.guess - z_rate).norm(), 1e-14) << "as if the motion were uniform";
}

TEST(StepKernels, SolveTheDiscreteEulerLagrangeEquations) {
  for (const Quadrature& rule : quadratures) {
    SCOPED_TRACE(rule.name);
    const StepKernels kernels = step_kernels(double_pendulum(), rule);
    ASSERT_EQ(kernels.increments, 6);
    ASSERT_EQ(kernels.multipliers, 2);
    ASSERT_TRUE(kernels.closed.empty());
    Start at;
    for (int steps = 0; steps < 3; ++steps) {
      const Oracle oracle(rule, at.q, at.v);
      const Step step(kernels, at.q, at.v);
      EXPECT_LT((step.q1 - oracle.q1).norm(), 1e-13);
      EXPECT_LT((step.v1 - oracle.v1).norm(), 1e-12);
      // P1 - P0 by the other way: A(q1)^T p1 - A(q0)^T p0, with z = (q1, x2): q2' = (x2' - l1 q1')/l2
      const VectorXd p = oracle.p1 - M * at.v;
      VectorXd pulled(6);
      pulled << p.head(3) - l1 / l2 * p.tail(3), p.tail(3) / l2;
      EXPECT_LT((step.impulse - pulled).norm(), 1e-12);
      at.q = step.q1;
      at.v = step.v1;
    }
  }
}

Matrix3d hat(const Vector3d& a) { return Matrix3d{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}}; }

// Moser and Veselov: h hat(P0) = F J_d - J_d F^T with the turn F = R0^T R1 of a step, and R P is constant.
TEST(StepKernels, TurnAFreeBodyAsMoserAndVeselovDo) {
  const Matrix3d J = Vector3d(1, 1.7, 2.3).asDiagonal(), J_d = J.trace() / 2 * Matrix3d::Identity() - J;
  Model model("free body");
  const auto R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .inertia = MatrixXd(J)});
  const StepKernels kernels = step_kernels(model, Quadrature::trapezoidal);
  const Vector3d Omega(2, -3, 1.5);
  Random random(2);
  const VectorXd q0 = Manifold(SO3{}).random_point(random);
  const Matrix3d R0 = q0.reshaped(3, 3);
  const VectorXd v0 = (R0 * hat(Omega)).reshaped();
  const Step step(kernels, q0, v0);
  const Matrix3d R1 = step.q1.reshaped(3, 3), F = R0.transpose() * R1, R1_rate = step.v1.reshaped(3, 3);
  EXPECT_LT((step.P0 - J * Omega).norm(), 1e-14);
  EXPECT_LT((step.guess - Omega).norm(), 1e-14);
  EXPECT_LT((F.transpose() * F - Matrix3d::Identity()).norm(), 1e-14);
  EXPECT_GT((F - Matrix3d::Identity()).norm(), 0.1);
  EXPECT_LT((h * hat(step.P0) - (F * J_d - J_d * F.transpose())).norm(), 1e-14);
  EXPECT_LT((R1 * step.P1 - R0 * step.P0).norm(), 1e-14);
  EXPECT_LT((R1_rate - R1 * hat(J.inverse() * step.P1)).norm(), 1e-13);
}

TEST(StepKernels, FollowParameters) {
  StepKernels kernels = step_kernels(double_pendulum(), Quadrature::trapezoidal);
  kernels.set_parameters(VectorXd{{2 * m1, m2, l1, l2}});
  const Start start;
  const Step step(kernels, start.q, start.v);
  EXPECT_LT((step.P0.head(3) - 2 * m1 * l1 * l1 * start.v.head(3)).norm(), 1e-14);
  EXPECT_GT((step.q1 - Oracle(Quadrature::trapezoidal, start.q, start.v).q1).norm(), 1e-4);
}

// None changes its sign between no motion and the solution, unless the step is too long.
TEST(StepKernels, PivotsTellAStepThatIsTooLong) {
  const Kernel kernel = step_pivots(double_pendulum(), Quadrature::trapezoidal);
  const StepKernels kernels = step_kernels(double_pendulum(), Quadrature::trapezoidal);
  const Start start;
  const Step step(kernels, start.q, start.v);
  VectorXd scratch(static_cast<Eigen::Index>(kernel.program().scratch_size()) + 1);
  const auto pivots = [&](const VectorXd& W) {
    VectorXd result(8);
    kernel.run<6, 1>({start.q.data(), step.P0.data(), W.data(), step.lambda.data(), nullptr, step.clock.data()},
                     {result.data()}, scratch.data());
    return result;
  };
  const VectorXd rest = pivots(VectorXd::Zero(6));
  EXPECT_GT(pivots(step.W).cwiseQuotient(rest).minCoeff(), 0.9);
  // A direction that turns by more than a quarter turn: C(q0) and C(q1) are opposed.
  VectorXd far = VectorXd::Zero(6);
  far.head(3) = -1.5 * start.q.head(3) / h;
  far.tail(3) = l1 * far.head(3);  // the second one stays
  EXPECT_LT(pivots(far).cwiseQuotient(rest).minCoeff(), 0);
}

}  // namespace
}  // namespace hamel::step_kernels_test
