// Directions of a linear model in words: "q[1].x - q[2].x", "R about b3".
#pragma once

#include "hamel/analyze/control.hpp"
#include "hamel/linear/controllability.hpp"

namespace hamel {

// Of a mode of the first-order form: vectors of (x, x'), or covectors, which are turned into directions by the mass
// matrix. Numbers below `zero` are zero beside the eigenvalues of the model.
HiddenDirection direction_of(const LinearModel& model, const linear::HiddenMode& mode, bool covectors, double zero);

std::string in_words(const LinearModel& model, const VectorXd& x);
std::string in_words(Complex eigenvalue);  // with its conjugate: "-1 +- 3 i"

}  // namespace hamel
