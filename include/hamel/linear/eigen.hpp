// Eigenvalues of symmetric matrices, and what turns pairs K x = mu M x with a definite M into one, S^T K S.
#pragma once

#include <optional>

#include "hamel/linear/lu.hpp"

namespace hamel::linear {

struct SymmetricEigen {
  VectorXd values;   // ascending
  MatrixXd vectors;  // orthonormal
};
SymmetricEigen symmetric_eigen(const MatrixXd& A);  // of its lower triangle

// The triangular S with S^T M S = 1, in whatever units the rows of M are; none unless M is definite.
std::optional<MatrixXd> whitening(const MatrixXd& M);

}  // namespace hamel::linear
