// Linear algebra for a few unknowns without pivoting and without branches, so that it can be written into a graph.
//
// For numbers that may be badly conditioned use Eigen's factorisations; these are for formulas.
#pragma once

#include "hamel/graph/expr.hpp"

namespace hamel {

// A^-1 B for a symmetric positive definite A, by A = L D L^T.
template <class T>
MatrixX<T> solve_definite(MatrixX<T> A, MatrixX<T> B) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const T factor = A(i, k) / A(k, k);
      for (Eigen::Index j = k + 1; j <= i; ++j) A(i, j) -= factor * A(j, k);
      for (Eigen::Index j = 0; j < B.cols(); ++j) B(i, j) -= factor * B(k, j);
    }
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index j = 0; j < B.cols(); ++j) {
      for (Eigen::Index k = i + 1; k < n; ++k) B(i, j) -= A(k, i) * B(k, j);
      B(i, j) /= A(i, i);
    }
  }
  return B;
}

// The pseudo-inverse of a matrix of known rank, from the characteristic polynomial of A A^T (Decell 1965):
// N_1 = I, c_k = -tr(S N_k) / k, N_k+1 = S N_k + c_k I, A^+ = -A^T N_rank / c_rank.
template <class T>
MatrixX<T> pseudo_inverse(const MatrixX<T>& A, int rank) {
  if (A.rows() > A.cols()) return pseudo_inverse<T>(A.transpose(), rank).transpose();
  const MatrixX<T> S = A * A.transpose();
  MatrixX<T> N = MatrixX<T>::Identity(A.rows(), A.rows());
  for (int k = 1;; ++k) {
    const MatrixX<T> SN = S * N;
    const T coefficient = -SN.trace() / T(k);
    if (k == rank) return A.transpose() * N / -coefficient;
    N = SN;
    N.diagonal().array() += coefficient;
  }
}

}  // namespace hamel
