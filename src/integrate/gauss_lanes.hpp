#pragma once

#include <memory>

#include "hamel/integrate/lane_stepper.hpp"

namespace hamel {

// None where the steps are chosen, where no single program computes the canonical flow, and where states are projected;
// one that can never step where the program is too long.
std::unique_ptr<LaneStepper> gauss_lanes(const System& system, const Gauss& method, LaneParameters parameters);

}  // namespace hamel
