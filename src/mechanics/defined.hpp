// Refusing a state where the energies have no value or no derivative, with the term that has none: sqrt(x) at 0.
#pragma once

#include "hamel/mechanics/system.hpp"

namespace hamel {

// Of a system with energies; throws std::domain_error. One that moves for other reasons, or for none that can be named,
// is let through.
void check_defined(const System& system, const State& state, System::CheckScratch& scratch);

}  // namespace hamel
