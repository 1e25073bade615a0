#include "hamel/linear/riccati.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/lyapunov.hpp"
#include "hamel/linear/product.hpp"

namespace hamel::linear {
namespace {

constexpr double on_the_border = 1e-9;  // Re lambda, or |lambda| - 1, of a mode that neither grows nor decays

struct Problem {
  const MatrixXd &A, &B, &Q, &R;
  bool discrete;
  MatrixXd G = B * solve_columns(R, B.transpose());

  MatrixXd gain(const MatrixXd& P) const {
    if (!discrete) return solve_columns(R, B.transpose() * P);
    const MatrixXd BP = B.transpose() * P;
    return solve_columns(R + BP * B, BP * A);
  }
  // What is left of the equation, and the sum of the sizes of its terms.
  std::pair<MatrixXd, double> residual(const MatrixXd& P) const {
    const MatrixXd PA = P * A, linear = discrete ? MatrixXd(A.transpose() * PA) : MatrixXd(PA + PA.transpose());
    const MatrixXd quadratic = discrete ? MatrixXd(PA.transpose() * B * gain(P)) : MatrixXd(P * G * P);
    const MatrixXd left = discrete ? MatrixXd(linear - P - quadratic + Q) : MatrixXd(linear - quadratic + Q);
    const double size = (discrete ? linear.norm() + P.norm() : 2 * PA.norm()) + quadratic.norm() + Q.norm();
    return {(left + left.transpose()) / 2, size > 0 ? size : 1};
  }
  MatrixXd correction(const MatrixXd& closed, const MatrixXd& left) const {
    return discrete ? solve_stein(closed, left) : solve_lyapunov(closed, left);
  }
  double growth(Complex eigenvalue) const { return discrete ? std::abs(eigenvalue) - 1 : eigenvalue.real(); }
};

void check(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  const auto fits = [](const MatrixXd& X, Index rows, Index columns) {
    return X.rows() == rows && X.cols() == columns;
  };
  const Index n = A.rows(), m = B.cols();
  if (!fits(A, n, n) || !fits(B, n, m) || !fits(Q, n, n) || !fits(R, m, m))
    throw std::invalid_argument(fmt::format(
        "matrices of one problem: A is {} x {}, B {} x {}, Q {} x {}, R {} x {}; with n states and m inputs they are "
        "n x n, n x m, n x n, m x m",
        n, A.cols(), B.rows(), m, Q.rows(), Q.cols(), R.rows(), R.cols()));
  for (const auto& [name, X] : {std::pair("A", &A), {"B", &B}, {"Q", &Q}, {"R", &R}})
    if (!X->allFinite()) throw std::invalid_argument(fmt::format("{} has entries that are not finite", name));
  for (const auto& [name, X] : {std::pair("Q", &Q), {"R", &R}}) {
    const double skew = (*X - X->transpose()).norm();
    if (skew > 1e-12 * X->norm())
      throw std::invalid_argument(
          fmt::format("the weight {} is not symmetric: |{} - {}^T| = {:.3g}", name, name, name, skew));
  }
  const auto smallest = [](const MatrixXd& X) { return X.rows() == 0 ? 0 : eigenvalues(X).real().minCoeff(); };
  if (const double least = smallest(R); m > 0 && least <= 1e-14 * R.stableNorm())
    throw std::invalid_argument(
        fmt::format("the weight R of the inputs is not positive definite: its smallest eigenvalue is {:.3g}", least));
  if (const double least = smallest(Q); least < -1e-12 * Q.norm())
    throw std::invalid_argument(
        fmt::format("the weight Q of the states is not positive semidefinite: it has the eigenvalue {:.3g}", least));
}

// x = D y and P = cost D^-1 P_y D^-1, powers of two, after which rows and columns of Hamilton's matrix
// [A, -G; -Q, -A^T] are of like size.
struct Units {
  VectorXd D;
  double cost;
};
double power_of_two(double x) { return std::ldexp(1.0, static_cast<int>(std::lround(std::log2(x)))); }

Units balance(const MatrixXd& A, const MatrixXd& G, const MatrixXd& Q) {
  const Index n = A.rows();
  Units units{VectorXd::Ones(n), 1};
  if (Q.norm() > 0 && G.norm() > 0) units.cost = power_of_two(std::sqrt(Q.norm() / G.norm()));
  VectorXd& D = units.D;
  for (int sweep = 0; sweep < 10; ++sweep)
    for (Index i = 0; i < n; ++i) {
      double row = 0, column = 0;
      for (Index j = 0; j < n; ++j) {
        row += std::abs(G(i, j)) * units.cost / (D(i) * D(j));
        column += std::abs(Q(i, j)) / units.cost * D(i) * D(j);
        if (i == j) continue;
        row += std::abs(A(i, j)) * D(j) / D(i);
        column += std::abs(A(j, i)) * D(i) / D(j);
      }
      if (row > 0 && column > 0) D(i) *= power_of_two(std::sqrt(row / column));
    }
  return units;
}

// A mode that stands in the way of a solution is refused.
void check_modes(const Problem& problem, const Units& units) {
  const auto& D = units.D;
  const MatrixXd inverse = D.cwiseInverse().asDiagonal(), A = inverse * problem.A * D.asDiagonal(),
                 B = inverse * problem.B, Q = D.asDiagonal() * problem.Q * D.asDiagonal();
  const double border = on_the_border * (problem.discrete ? 1 : A.norm());
  for (HiddenMode& mode : uncontrollable_modes(A, B))
    if (problem.growth(mode.eigenvalue) >= -border) {
      mode.vectors = D.cwiseInverse().cast<Complex>().asDiagonal() * mode.vectors;
      throw NotStabilizable(std::move(mode));
    }
  for (HiddenMode& mode : unobservable_modes(A, Q))
    if (std::abs(problem.growth(mode.eigenvalue)) <= border) {
      mode.vectors = D.cast<Complex>().asDiagonal() * mode.vectors;
      throw NotDetectable(std::move(mode));
    }
}

// In these units; of the symplectic pencil M - lambda N = [A, 0; -Q, I] - lambda [I, G; 0, A^T] its Cayley transform
// (M + N)^-1 (M - N), which has eigenvalues (lambda - 1) / (lambda + 1).
MatrixXd hamiltonian(const Problem& problem, const Units& units) {
  const Index n = problem.A.rows();
  const auto& D = units.D;
  const MatrixXd inverse = D.cwiseInverse().asDiagonal(), A = inverse * problem.A * D.asDiagonal(),
                 G = units.cost * inverse * problem.G * inverse,
                 Q = D.asDiagonal() * problem.Q * D.asDiagonal() / units.cost, I = MatrixXd::Identity(n, n);
  MatrixXd H(2 * n, 2 * n), sum(2 * n, 2 * n);
  if (!problem.discrete) {
    H << A, -G, -Q, -A.transpose();
    return H;
  }
  H << A - I, -G, -Q, I - A.transpose();
  sum << A + I, G, -Q, I + A.transpose();
  return solve_columns(sum, H);
}

// P = X2 X1^-1 of the subspace [X1; X2] that belongs to the n eigenvalues farthest to the left.
MatrixXd solution_of_schur_form(const Problem& problem, const Units& units) {
  const Index n = problem.A.rows();
  Schur form = schur(hamiltonian(problem, units));
  std::vector<Index> order(static_cast<std::size_t>(2 * n));
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return form.T(i, i).real() < form.T(j, j).real(); });
  std::vector<bool> chosen(order.size());
  for (Index k = 0; k < n; ++k) chosen[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
  bring_to_front(form, chosen);
  MatrixXd first(2 * n, n), second(2 * n, n);  // real and imaginary parts of X1^T and X2^T: P is real
  first << form.U.topLeftCorner(n, n).real().transpose(), form.U.topLeftCorner(n, n).imag().transpose();
  second << form.U.bottomLeftCorner(n, n).real().transpose(), form.U.bottomLeftCorner(n, n).imag().transpose();
  const MatrixXd P = shortest_least_squares(first, second, 1e-15);
  const MatrixXd inverse = units.D.cwiseInverse().asDiagonal();
  return units.cost * inverse * (P + P.transpose()) / 2 * inverse;
}

VectorXcd closed_loop_of(const Problem& problem, const MatrixXd& P) {
  const VectorXcd spectrum = eigenvalues(problem.A - problem.B * problem.gain(P));
  for (const Complex eigenvalue : spectrum)
    if (!(problem.growth(eigenvalue) < 0))
      throw std::runtime_error(
          fmt::format("Riccati's equation is too ill-conditioned: the closed loop has the eigenvalue {:.3g}{:+.3g} i",
                      eigenvalue.real(), eigenvalue.imag()));
  return spectrum;
}

Riccati solve(const Problem& problem) {
  const Units units = balance(problem.A, problem.G, problem.Q);
  check_modes(problem, units);
  Riccati result;
  result.P = solution_of_schur_form(problem, units);
  result.closed_loop = closed_loop_of(problem, result.P);
  const auto relative = [&](const MatrixXd& P) {
    const auto [left, size] = problem.residual(P);
    return left.norm() / size;
  };
  result.residual = relative(result.P);
  for (; result.corrections < 10; ++result.corrections) {
    const MatrixXd closed = problem.A - problem.B * problem.gain(result.P);
    const MatrixXd P = result.P + problem.correction(closed, problem.residual(result.P).first);
    const double residual = relative(P);
    if (!(residual < result.residual / 2)) break;
    result.P = P;
    result.residual = residual;
  }
  result.gain = problem.gain(result.P);
  result.closed_loop = closed_loop_of(problem, result.P);
  return result;
}

std::string in_words(Complex eigenvalue) {
  return eigenvalue.imag() == 0 ? fmt::format("{:.6g}", eigenvalue.real())
                                : fmt::format("{:.6g}{:+.6g} i", eigenvalue.real(), eigenvalue.imag());
}

}  // namespace

NotStabilizable::NotStabilizable(HiddenMode hidden)
    : std::domain_error(fmt::format("not stabilizable: no input moves the mode of eigenvalue {}, which does not decay",
                                    in_words(hidden.eigenvalue))),
      mode(std::move(hidden)) {}
NotDetectable::NotDetectable(HiddenMode hidden)
    : std::domain_error(
          fmt::format("the weight Q does not see the mode of eigenvalue {}, which neither grows nor decays: "
                      "no optimal feedback stops it",
                      in_words(hidden.eigenvalue))),
      mode(std::move(hidden)) {}

Riccati solve_riccati(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  check(A, B, Q, R);
  return solve(Problem{A, B, Q, R, false});
}
Riccati solve_discrete_riccati(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  check(A, B, Q, R);
  return solve(Problem{A, B, Q, R, true});
}

}  // namespace hamel::linear
