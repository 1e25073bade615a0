// Schur forms in order, linear and quadratic matrix equations, against SciPy (riccati_cases.py) and closed forms.
#include "hamel/linear/riccati.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/lyapunov.hpp"
#include "message.hpp"

namespace hamel::linear::test {
namespace {

struct RiccatiCase {
  const char* name;
  bool discrete;
  Index states, inputs;
  std::vector<double> A, B, Q, R, P;
};
struct SchurCase {
  const char* name;
  Index states, chosen;
  std::vector<double> A, projection;
};
#include "linear/riccati_cases.inc"

MatrixXd matrix(const std::vector<double>& entries, Index rows) {
  return Eigen::Map<const MatrixXd>(entries.data(), rows, static_cast<Index>(entries.size()) / rows);
}
MatrixXd random_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}
double relative(const MatrixXd& found, const MatrixXd& expected) { return (found - expected).norm() / expected.norm(); }

double residual(const Schur& form, const MatrixXd& A) {
  return (form.U * form.T * form.U.adjoint() - A.cast<Complex>()).norm() / A.norm();
}

Index bring_stable_to_front(Schur& form) {
  std::vector<bool> stable;
  for (const Complex lambda : form.T.diagonal()) stable.push_back(lambda.real() < 0);
  return bring_to_front(form, stable);
}

TEST(SchurForm, InTheOrderAsked) {
  for (const SchurCase& one : schur_cases) {
    const MatrixXd A = matrix(one.A, one.states);
    Schur form = schur(A);
    EXPECT_EQ(bring_stable_to_front(form), one.chosen) << one.name;
    EXPECT_LE(residual(form, A), 1e-14);
    EXPECT_LE((form.U.adjoint() * form.U - MatrixXcd::Identity(one.states, one.states)).norm(), 1e-14);
    for (Index i = 0; i < one.states; ++i) EXPECT_EQ(form.T(i, i).real() < 0, i < one.chosen);
    const MatrixXcd first = form.U.leftCols(one.chosen), projection = first * first.adjoint();
    EXPECT_LE(relative(projection.real(), matrix(one.projection, one.states)), 1e-12) << one.name;
    EXPECT_LE(projection.imag().norm(), 1e-12);
  }
}

TEST(SchurForm, KeepsEqualEigenvaluesApartFromOthers) {
  MatrixXd A = MatrixXd::Zero(4, 4);
  A.diagonal() << 1, -2, 1, -2;
  A(0, 1) = 3;
  A(1, 2) = 5;
  Schur form = schur(A);
  EXPECT_EQ(bring_stable_to_front(form), 2);
  EXPECT_LE(residual(form, A), 1e-15);
  EXPECT_LE(std::abs(form.T(0, 0) + 2.0) + std::abs(form.T(1, 1) + 2.0), 1e-14);
}

TEST(SchurForm, OfWhatIsNotFinite) {
  const MatrixXd A = MatrixXd::Constant(2, 2, NAN);
  EXPECT_THROW(schur(A), std::domain_error);
  EXPECT_EQ(schur(MatrixXd()).T.size(), 0);
}

// A block of three splits its eigenvalue by 1e-5, and the mean is that of the block.
TEST(Clusters, MeanOfABlock) {
  const MatrixXd S = random_matrix(4, 4, 1);
  MatrixXd J = MatrixXd::Zero(4, 4);
  J.diagonal() << 2, 2, 2, -1;
  J(0, 1) = J(1, 2) = 1;
  const std::vector<Cluster> found = clusters(eigenvalues(S * J * inverse(S)), 1e-3);
  ASSERT_EQ(found.size(), 2U);
  const Cluster& block = found[found[0].members.size() == 3 ? 0 : 1];
  EXPECT_LE(std::abs(block.mean - 2.0), 1e-12);
}

TEST(LinearMatrixEquations, LeaveNothing) {
  const MatrixXd A = random_matrix(7, 7, 2), half = random_matrix(7, 7, 3), Q = half + half.transpose();
  const MatrixXd X = solve_lyapunov(A, Q), Y = solve_stein(A, Q);
  EXPECT_LE((A.transpose() * X + X * A + Q).norm(), 1e-12 * A.norm() * X.norm());
  EXPECT_LE((A.transpose() * Y * A - Y + Q).norm(), 1e-12 * A.norm() * Y.norm() * A.norm());
}

TEST(LinearMatrixEquations, WithoutASolution) {
  const MatrixXd A = Eigen::Vector2d(1, -1).asDiagonal(), Q = MatrixXd::Ones(2, 2);
  EXPECT_THROW(solve_lyapunov(A, Q), std::domain_error);
  EXPECT_THROW(solve_stein(A, Q), std::domain_error);
}

TEST(RiccatiEquation, AsSciPySolvesIt) {
  for (const RiccatiCase& one : riccati_cases) {
    const MatrixXd A = matrix(one.A, one.states), B = matrix(one.B, one.states), Q = matrix(one.Q, one.states),
                   R = matrix(one.R, one.inputs);
    const Riccati found = (one.discrete ? solve_discrete_riccati : solve_riccati)(A, B, Q, R);
    EXPECT_LE(relative(found.P, matrix(one.P, one.states)), 1e-9) << one.name;
    EXPECT_LE(found.residual, 1e-13) << one.name;
    for (const Complex lambda : found.closed_loop)
      EXPECT_LT(one.discrete ? std::abs(lambda) - 1 : lambda.real(), 0) << one.name;
  }
}

// x'' = u with the cost x^2 + u^2: P = [sqrt(3), 1; 1, sqrt(3)] for a weight of one on x', sqrt(2) for none.
TEST(RiccatiEquation, OfADoubleIntegrator) {
  MatrixXd A = MatrixXd::Zero(2, 2), Q = MatrixXd::Zero(2, 2);
  A(0, 1) = Q(0, 0) = 1;
  const Riccati found = solve_riccati(A, Eigen::Vector2d(0, 1), Q, MatrixXd::Ones(1, 1));
  EXPECT_NEAR(found.gain(0, 0), 1, 1e-14);
  EXPECT_NEAR(found.gain(0, 1), std::sqrt(2), 1e-14);
}

// Each x' = a x + u has p = a + sqrt(a^2 + q); rotated, they are a problem of 100 states.
TEST(RiccatiEquation, OfHundredStates) {
  constexpr Index n = 100;
  const MatrixXd V = orthonormal_columns(random_matrix(n, n, 5));
  VectorXd a = VectorXd::LinSpaced(n, -3, 4), p = (a.array() + (a.array().square() + 2).sqrt()).matrix();
  const MatrixXd A = V * a.asDiagonal() * V.transpose(), I = MatrixXd::Identity(n, n);
  const Riccati found = solve_riccati(A, I, 2 * I, I);
  EXPECT_LE(relative(found.P, V * p.asDiagonal() * V.transpose()), 1e-12);
  EXPECT_LE(found.residual, 1e-14);
}

// Two equal oscillators that one force pushes alike: the difference of the two goes its own way.
TEST(RiccatiEquation, NamesTheModeThatCannotBeMoved) {
  MatrixXd A = MatrixXd::Zero(4, 4);
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -9 * MatrixXd::Identity(2, 2);
  const Eigen::Vector4d B(0, 0, 1, 1);
  const MatrixXd I = MatrixXd::Identity(4, 4), R = MatrixXd::Ones(1, 1);
  ASSERT_EQ(uncontrollable_modes(A, B).size(), 2U);
  try {
    solve_riccati(A, B, I, R);
    FAIL() << "solved";
  } catch (const NotStabilizable& failure) {
    EXPECT_LE(std::abs(std::abs(failure.mode.eigenvalue) - 3), 1e-12);
    ASSERT_EQ(failure.mode.vectors.cols(), 1);
    const VectorXcd w = failure.mode.vectors.col(0);
    EXPECT_LE(std::abs(w(0) + w(1)) + std::abs(w(2) + w(3)), 1e-12);
    EXPECT_NE(std::string(failure.what()).find("no input moves the mode of eigenvalue"), std::string::npos);
  }
  A.bottomRightCorner(2, 2) = -MatrixXd::Identity(2, 2);  // with friction it comes to rest by itself
  EXPECT_LE(solve_riccati(A, B, I, R).residual, 1e-14);
}

// A place without a weight drifts: a usual solver answers with eigenvalues of 1e-9.
TEST(RiccatiEquation, NamesTheModeThatIsNotWeighed) {
  MatrixXd A = MatrixXd::Zero(2, 2), Q = MatrixXd::Zero(2, 2);
  A(0, 1) = 1;
  Q(1, 1) = 1;
  const Eigen::Vector2d B(0, 1);
  EXPECT_THROW(solve_riccati(A, B, Q, MatrixXd::Ones(1, 1)), NotDetectable);
  const MatrixXd step = exponential(A);
  EXPECT_THROW(solve_discrete_riccati(step, B, Q, MatrixXd::Ones(1, 1)), NotDetectable);
}

// A chain of four integrators, turned so that no zero is left in A: its eigenvalue splits by 1e-4.
TEST(RiccatiEquation, OfBlocksOfFour) {
  const MatrixXd V = orthonormal_columns(random_matrix(8, 8, 8));
  MatrixXd J = MatrixXd::Zero(8, 8), B = MatrixXd::Zero(8, 2);
  for (const Index i : {0, 1, 2, 4, 5, 6}) J(i, i + 1) = 1;
  B(3, 0) = B(7, 1) = 1;
  const MatrixXd A = V * J * V.transpose(), I = MatrixXd::Identity(8, 8), R = MatrixXd::Identity(2, 2);
  EXPECT_TRUE(uncontrollable_modes(A, V * B).empty());
  EXPECT_LE(solve_riccati(A, V * B, I, R).residual, 1e-13);
  B(7, 1) = 0;
  const std::vector<HiddenMode> modes = uncontrollable_modes(A, V * B);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_EQ(modes[0].vectors.cols(), 4);
  EXPECT_LE(std::abs(modes[0].eigenvalue), 1e-9);
  EXPECT_THROW(solve_riccati(A, V * B, I, R), NotStabilizable);
}

TEST(RiccatiEquation, Refusals) {
  const MatrixXd I = MatrixXd::Identity(2, 2), one = MatrixXd::Ones(1, 1);
  const Eigen::Vector2d B(0, 1);
  const auto message = [&](const MatrixXd& Q, const MatrixXd& R) {
    return hamel::test::message_of([&] { solve_riccati(I, B, Q, R); });
  };
  EXPECT_EQ(message(I, -one), "the weight R of the inputs is not positive definite: its smallest eigenvalue is -1");
  EXPECT_EQ(message(-I, one), "the weight Q of the states is not positive semidefinite: it has the eigenvalue -1");
  EXPECT_NE(message(I, I).find("R 2 x 2"), std::string::npos);
  EXPECT_NE(message(NAN * I, one).find("not finite"), std::string::npos);
}

TEST(Diagonalise, GivesEigenvaluesVectorsAndTheirInverse) {
  const MatrixXd A = random_matrix(7, 7, 5);  // real eigenvalues and pairs
  const Diagonal form = diagonalise(A);
  const MatrixXcd whole = form.vectors * form.values.asDiagonal() * form.inverse;
  EXPECT_LT((whole - A.cast<Complex>()).norm(), 1e-12 * A.norm());
  EXPECT_LT((form.vectors * form.inverse - MatrixXcd::Identity(7, 7)).norm(), 1e-12);
}

}  // namespace
}  // namespace hamel::linear::test
