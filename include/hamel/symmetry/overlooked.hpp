// What the search for symmetries does not see, said where it may matter.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

// Parts of the energies that may jump along a motion: sign, floor, mod, comparisons and what a condition chooses. The
// derivative of a jump is zero, so that it makes no force; where a motion crosses one the energy is not conserved.
std::vector<std::string> possible_jumps(const Model& model);

// Coordinates on R that can be turned into each other without a change of the energy, at random states. Fields of the
// search are those of a coordinate each, so that this angular momentum is found only of one coordinate on R2.
std::vector<std::pair<std::string, std::string>> turned_pairs(const System& system);

}  // namespace hamel
