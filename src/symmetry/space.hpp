// The combinations of candidates that satisfy all conditions: a null space, whatever the units of the model are.
//
// A condition is a sum of terms. First, term by term and the largest first, candidates are combined until each either
// is seen by a term or leaves it alone: the small terms are looked at with combinations that the large ones do not see.
// What is seen by some term may still be compensated by others: that is a null space of the sums. Whether something is
// zero is decided by its rounding errors, and once more for every combination that was found.
#pragma once

#include "symmetry/conditions.hpp"

namespace hamel {

struct SymmetrySpace {
  MatrixXd basis;        // unknowns x symmetries, in reduced echelon form
  double signal = 1e16;  // the smallest violation that ruled something out, over its rounding error
};

// Within the span of `basis`.
SymmetrySpace symmetry_space(const std::vector<SymmetryTerm>& terms, const MatrixXd& basis);

// How well one combination satisfies the conditions.
struct SymmetryVerdict {
  double residual = 0;  // the largest, over its rounding error
  bool hidden = false;  // is there a term that others must compensate, but it is smaller than their rounding errors?

  bool holds() const { return residual <= 300 && !hidden; }
};
SymmetryVerdict judge(const std::vector<SymmetryTerm>& terms, In coefficients);

VectorXd with_simple_fractions(In coefficients);

// Divides columns by what is returned, and rows, so that columns have the length one and no row is much smaller than
// others unless its errors are large; what is zero stays zero.
VectorXd scale_to_one(MatrixXd& A, MatrixXd& errors);

}  // namespace hamel
