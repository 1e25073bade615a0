#include "hamel/model/lower.hpp"

#include <Eigen/LU>
#include <cmath>

#include "hamel/graph/print.hpp"
#include "model/numbers.hpp"

namespace hamel {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d hat_of(const Vector3d& a) { return (Matrix3d() << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0).finished(); }
Vector3d vee_of(const Matrix3d& A) { return 0.5 * Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)); }
MatrixXd one(double value) { return MatrixXd::Constant(1, 1, value); }

// A model with one coordinate of every kind; its energies are not looked at.
struct LowerTest : testing::TestWithParam<unsigned> {
  Model model{"test"};
  Matrix3d J_value = (Matrix3d() << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4).finished();
  Formula m = model.parameter("m", 1.7), k = model.parameter("k", {0.3, 0.4}), J = model.parameter("J", J_value);
  Formula x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(3)), s = model.coordinate("s", Rn(1));
  Formula q = model.coordinate<S2>("q"), a = model.coordinate<S1>("a");
  Formula R = model.coordinate<SO3>("R"), pose = model.coordinate<SE3>("pose");
  Formula u = model.input("u", 2), w = model.input("w");
  std::optional<Numbers> numbers;
  Vector3d X, Y, Q, dX, dQ;
  Matrix3d RR, dR;
  double S = 0;

  void SetUp() override {
    model.kinetic(squared_norm(rate(x)) + squared_norm(rate(y)) + pow(rate(s), 2) + squared_norm(rate(q)));
    model.kinetic(squared_norm(rate(a)) + squared_norm(omega(R)) + squared_norm(omega(pose)) +
                  squared_norm(rate(position(pose))));
    numbers.emplace(model, GetParam());
    X = numbers->q_of(0), Y = numbers->q_of(1), S = numbers->q_of(2)(0), Q = numbers->q_of(3);
    dX = numbers->v_of(0), dQ = numbers->v_of(3);
    RR = shaped(numbers->q_of(5), 3, 3), dR = shaped(numbers->v_of(5), 3, 3);
  }
  MatrixXd value(const Formula& formula) { return numbers->value(formula); }
};

TEST_P(LowerTest, LeavesAndArithmetic) {
  EXPECT_MATRIX_NEAR(value(Formula(J_value)), J_value, 1e-15);
  EXPECT_MATRIX_NEAR(value(J), J_value, 1e-15);
  EXPECT_MATRIX_NEAR(value(k), Eigen::Vector2d(0.3, 0.4), 1e-15);
  EXPECT_MATRIX_NEAR(value(R), RR, 1e-15);
  EXPECT_MATRIX_NEAR(value(u), numbers->u.head(2), 1e-15);
  EXPECT_MATRIX_NEAR(value(w), numbers->u.tail(1), 1e-15);
  EXPECT_MATRIX_NEAR(value(model.time()), one(0.7), 1e-15);
  EXPECT_MATRIX_NEAR(value(x + y), X + Y, 1e-14);
  EXPECT_MATRIX_NEAR(value(x - y), X - Y, 1e-14);
  EXPECT_MATRIX_NEAR(value(-R), -RR, 1e-14);
  EXPECT_MATRIX_NEAR(value(m * x), 1.7 * X, 1e-14);
  EXPECT_MATRIX_NEAR(value(x * m), 1.7 * X, 1e-14);
  EXPECT_MATRIX_NEAR(value(R * J * x), RR * J_value * X, 1e-13);
  EXPECT_MATRIX_NEAR(value(transpose(x) * J * x), X.transpose() * J_value * X, 1e-13);
  EXPECT_MATRIX_NEAR(value(x * transpose(y)), X * Y.transpose(), 1e-14);
  EXPECT_MATRIX_NEAR(value(R / m), RR / 1.7, 1e-14);
}

