// Simplified Newton iteration for the stages of a Gauss step, where the fixed-point iteration does not contract:
//
//   (I - h A x J) dZ = h A K - Z,     J = df/dy at the beginning of the step.
//
// In the eigenvectors of A it falls apart: one system of the size of y for a real eigenvalue, one of twice that size
// for a pair a +- ib, of the real and the imaginary part of x in (I - h (a + ib) J) x = r.
#pragma once

#include <vector>

#include "hamel/linear/lu.hpp"

namespace hamel {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class GaussNewton {
 public:
  explicit GaussNewton(const MatrixXd& A);
  void factorise(const MatrixXd& J, double h);
  // residual and result: a row per stage, a column per number.
  void solve(const MatrixXd& residual, MatrixXd& result);

 private:
  struct Mode {
    double real, imaginary;           // of the eigenvalue
    MatrixXd from_stages, to_stages;  // its coordinates in those of the stages, and back: one or two
    linear::Lu lu;
  };
  std::vector<Mode> modes_;
  MatrixXd matrix_, coordinates_;
  VectorXd rhs_, x_;
};

}  // namespace hamel
