// The combinations of candidates that satisfy all conditions: a null space, found scale by scale.
#pragma once

#include "mechanics/symmetry_conditions.hpp"

namespace hamel {

struct SymmetrySpace {
  MatrixXd basis;     // unknowns x symmetries, in reduced echelon form, simple numbers where they are
  double signal = 1;  // the smallest violation, relative to what was added up, that ruled something out
  double noise = 0;   // the largest that was taken for zero
};

// Within the span of `basis`.
SymmetrySpace symmetry_space(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                             SymmetryConditions::Velocities velocities, MatrixXd basis);

// The reduced column echelon form, pivots in order of rows; numbers near simple fractions become these.
MatrixXd reduced_echelon(const MatrixXd& basis);

}  // namespace hamel
