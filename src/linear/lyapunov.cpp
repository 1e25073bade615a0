#include "hamel/linear/lyapunov.hpp"

#include <stdexcept>

#include "hamel/linear/product.hpp"
#include "hamel/linear/schur.hpp"

namespace hamel::linear {
namespace {

// For real X: U^* X U, and back. Real and imaginary parts apart, for products of real matrices are compiled anyway.
MatrixXcd into_frame(const MatrixXcd& U, const MatrixXd& X) {
  const MatrixXd a = U.real(), b = U.imag(), Xa = X * a, Xb = X * b;
  MatrixXcd result(U.cols(), U.cols());
  result.real() = a.transpose() * Xa + b.transpose() * Xb;
  result.imag() = a.transpose() * Xb - b.transpose() * Xa;
  return result;
}
MatrixXd out_of_frame(const MatrixXcd& U, const MatrixXcd& Y) {  // the real part of U Y U^*
  const MatrixXd a = U.real(), b = U.imag(), c = Y.real(), d = Y.imag();
  return (a * c - b * d) * a.transpose() + (a * d + b * c) * b.transpose();
}

Complex of_finite_quotient(Complex numerator, Complex denominator, double size) {
  if (std::abs(denominator) <= 1e-15 * size)
    throw std::domain_error("a linear matrix equation without a single solution: two eigenvalues belong together");
  return numerator / denominator;
}

// The columns of Y one after the other: (T^* + t_kk) y_k = -c_k - sum_{j < k} t_jk y_j
void solve_triangular_lyapunov(const MatrixXcd& T, MatrixXcd& Y) {
  const Index n = T.rows();
  const double size = T.diagonal().cwiseAbs().maxCoeff();
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < k; ++j) Y.col(k) += T(j, k) * Y.col(j);
    for (Index i = 0; i < n; ++i) {
      Complex sum = Y(i, k);
      for (Index j = 0; j < i; ++j) sum += std::conj(T(j, i)) * Y(j, k);
      Y(i, k) = -of_finite_quotient(sum, std::conj(T(i, i)) + T(k, k), size);
    }
  }
}

// (t_kk T^* - 1) y_k = -c_k - T^* w, w = sum_{j < k} t_jk y_j
void solve_triangular_stein(const MatrixXcd& T, MatrixXcd& Y) {
  const Index n = T.rows();
  VectorXcd w(n);
  for (Index k = 0; k < n; ++k) {
    w.setZero();
    for (Index j = 0; j < k; ++j) w += T(j, k) * Y.col(j);
    for (Index i = 0; i < n; ++i) {
      Complex sum = Y(i, k) + std::conj(T(i, i)) * w(i);
      for (Index j = 0; j < i; ++j) sum += std::conj(T(j, i)) * (w(j) + T(k, k) * Y(j, k));
      Y(i, k) = -of_finite_quotient(sum, T(k, k) * std::conj(T(i, i)) - 1.0, 1);
    }
  }
}

MatrixXd solve_in_frame(const MatrixXd& A, const MatrixXd& Q, void (*solve_triangular)(const MatrixXcd&, MatrixXcd&)) {
  if (A.rows() == 0) return Q;
  const Schur form = schur(A);
  MatrixXcd Y = into_frame(form.U, Q);
  solve_triangular(form.T, Y);
  const MatrixXd X = out_of_frame(form.U, Y);
  return (X + X.transpose()) / 2;
}

}  // namespace

MatrixXd solve_lyapunov(const MatrixXd& A, const MatrixXd& Q) {
  return solve_in_frame(A, Q, solve_triangular_lyapunov);
}
MatrixXd solve_stein(const MatrixXd& A, const MatrixXd& Q) { return solve_in_frame(A, Q, solve_triangular_stein); }

}  // namespace hamel::linear
