// Rotations of the centre of mass, read off the kinetic energy.
//
// Let u_k move all places along e_k. Where w_k = L_vv u_k is constant, the momentum along e_k is w_k . q', and the
// centre of mass is at w_k . q / (u_k . w_k).
#pragma once

#include <functional>

#include "hamel/graph/rounded.hpp"
#include "symmetry/candidates.hpp"

namespace hamel {

struct SymmetrySample;

using MomentumAt = std::function<std::vector<Rounded>(In q, In v, double t)>;

// Adds none where the masses vary, which some random states tell, or where the centre of mass is a coordinate whose own
// rotations are among the generators. Generators that say the same as a turn are dropped.
void add_centre_turns(Candidates& candidates, const std::vector<int>& offsets,
                      const std::vector<SymmetrySample>& states, const MomentumAt& momentum);

}  // namespace hamel
