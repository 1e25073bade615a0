// Simplified Newton iteration for the stages of a Gauss step, where the fixed-point iteration does not contract:
//
//   (I - h A x J) dZ = h A K - Z,     J = df/dy at the beginning of the step.
//
// In the eigenvectors of A it falls apart into one complex system of the size of y for each stage.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>
#include <vector>

namespace hamel {

class GaussNewton {
 public:
  explicit GaussNewton(const Eigen::MatrixXd& A) {
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
    eigenvalues_ = solver.eigenvalues();
    T_ = solver.eigenvectors();
    T_inverse_ = T_.inverse();
  }

  void factorise(const Eigen::MatrixXd& J, double h) {
    const auto n = J.rows();
    factors_.clear();
    for (const std::complex<double> lambda : eigenvalues_) {
      Eigen::MatrixXcd matrix = -h * lambda * J;
      matrix += Eigen::MatrixXcd::Identity(n, n);
      factors_.emplace_back(matrix);
    }
  }

  // residual and result: a row per stage, a column per number.
  void solve(const Eigen::MatrixXd& residual, Eigen::MatrixXd& result) {
    Eigen::MatrixXcd W = T_inverse_ * residual;
    for (Eigen::Index k = 0; k < W.rows(); ++k)
      W.row(k) = factors_[static_cast<std::size_t>(k)].solve(W.row(k).transpose()).transpose();
    result = (T_ * W).real();
  }

 private:
  Eigen::VectorXcd eigenvalues_;
  Eigen::MatrixXcd T_, T_inverse_;
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXcd>> factors_;
};

}  // namespace hamel
