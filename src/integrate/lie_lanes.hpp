// Lie-group methods in eight lanes.
#pragma once

#include <memory>

#include "hamel/integrate/lane_stepper.hpp"

namespace hamel {

std::unique_ptr<LaneStepper> lie_group_lanes(const System& system, const LieRk& method, LaneParameters parameters);

}  // namespace hamel
