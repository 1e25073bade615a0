// Conserved momenta, made of the candidates that they combine.
#pragma once

#include "symmetry/conditions.hpp"

namespace hamel {

// X and F of a combination, without a name, as functions of q/length and t/time.
ConservedMomentum assembled(const SymmetryConditions& conditions, In z);

// The same in the units of the model.
ConservedMomentum in_units_of_model(ConservedMomentum momentum, const Units& units);

}  // namespace hamel
