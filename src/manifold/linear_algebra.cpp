#include "manifold/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace hamel::linear {
namespace {

using Complete = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;
using Pivoted = Eigen::ColPivHouseholderQR<MatrixXd>;
using PartialPivoting = Eigen::PartialPivLU<MatrixXd>;

// The power of two that brings a size into [1, 2), or [1/2, 1).
double unit_of(double size) { return std::isnormal(size) ? std::ldexp(1.0, -std::ilogb(size)) : 1.0; }

}  // namespace

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return PartialPivoting(A).solve(b); }
MatrixXd solve_columns(const MatrixXd& A, const MatrixXd& B) { return PartialPivoting(A).solve(B); }
VectorXd solve_with_full_pivoting(const MatrixXd& A, const VectorXd& b) { return A.fullPivLu().solve(b); }
VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }
MatrixXd inverse(const MatrixXd& A) { return PartialPivoting(A).inverse(); }

void factorise(Lu& lu, const MatrixXd& A) {
  lu.rows.resize(A.rows());
  lu.columns.resize(A.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i) lu.rows(i) = unit_of(A.row(i).lpNorm<Eigen::Infinity>());
  lu.scaled.noalias() = lu.rows.asDiagonal() * A;
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    lu.columns(j) = unit_of(lu.scaled.col(j).lpNorm<Eigen::Infinity>());
    lu.scaled.col(j) *= lu.columns(j);
  }
  lu.factors.compute(lu.scaled);
}
void solve(const Lu& lu, const VectorXd& b, VectorXd& x) {
  x = lu.factors.solve(lu.rows.cwiseProduct(b));
  x.array() *= lu.columns.array();
}
void invert(Lu& lu, const MatrixXd& A, MatrixXd& inverse) {
  factorise(lu, A);
  inverse = lu.factors.inverse();
  inverse.array().colwise() *= lu.columns.array();
  inverse.array().rowwise() *= lu.rows.transpose().array();
}
Pivots pivots(const Lu& lu) {
  const auto sizes = lu.factors.matrixLU().diagonal().cwiseAbs();
  return {sizes.minCoeff(), sizes.maxCoeff()};
}
Determinant determinant(const Lu& lu) {
  const auto& pivots = lu.factors.matrixLU().diagonal();
  const double units = lu.rows.array().log().sum() + lu.columns.array().log().sum();
  return {pivots.array().sign().prod() * static_cast<double>(lu.factors.permutationP().determinant()),
          pivots.array().abs().log().sum() - units};
}
double ratio(const Determinant& a, const Determinant& b) {
  return a.sign * b.sign * std::exp(a.logarithm - b.logarithm);
}

VectorXd least_squares(const MatrixXd& A, const VectorXd& b) { return Pivoted(A).solve(b); }
VectorXd shortest_least_squares(const MatrixXd& A, const VectorXd& b) { return Complete(A).solve(MatrixXd(b)); }
MatrixXd shortest_least_squares(const MatrixXd& A, const MatrixXd& B, double threshold) {
  Complete decomposition;
  decomposition.setThreshold(threshold);
  return decomposition.compute(A).solve(B);
}
MatrixXd pseudo_inverse(const MatrixXd& A) { return Complete(A).solve(MatrixXd::Identity(A.rows(), A.rows()).eval()); }

Orthogonal orthogonal(const MatrixXd& A, double threshold) {
  Pivoted qr(A);
  if (threshold > rounding) qr.setThreshold(threshold);
  return {qr.householderQ(), qr.matrixR().triangularView<Eigen::Upper>(), qr.colsPermutation().indices(), qr.rank()};
}

MatrixXd orthonormal_columns(const MatrixXd& A) {
  return A.householderQr().householderQ() * MatrixXd::Identity(A.rows(), A.cols());
}

MatrixXd triangle(const MatrixXd& A) {
  const Eigen::Index n = std::min(A.rows(), A.cols());
  return A.householderQr().matrixQR().topRows(n).triangularView<Eigen::Upper>();
}

MatrixXd null_space(const MatrixXd& A, double threshold) {
  const Orthogonal rows = orthogonal(A.transpose(), threshold);
  return rows.Q.rightCols(A.cols() - rows.rank);
}

Dependencies dependencies(const MatrixXd& A, double threshold) {
  Pivoted qr(A);
  qr.setThreshold(threshold);
  const MatrixXd& R = qr.matrixR();
  const Eigen::Index rank = qr.rank(), nullity = A.cols() - rank;
  MatrixXd x(A.cols(), nullity);
  x.topRows(rank) = -R.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(R.topRightCorner(rank, nullity));
  x.bottomRows(nullity).setIdentity();
  const auto& order = qr.colsPermutation().indices();
  return {qr.colsPermutation() * x, {order.begin(), order.begin() + rank}};
}

VectorXd singular_values(const MatrixXd& A) { return Eigen::JacobiSVD<MatrixXd>(A).singularValues(); }

RightSingular right_singular(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigen::VectorXcd eigenvalues(const MatrixXd& A) {
  return Eigen::ComplexSchur<Eigen::MatrixXcd>(A.cast<std::complex<double>>(), false).matrixT().diagonal();
}
MatrixXd exponential(const MatrixXd& X) { return X.exp(); }
MatrixXd logarithm(const MatrixXd& g) { return g.log(); }

}  // namespace hamel::linear
