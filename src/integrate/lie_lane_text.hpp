// Whole steps of rkmk4 and commutator_free4 in eight lanes as one text.
#pragma once

#include <string>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

// Empty where no text is known of what the group of a factor does.
std::string lie_lane_text(const System& system, LieScheme scheme, const Program& motion);

}  // namespace hamel
