#include "hamel/linear/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

#include "hamel/linear/schur.hpp"

namespace hamel::linear {
namespace {

using Complete = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;
using Pivoted = Eigen::ColPivHouseholderQR<MatrixXd>;
using PartialPivoting = Eigen::PartialPivLU<MatrixXd>;

}  // namespace

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return PartialPivoting(A).solve(b); }
MatrixXd solve_columns(const MatrixXd& A, const MatrixXd& B) { return PartialPivoting(A).solve(B); }
MatrixXd inverse(const MatrixXd& A) { return PartialPivoting(A).inverse(); }
double determinant(const MatrixXd& A) { return PartialPivoting(A).determinant(); }

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

// By Gram and Schmidt, twice: then rounding errors do not add up.
MatrixXd orthonormal_columns(const MatrixXd& A) {
  MatrixXd Q = A;
  for (Eigen::Index j = 0; j < Q.cols(); ++j) {
    for (int again = 0; again < 2; ++again)
      for (Eigen::Index i = 0; i < j; ++i) Q.col(j) -= Q.col(i).dot(Q.col(j)) * Q.col(i);
    Q.col(j) /= Q.col(j).norm();
  }
  return Q;
}

MatrixXd without_rotation(const MatrixXd& A) {
  const Pivoted qr(A);
  const Eigen::Index n = std::min(A.rows(), A.cols());
  const MatrixXd R = qr.matrixR().topRows(n).triangularView<Eigen::Upper>();
  return R * qr.colsPermutation().transpose();
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
  return Eigen::ComplexSchur<MatrixXcd>(A.cast<Complex>().eval(), false).matrixT().diagonal();
}
Schur schur(const MatrixXd& A) {
  if (!A.allFinite()) throw std::domain_error("the Schur form of a matrix that is not finite");
  if (A.rows() == 0) return {};
  const Eigen::ComplexSchur<MatrixXcd> form(A.cast<Complex>().eval());
  if (form.info() != Eigen::Success) throw std::runtime_error("the iteration for the Schur form does not converge");
  return {form.matrixU(), form.matrixT()};
}
MatrixXd exponential(const MatrixXd& X) { return X.exp(); }
MatrixXd logarithm(const MatrixXd& g) { return g.log(); }

}  // namespace hamel::linear