TEST_P(LowerTest, VectorsAndMatrices) {
  EXPECT_MATRIX_NEAR(value(dot(x, y)), one(X.dot(Y)), 1e-14);
  EXPECT_MATRIX_NEAR(value(cross(x, y)), X.cross(Y), 1e-14);
  EXPECT_MATRIX_NEAR(value(norm(x)), one(X.norm()), 1e-14);
  EXPECT_MATRIX_NEAR(value(squared_norm(x)), one(X.squaredNorm()), 1e-14);
  EXPECT_MATRIX_NEAR(value(hat(x)), hat_of(X), 1e-15);
  EXPECT_MATRIX_NEAR(value(vee(R)), vee_of(RR), 1e-15);
  EXPECT_MATRIX_NEAR(value(transpose(R)), RR.transpose(), 1e-15);
  EXPECT_MATRIX_NEAR(value(trace(R * J)), one((RR * J_value).trace()), 1e-13);
  EXPECT_MATRIX_NEAR(value(determinant(J + R)), one((J_value + RR).determinant()), 1e-12);
  EXPECT_MATRIX_NEAR(value(R(1, 2)), one(RR(1, 2)), 1e-15);
  EXPECT_MATRIX_NEAR(value(x.y()), one(X(1)), 1e-15);
  EXPECT_MATRIX_NEAR(value(R.column(2)), RR.col(2), 1e-15);
  EXPECT_MATRIX_NEAR(value(Formula::vector({m, x.z()})), Eigen::Vector2d(1.7, X(2)), 1e-15);
  EXPECT_MATRIX_NEAR(value(Formula::columns({x, y})), (MatrixXd(3, 2) << X, Y).finished(), 1e-15);
  const MatrixXd g = shaped(numbers->q_of(6), 3, 4);
  EXPECT_MATRIX_NEAR(value(rotation(pose)), g.leftCols(3), 1e-15);
  EXPECT_MATRIX_NEAR(value(position(pose)), g.col(3), 1e-15);
}

TEST_P(LowerTest, LargeDeterminant) {
  const MatrixXd A = MatrixXd::Random(6, 6);
  EXPECT_MATRIX_NEAR(value(determinant(Formula(A) * s)), one((A * S).determinant()), 1e-11);
}

