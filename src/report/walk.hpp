// Looks for formulas inside of formulas: for points in the kinetic energy, for springs in the potential energy.
#pragma once

#include <utility>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

// All x whose rate x', a vector of a plane or of space, is anywhere in the kinetic energy.
std::vector<Formula> moving_points(const Model& model);

// All a, b with norm(a - b) or squared_norm(a - b) in the potential energy, other than in a denominator, where it
// would mean attraction from afar. Instead of norm(a) there is norm(a - 0).
std::vector<std::pair<Formula, Formula>> spring_ends(const Model& model);

// All scalars d with d^2 in the potential energy.
std::vector<Formula> squared_numbers(const Model& model);

}  // namespace hamel
