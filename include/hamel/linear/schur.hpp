// Schur's form A = U T U^*: T is upper triangular with the eigenvalues in its diagonal, in any order that is asked for.
// The first columns of U span the subspace that belongs to the first of them:
//
//   Schur form = schur(A);
//   const Index k = bring_to_front(form, chosen);     // chosen[i]: T(i, i) is asked for; U.leftCols(k): their subspace
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "hamel/linear/lu.hpp"

namespace hamel::linear {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

struct Schur {
  MatrixXcd U, T;
};
Schur schur(const MatrixXd& A);

// A = vectors * diag(values) * inverse, of a small A with eigenvalues that differ.
struct Diagonal {
  VectorXcd values;
  MatrixXcd vectors, inverse;
};
Diagonal diagonalise(const MatrixXd& A);

// The chosen eigenvalues first, all in their order otherwise, by rotations that swap neighbours; how many are chosen.
Index bring_to_front(Schur& form, const std::vector<bool>& chosen);

// Eigenvalues that a chain of neighbours closer than `distance` links. A block of size k splits its eigenvalue by
// eps^(1/k), but the mean of what it splits into is good to rounding.
struct Cluster {
  Complex mean;
  std::vector<Index> members;
};
std::vector<Cluster> clusters(const VectorXcd& eigenvalues, double distance);

// The singular values of a complex matrix, largest first.
VectorXd complex_singular_values(const MatrixXcd& A);
// An orthonormal basis of those x that A x sends to less than threshold |x|.
MatrixXcd complex_null_space(const MatrixXcd& A, double threshold);
// The same where its dimension is known, however small other singular values are.
MatrixXcd complex_null_space_of(const MatrixXcd& A, Index dimension);

}  // namespace hamel::linear
