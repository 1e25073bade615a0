// dop853 in eight lanes, each with steps of its own.
#pragma once

#include <memory>

#include "hamel/integrate/lane_stepper.hpp"

namespace hamel {

std::unique_ptr<LaneStepper> dop853_lanes(const System& system, const Dop853& method, LaneParameters parameters);

}  // namespace hamel
