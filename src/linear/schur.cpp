#include "hamel/linear/schur.hpp"

#include <functional>
#include <numeric>
#include <stdexcept>

#include "hamel/linear/dense.hpp"

namespace hamel::linear {
namespace {

struct Rotation {
  double c;
  Complex s;
};

// The rotation [c, s; -s^*, c] that turns (x, y) into (r, 0).
Rotation rotation_onto_first(Complex x, Complex y) {
  const double size = std::hypot(std::abs(x), std::abs(y));
  if (size == 0) return {1, 0};
  const Complex phase = x == Complex(0) ? Complex(1) : x / std::abs(x);
  return {std::abs(x) / size, phase * std::conj(y) / size};
}

// Neighbours k and k + 1 of the diagonal change places: (T_k,k+1, T_k+1,k+1 - T_kk) is the eigenvector of the second.
void swap_with_next(Schur& form, Index k) {
  MatrixXcd &T = form.T, &U = form.U;
  const Complex first = T(k, k), second = T(k + 1, k + 1);
  const auto [c, s] = rotation_onto_first(T(k, k + 1), second - first);
  for (Index j = k + 2; j < T.cols(); ++j) {
    const Complex x = T(k, j), y = T(k + 1, j);
    T(k, j) = c * x + s * y;
    T(k + 1, j) = c * y - std::conj(s) * x;
  }
  const auto rotate_columns = [&, c = c, s = s](MatrixXcd& X, Index rows) {
    for (Index i = 0; i < rows; ++i) {
      const Complex x = X(i, k), y = X(i, k + 1);
      X(i, k) = c * x + std::conj(s) * y;
      X(i, k + 1) = c * y - s * x;
    }
  };
  rotate_columns(T, k);
  rotate_columns(U, U.rows());
  T(k, k) = second;
  T(k + 1, k + 1) = first;
}

// [Re, -Im; Im, Re] has the singular values of A, each twice.
MatrixXd real_form(const MatrixXcd& A) {
  MatrixXd result(2 * A.rows(), 2 * A.cols());
  result << A.real(), -A.imag(), A.imag(), A.real();
  return result;
}

}  // namespace

// T X = X diag(T) with ones in the diagonal of X, which is upper triangular: row by row from below, and its inverse.
Diagonal diagonalise(const MatrixXd& A) {
  const auto [U, T] = schur(A);
  const Index n = A.rows();
  MatrixXcd X = MatrixXcd::Identity(n, n), inverse = X;
  for (Index j = 0; j < n; ++j)
    for (Index i = j - 1; i >= 0; --i) {
      Complex sum = 0, sum_of_inverse = 0;
      for (Index k = i + 1; k <= j; ++k) sum += T(i, k) * X(k, j);
      X(i, j) = sum / (T(j, j) - T(i, i));
      for (Index k = i + 1; k <= j; ++k) sum_of_inverse += X(i, k) * inverse(k, j);
      inverse(i, j) = -sum_of_inverse;
    }
  Diagonal result{T.diagonal(), MatrixXcd::Zero(n, n), MatrixXcd::Zero(n, n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index k = 0; k < n; ++k) {
        result.vectors(i, j) += U(i, k) * X(k, j);
        result.inverse(i, j) += inverse(i, k) * std::conj(U(j, k));
      }
  return result;
}

Index bring_to_front(Schur& form, const std::vector<bool>& chosen) {
  Index front = 0;
  for (Index i = 0; i < form.T.rows(); ++i) {
    if (!chosen[static_cast<std::size_t>(i)]) continue;
    for (Index k = i; k > front; --k) swap_with_next(form, k - 1);
    ++front;
  }
  return front;
}

std::vector<Cluster> clusters(const VectorXcd& eigenvalues, double distance) {
  std::vector<Cluster> result;
  std::vector<bool> taken(static_cast<std::size_t>(eigenvalues.size()));
  for (Index first = 0; first < eigenvalues.size(); ++first) {
    if (taken[static_cast<std::size_t>(first)]) continue;
    Cluster cluster{0, {first}};
    taken[static_cast<std::size_t>(first)] = true;
    for (std::size_t next = 0; next < cluster.members.size(); ++next)
      for (Index i = 0; i < eigenvalues.size(); ++i) {
        if (taken[static_cast<std::size_t>(i)]) continue;
        if (std::abs(eigenvalues(i) - eigenvalues(cluster.members[next])) > distance) continue;
        taken[static_cast<std::size_t>(i)] = true;
        cluster.members.push_back(i);
      }
    for (const Index i : cluster.members) cluster.mean += eigenvalues(i);
    cluster.mean /= static_cast<double>(cluster.members.size());
    result.push_back(std::move(cluster));
  }
  return result;
}

VectorXd complex_singular_values(const MatrixXcd& A) {
  const VectorXd twice = singular_values(real_form(A));
  VectorXd result(twice.size() / 2);
  for (Index i = 0; i < result.size(); ++i) result(i) = twice(2 * i);
  return result;
}

namespace {

// Right singular vectors, the smallest value first, as long as they are wanted. Of the real form each vector comes as x
// and i x: they are made independent by Gram and Schmidt.
MatrixXcd last_singular(const MatrixXcd& A, const std::function<bool(double value, Index found)>& wanted) {
  const RightSingular real = right_singular(real_form(A));
  const Index n = A.cols();
  MatrixXcd result(n, 0);
  for (Index k = 2 * n - 1; k >= 0; --k) {
    if (!wanted(k < real.values.size() ? real.values(k) : 0, result.cols())) break;
    VectorXcd x(n);
    x.real() = real.vectors.col(k).head(n);
    x.imag() = real.vectors.col(k).tail(n);
    for (int again = 0; again < 2; ++again)
      for (Index j = 0; j < result.cols(); ++j) x -= result.col(j).dot(x) * result.col(j);
    if (x.norm() < 0.5) continue;
    result.conservativeResize(n, result.cols() + 1);
    result.rightCols(1) = x.normalized();
  }
  return result;
}

}  // namespace

MatrixXcd complex_null_space(const MatrixXcd& A, double threshold) {
  return last_singular(A, [&](double value, Index) { return value <= threshold; });
}

MatrixXcd complex_null_space_of(const MatrixXcd& A, Index dimension) {
  return last_singular(A, [&](double, Index found) { return found < dimension; });
}

}  // namespace hamel::linear
