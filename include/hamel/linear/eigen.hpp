// Eigenvalues of symmetric matrices, and of pairs K x = mu M x with a definite M.
#pragma once

#include <optional>

#include "hamel/linear/lu.hpp"

namespace hamel::linear {

struct SymmetricEigen {
  VectorXd values;   // ascending
  MatrixXd vectors;  // orthonormal; of a pair: x^T M x = 1
};
SymmetricEigen symmetric_eigen(const MatrixXd& A);                     // of its lower triangle
SymmetricEigen symmetric_eigen(const MatrixXd& K, const MatrixXd& M);  // throws std::domain_error unless M is definite

// The triangular S with S^T M S = 1, in whatever units the rows of M are; none unless M is definite.
std::optional<MatrixXd> whitening(const MatrixXd& M);

}  // namespace hamel::linear
