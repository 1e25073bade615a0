// Simplified Newton iteration for the stages of a Gauss step, where the fixed-point iteration does not contract:
//
//   (I - h A x J) dZ = h A K - Z,     J = df/dy at the beginning of the step.
//
// In the eigenvectors of A it falls apart into one complex system of the size of y for each stage.
#pragma once

#include <Eigen/LU>
#include <complex>
#include <vector>

namespace hamel {

class GaussNewton {
 public:
  explicit GaussNewton(const Eigen::MatrixXd& A);
  void factorise(const Eigen::MatrixXd& J, double h);
  // residual and result: a row per stage, a column per number.
  void solve(const Eigen::MatrixXd& residual, Eigen::MatrixXd& result) const;

 private:
  Eigen::VectorXcd eigenvalues_;
  Eigen::MatrixXcd T_, T_inverse_;
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXcd>> factors_;
};

}  // namespace hamel
