#include <algorithm>

#include "model/numbers.hpp"

namespace hamel {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

const Matrix3d J_value = (Matrix3d() << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4).finished();

Vector3d body_omega(const Numbers& n) {
  const Matrix3d A = shaped(n.q_of(0), 3, 3).transpose() * shaped(n.v_of(0), 3, 3);
  return {A(2, 1), A(0, 2), A(1, 0)};
}

bool free_of(Expr f, const std::vector<Expr>& variables) {
  for (const Expr leaf : dependencies(std::span(&f, 1)))
    if (std::find(variables.begin(), variables.end(), leaf) != variables.end()) return false;
  return true;
}

// Quadratic in q' with a Hessian of parameters only, and free of q.
void expect_constant_mass(const Numbers& n, Expr term) {
  EXPECT_TRUE(free_of(term, n.lowered.q));
  for (const Entry& entry : hessian(term, n.lowered.v)) {
    EXPECT_TRUE(free_of(entry.value, n.lowered.v));
    EXPECT_TRUE(free_of(entry.value, n.lowered.q));
  }
}

struct RigidBodyTest : testing::Test {
  Model model{"top"};
  Formula R = model.coordinate<SO3>("R"), J = model.parameter("J", J_value), m = model.parameter("m", 1.5);
};

TEST_F(RigidBodyTest, QuadraticEnergyBecomesNonstandardInertia) {
  model.kinetic(dot(omega(R), J * omega(R)) / 2);
  Numbers n(model);
  ASSERT_EQ(n.lowered.kinetic.size(), 1U);
  expect_constant_mass(n, n.lowered.kinetic[0]);
  const Vector3d Omega = body_omega(n);
  EXPECT_NEAR(n.value(n.lowered.kinetic[0]), 0.5 * Omega.dot(J_value * Omega), 1e-13);
  n.v.setRandom();  // off the tangent space it is 1/2 tr(R' J_d R'^T)
  const Matrix3d dR = shaped(n.v, 3, 3), J_d = J_value.trace() / 2 * Matrix3d::Identity() - J_value;
  EXPECT_NEAR(n.value(n.lowered.kinetic[0]), 0.5 * (dR * J_d * dR.transpose()).trace(), 1e-13);
}

TEST_F(RigidBodyTest, OnlyTheSymmetricPartOfTheInertiaCounts) {
  Matrix3d skewed = J_value;
  skewed(0, 1) += 0.5;
  model.kinetic(dot(omega(R), Formula(skewed) * omega(R)) / 2);
  const Numbers n(model);
  expect_constant_mass(n, n.lowered.kinetic[0]);
  const Vector3d Omega = body_omega(n);
  EXPECT_NEAR(n.value(n.lowered.kinetic[0]), 0.5 * Omega.dot(skewed * Omega), 1e-13);
}

TEST_F(RigidBodyTest, LinearAndConstantPartsAreKept) {
  // A body in a frame that turns: the quadratic part is constant, the linear part depends on R.
  const Formula W = omega(R) + transpose(R) * unit_vector(2);
  model.lagrangian(dot(W, J * W) / 2);
  Numbers n(model);
  const Matrix3d attitude = shaped(n.q, 3, 3);
  const Vector3d w = body_omega(n) + attitude.transpose() * Vector3d::UnitZ();
  EXPECT_NEAR(n.sum(n.lowered.lagrangian), 0.5 * w.dot(J_value * w), 1e-13);
  for (const Entry& entry : hessian(n.lowered.lagrangian[0], n.lowered.v))
    EXPECT_TRUE(free_of(entry.value, n.lowered.q));
}

TEST_F(RigidBodyTest, OtherEnergiesAreWrittenWithTheSkewPart) {
  const Formula w = omega(R);
  model.kinetic(pow(squared_norm(w), 2));           // not quadratic
  model.kinetic((2 + R(0, 0)) * squared_norm(w));   // not constant
  model.kinetic(squared_norm(w) * less(0, w.x()));  // not smooth
  model.kinetic(m * squared_norm(w) + abs(w.x()));  // a quadratic term and one that is not smooth
  Numbers n(model);
  n.v.setRandom();
  const Matrix3d A = shaped(n.q, 3, 3).transpose() * shaped(n.v, 3, 3);
  const Vector3d W = 0.5 * Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
  ASSERT_EQ(n.lowered.kinetic.size(), 5U);
  EXPECT_NEAR(n.value(n.lowered.kinetic[0]), std::pow(W.squaredNorm(), 2), 1e-13);
  EXPECT_NEAR(n.value(n.lowered.kinetic[1]), (2 + n.q(0)) * W.squaredNorm(), 1e-13);
  EXPECT_NEAR(n.value(n.lowered.kinetic[2]), W(0) > 0 ? W.squaredNorm() : 0, 1e-13);
  expect_constant_mass(n, n.lowered.kinetic[3]);
  EXPECT_NEAR(n.value(n.lowered.kinetic[4]), std::abs(W(0)), 1e-13);
}

TEST_F(RigidBodyTest, SeveralBodiesInOneTerm) {
  const Formula P = model.coordinate<SO3>("P"), relative = omega(R) - omega(P);
  model.kinetic(dot(relative, J * relative) / 2);
  const Numbers n(model);
  const auto body_rate = [&](std::size_t k) -> Vector3d {
    const Matrix3d A = shaped(n.q_of(k), 3, 3).transpose() * shaped(n.v_of(k), 3, 3);
    return {A(2, 1), A(0, 2), A(1, 0)};
  };
  const Vector3d w = body_rate(0) - body_rate(1);
  EXPECT_NEAR(n.sum(n.lowered.kinetic), 0.5 * w.dot(J_value * w), 1e-13);
  // The square of one rate alone is in J_d form: its part of the Hessian is free of q.
  const std::span first(n.lowered.v.data(), 9);
  for (const Entry& entry : hessian(n.lowered.kinetic[0], first)) EXPECT_TRUE(free_of(entry.value, n.lowered.q));
}

TEST_F(RigidBodyTest, BodyHasTheEnergyOfItsParticles) {
  const Vector3d c(0.1, -0.2, 0.3);
  const Formula x = model.coordinate("x", Rn(3));
  const Formula center =
      model.body("body", {.attitude = R, .position = x, .mass = m, .inertia = J, .center_of_mass = Formula(c)});
  Numbers n(model);
  const Matrix3d attitude = shaped(n.q_of(0), 3, 3);
  const Vector3d Omega = body_omega(n), V = attitude.transpose() * n.v_of(1);
  // book (7.13)
  const double expected = 0.5 * 1.5 * V.squaredNorm() + 1.5 * Omega.dot(c.cross(V)) + 0.5 * Omega.dot(J_value * Omega);
  EXPECT_NEAR(n.sum(n.lowered.kinetic), expected, 1e-13);
  for (const Expr term : n.lowered.kinetic) expect_constant_mass(n, term);
  EXPECT_MATRIX_NEAR(n.value(center), n.q_of(1) + attitude * c, 1e-14);
}

TEST(AngularVelocity, PoseKeepsItsRotation) {
  Model model("pose");
  const Formula pose = model.coordinate<SE3>("pose"), w = omega(pose);
  model.kinetic(dot(w, Formula(J_value) * w) / 2);
  model.kinetic(squared_norm(rate(position(pose))) / 2);
  const Numbers n(model);
  const MatrixXd g = shaped(n.q, 3, 4), dg = shaped(n.v, 3, 4);
  const Matrix3d A = g.leftCols(3).transpose() * dg.leftCols(3);
  const Vector3d Omega(A(2, 1), A(0, 2), A(1, 0));
  EXPECT_NEAR(n.value(n.lowered.kinetic[0]), 0.5 * Omega.dot(J_value * Omega), 1e-13);
  expect_constant_mass(n, n.lowered.kinetic[0]);
}

TEST(AngularVelocity, SphereEnergyBecomesSquaredRate) {
  Model model("sphere");
  const Formula q = model.coordinate<S2>("q"), m = model.parameter("m", 3.0);
  model.kinetic(m / 2 * squared_norm(omega(q)));
  model.lagrangian(m * pow(omega(q).z(), 2));  // not isotropic
  model.lagrangian(m * omega(q).z());
  Numbers n(model);
  n.v.setRandom();
  const Vector3d Q = n.q, dQ = n.v;
  EXPECT_NEAR(n.value(n.lowered.kinetic[0]), 1.5 * dQ.squaredNorm(), 1e-14);
  EXPECT_NEAR(n.value(n.lowered.lagrangian[0]), 3 * std::pow(Q.cross(dQ)(2), 2), 1e-14);
  EXPECT_NEAR(n.value(n.lowered.lagrangian[1]), 3 * Q.cross(dQ)(2), 1e-14);
}

TEST(AngularVelocity, CircleEnergyBecomesSquaredRate) {
  Model model("circle");
  const Formula q = model.coordinate<S1>("q"), m = model.parameter("m", 3.0);
  model.kinetic(m / 2 * pow(omega(q) + 1, 2));
  Numbers n(model);
  n.v.setRandom();
  const double w = n.q(0) * n.v(1) - n.q(1) * n.v(0);
  EXPECT_NEAR(n.sum(n.lowered.kinetic), 1.5 * (n.v.squaredNorm() + 2 * w + 1), 1e-14);
}

}  // namespace
}  // namespace hamel