TEST_P(LowerTest, Functions) {
  const double b = 0.5 * std::tanh(S);  // inside the domain of all of them
  const Formula f = 0.5 * tanh(s);
  EXPECT_MATRIX_NEAR(value(f), one(b), 1e-14);
  EXPECT_MATRIX_NEAR(value(sqrt(1 + f)), one(std::sqrt(1 + b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(log(1 + f)), one(std::log(1 + b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(exp(f)), one(std::exp(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(sin(f)), one(std::sin(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(cos(f)), one(std::cos(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(tan(f)), one(std::tan(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(asin(f)), one(std::asin(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(acos(f)), one(std::acos(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(sinh(f)), one(std::sinh(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(cosh(f)), one(std::cosh(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(abs(f)), one(std::abs(b)), 1e-14);
  EXPECT_MATRIX_NEAR(value(atan2(f, m)), one(std::atan2(b, 1.7)), 1e-14);
  EXPECT_MATRIX_NEAR(value(min(f, x.x())), one(std::min(b, X(0))), 1e-14);
  EXPECT_MATRIX_NEAR(value(max(f, x.x())), one(std::max(b, X(0))), 1e-14);
  EXPECT_MATRIX_NEAR(value(pow(1 + f, m)), one(std::pow(1 + b, 1.7)), 1e-14);
  EXPECT_MATRIX_NEAR(value(pow(f, 3)), one(b * b * b), 1e-14);
  EXPECT_MATRIX_NEAR(value(less(f, 0)), one(b < 0 ? 1 : 0), 1e-15);
  EXPECT_MATRIX_NEAR(value(less_equal(x.x(), x.x())), one(1), 1e-15);
  EXPECT_MATRIX_NEAR(value(select(less(f, 0), x, y)), b < 0 ? X : Y, 1e-15);
}

TEST_P(LowerTest, AngularVelocities) {
  const VectorXd A = numbers->q_of(4), dA = numbers->v_of(4);
  const MatrixXd g = shaped(numbers->q_of(6), 3, 4), dg = shaped(numbers->v_of(6), 3, 4);
  EXPECT_MATRIX_NEAR(value(omega(a)), one(A(0) * dA(1) - A(1) * dA(0)), 1e-14);
  EXPECT_MATRIX_NEAR(value(omega(q)), Q.cross(dQ), 1e-14);
  EXPECT_MATRIX_NEAR(value(hat(omega(R))), RR.transpose() * dR, 1e-14);
  EXPECT_MATRIX_NEAR(value(omega(pose)), vee_of(g.leftCols(3).transpose() * dg.leftCols(3)), 1e-14);
  EXPECT_MATRIX_NEAR(value(omega(rotation(pose))), value(omega(pose)), 1e-15);
}

// Along q + h v, t + h, which is a curve in the ambient space.
TEST_P(LowerTest, RatesAgreeWithDifferencesAlongACurve) {
  const Formula t = model.time();
  const std::vector<Formula> formulas = {m * x + cross(q, R * y), norm(x + exp(s) * q) * sin(t * s) * x,
                                         hat(x) * R * J / (2 + squared_norm(y)),
                                         pow(2 + cos(s), m) * select(less(x.x(), 10), rotation(pose) * q, y),
                                         determinant(R + J) * atan2(x.x(), 3 + t) * Formula::columns({x, y})};
  for (const Formula& formula : formulas) {
    const MatrixXd exact = value(rate(formula));
    const VectorXd q0 = numbers->q;
    const auto along = [&](double h) {
      numbers->q = q0 + h * numbers->v;
      numbers->t = 0.7 + h;
      return value(formula);
    };
    const double h = 1e-3;
    const MatrixXd difference = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h);
    along(0);
    EXPECT_MATRIX_NEAR(exact, difference, 1e-8 * (1 + exact.cwiseAbs().maxCoeff()));
  }
}

INSTANTIATE_TEST_SUITE_P(RandomStates, LowerTest, testing::Values(1U, 2U, 3U));

TEST(Lower, NamesVariablesAsTheyPrint) {
  Model model("names");
  model.parameter("m", 1.0);
  model.parameter("l", {1.0, 2.0});
  const auto q = model.coordinates<S2>("q", 2);
  const Formula R = model.coordinate<SO3>("R"), s = model.coordinate("s", Rn(1)), z = model.coordinate("z", Rn(4));
  model.input("u", 2);
  model.hamiltonian(squared_norm(model.momentum(q[0])) + squared_norm(model.momentum(q[1])) + trace(model.momentum(R)) +
                    model.momentum(s) + squared_norm(model.momentum(z)));
  const Numbers numbers(model);
  const LoweredModel& lowered = numbers.lowered;
  EXPECT_EQ(print(lowered.q[3]), "q[1].x");
  EXPECT_EQ(print(lowered.v[3]), "q'[1].x");
  EXPECT_EQ(print(lowered.q[7]), "R[1,0]");
  EXPECT_EQ(print(lowered.v[7]), "R'[1,0]");
  EXPECT_EQ(print(lowered.q[15]), "s");
  EXPECT_EQ(print(lowered.v[15]), "s'");
  EXPECT_EQ(print(lowered.q[18]), "z[2]");
  EXPECT_EQ(print(lowered.mu[0]), "mu_q[0].x");
  EXPECT_EQ(print(lowered.u[1]), "u[1]");
  EXPECT_EQ(print(lowered.parameters[0]), "m");
  EXPECT_EQ(print(lowered.parameters[2]), "l[1]");
  EXPECT_EQ(lowered.offsets, (std::vector<int>{0, 3, 6, 15, 16, 20}));
  EXPECT_EQ(lowered.hamiltonian.size(), 5U);
}

TEST(Lower, DoubleSphericalPendulum) {
  Model model("double spherical pendulum");
  const Formula m = model.parameter("m", {1.0, 2.0}), l = model.parameter("l", {9.81, 4.0});
  const Formula g = model.parameter("g", 9.81);
  const auto q = model.coordinates<S2>("q", 2);
  const Formula x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)) + m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-(m[0] * g * x1.z() + m[1] * g * x2.z()));
  const Numbers n(model);
  ASSERT_EQ(n.lowered.kinetic.size(), 2U);
  ASSERT_EQ(n.lowered.potential.size(), 2U);
  const VectorXd v2 = 9.81 * n.v_of(0) + 4.0 * n.v_of(1), z2 = 9.81 * n.q_of(0) + 4.0 * n.q_of(1);
  EXPECT_NEAR(n.value(n.lowered.kinetic[1]), v2.squaredNorm(), 1e-12 * v2.squaredNorm());
  EXPECT_NEAR(n.value(n.lowered.potential[1]), -2 * 9.81 * z2(2), 1e-10);
}

TEST(Lower, ForcesArePairedWithRates) {
  Model model("forces");
  const Formula x = model.coordinate("x", Rn(3)), pose = model.coordinate<SE3>("pose"), u = model.input("u", 6);
  model.kinetic(squared_norm(rate(x)) + squared_norm(omega(pose)) + squared_norm(rate(position(pose))));
  model.dissipation(squared_norm(rate(x)));
  model.dissipation(pow(rate(x).x(), 2));
  const Formula tip = model.point("tip", x + rotation(pose) * unit_vector(0));
  model.force(tip, u[0] * unit_vector(2));
  model.torque(pose, u);
  model.constraint("loop", x - position(pose));
  model.constraint("length", squared_norm(x) - 1);
  Numbers n(model);
  ASSERT_EQ(n.lowered.forces.size(), 7U);  // what is zero is none
  const MatrixXd g = shaped(n.q_of(1), 3, 4), dg = shaped(n.v_of(1), 3, 4);
  EXPECT_NEAR(n.value(n.lowered.forces[0].first), n.u(0), 1e-15);
  EXPECT_NEAR(n.value(n.lowered.forces[0].second), n.v(2) + dg(2, 0), 1e-14);
  const MatrixXd body_rates = g.leftCols(3).transpose() * dg;
  EXPECT_NEAR(n.value(n.lowered.forces[1].second), body_rates(2, 1), 1e-14);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(n.value(n.lowered.forces[4 + static_cast<std::size_t>(i)].first), n.u(3 + i), 1e-15);
    EXPECT_NEAR(n.value(n.lowered.forces[4 + static_cast<std::size_t>(i)].second), body_rates(i, 3), 1e-14);
  }
  EXPECT_NEAR(n.value(n.lowered.rayleigh), n.v_of(0).squaredNorm() + n.v(0) * n.v(0), 1e-14);
  EXPECT_EQ(n.lowered.constraint_names, (std::vector<std::string>{"loop[0]", "loop[1]", "loop[2]", "length"}));
  EXPECT_NEAR(n.value(n.lowered.constraints[1]), n.q(1) - g(1, 3), 1e-15);
  ASSERT_EQ(n.lowered.points.size(), 1U);
  EXPECT_NEAR(n.value(n.lowered.points[0](2)), n.q(2) + g(2, 0), 1e-15);
}

// A copy of a model that went its own way.
TEST(Lower, RefusesSymbolsThatTheModelDoesNotHave) {
  Model model("original");
  const Formula x = model.coordinate("x", Rn(1));
  model.kinetic(pow(rate(x), 2));
  Model copy = model;
  const Formula y = copy.coordinate("y", Rn(1));
  Numbers n(model);
  EXPECT_EQ(message_of([&] { n.value(y); }),
            "unknown symbol y: it is not a coordinate of model \"original\"; formulas of one model cannot be used in "
            "another");
}

}  // namespace
}  // namespace hamel
