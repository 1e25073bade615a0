// Looks for formulas inside of formulas: for points in the kinetic energy, for springs in the potential energy.
#pragma once

#include <utility>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

// All x whose rate x', a vector of a plane or of space, is anywhere in the kinetic energy.
std::vector<Formula> moving_points(const Model& model);

// U as it is written, or at rest what stands for it: -L, H.
std::vector<Formula> potential_energies(const Model& model);

// A summand of the potential energy in which the distance of two points is, or a number squared.
struct DistanceEnergy {
  Formula energy, from, to;
};
struct SquareEnergy {
  Formula energy, number;
};

// All norm(a - b) and squared_norm(a - b), other than in a denominator, where it would mean attraction from afar.
// Instead of norm(a) there is norm(a - 0).
std::vector<DistanceEnergy> distance_energies(const Model& model);
std::vector<SquareEnergy> square_energies(const Model& model);

}  // namespace hamel
