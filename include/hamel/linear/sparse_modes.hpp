// The smallest mu with K x + C^T y = mu M x, C x = 0, for large sparse symmetric K and M, M definite where C x = 0.
//
// Lanczos' method of Spectra, with (K + s M)^-1 by a sparse LDL^T factorization of [K + s M, C^T; C, 0]. One Krylov
// space has one vector of each eigenspace: what was found is taken out, and it is asked again until nothing new is
// below what is known.
#pragma once

#include <Eigen/SparseCore>

#include "hamel/linear/dense.hpp"

namespace hamel::linear {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct SparseModes {
  VectorXd values;   // smallest first
  MatrixXd vectors;  // x^T M x = 1
};
SparseModes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, const SparseMatrix& C, int count);

// y of least squares |C^T y - g|, of independent rows of C.
VectorXd sparse_multipliers(const SparseMatrix& C, const VectorXd& g);

}  // namespace hamel::linear
