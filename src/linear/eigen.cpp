#include "hamel/linear/eigen.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <stdexcept>

#include "hamel/linear/product.hpp"

namespace hamel::linear {

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  if (A.rows() == 0) return {VectorXd(), MatrixXd()};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("the iteration for the eigenvalues of a symmetric matrix does not converge");
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// M = L L^T, S = L^-T. A pivot that is rounding errors of its diagonal entry is none.
std::optional<MatrixXd> whitening(const MatrixXd& M) {
  constexpr double rounding_errors = 1e-14;
  const Eigen::LLT<MatrixXd> factors(M);
  if (factors.info() != Eigen::Success) return std::nullopt;
  const MatrixXd L = factors.matrixL();
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    if (!(L(i, i) * L(i, i) > rounding_errors * M(i, i))) return std::nullopt;
  return factors.matrixU().solve(MatrixXd::Identity(M.rows(), M.cols())).eval();
}

}  // namespace hamel::linear
