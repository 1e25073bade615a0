// The search for symmetries, on a model that has been lowered.
#pragma once

#include "hamel/model/lower.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

// In the graph of the lowered model, which must be the current one.
NoetherReport conserved_momenta(const Model& model, const LoweredModel& lowered);

}  // namespace hamel
