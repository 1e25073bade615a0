#include "integrate/gauss_newton.hpp"

#include <Eigen/Eigenvalues>

namespace hamel {

GaussNewton::GaussNewton(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  eigenvalues_ = solver.eigenvalues();
  T_ = solver.eigenvectors();
  T_inverse_ = T_.inverse();
}

void GaussNewton::factorise(const Eigen::MatrixXd& J, double h) {
  const auto n = J.rows();
  factors_.clear();
  for (const std::complex<double> lambda : eigenvalues_) {
    Eigen::MatrixXcd matrix = -h * lambda * J;
    matrix += Eigen::MatrixXcd::Identity(n, n);
    factors_.emplace_back(matrix);
  }
}

void GaussNewton::solve(const Eigen::MatrixXd& residual, Eigen::MatrixXd& result) const {
  Eigen::MatrixXcd W = T_inverse_ * residual;
  for (Eigen::Index k = 0; k < W.rows(); ++k)
    W.row(k) = factors_[static_cast<std::size_t>(k)].solve(W.row(k).transpose()).transpose();
  result = (T_ * W).real();
}

}  // namespace hamel
