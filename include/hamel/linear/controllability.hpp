// Modes of x' = A x + B u that no input moves, and modes that no measurement y = C x shows. Ranks are decided within
// the invariant subspace of each cluster of eigenvalues, where blocks and multiple eigenvalues are at home; in
// the powers of A, entries lambda^n drown everything. A and B ought to be scaled: `threshold` is relative to their
// sizes.
#pragma once

#include <vector>

#include "hamel/linear/schur.hpp"

namespace hamel::linear {

struct HiddenMode {
  Complex eigenvalue;
  MatrixXcd vectors;  // orthonormal columns w: all w^T x of them go their own way, x' = A x; or no y shows x = w
};
// Of a complex eigenvalue both it and its conjugate are listed; the columns of all together are as many as there are
// hidden directions.
std::vector<HiddenMode> uncontrollable_modes(const MatrixXd& A, const MatrixXd& B, double threshold = 1e-9);
std::vector<HiddenMode> unobservable_modes(const MatrixXd& A, const MatrixXd& C, double threshold = 1e-9);

}  // namespace hamel::linear
