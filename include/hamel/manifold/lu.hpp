// A square matrix that has been factorised, to be solved with. Its rows and columns are measured in units of their
// own (powers of two, so that nothing is rounded): pivots are chosen, and compared, by what they mean. A mass matrix
// that is bordered by constraints has entries of 1e-13 kg beside those of 1 metre.
#pragma once

#include <Eigen/LU>

#include "hamel/manifold/manifold.hpp"

namespace hamel::linear {

struct Lu {
  Lu() = default;
  explicit Lu(Eigen::Index n)
      : rows(VectorXd::Ones(n)), columns(VectorXd::Ones(n)), scaled(MatrixXd::Zero(n, n)), factors(n) {}

  VectorXd rows, columns;  // factors
  MatrixXd scaled;
  Eigen::PartialPivLU<MatrixXd> factors;
};

}  // namespace hamel::linear
