// From the numbers of [start], or of an equilibrium, to a state on the manifold and on the constraints.
#pragma once

#include "hamel/language/model_file.hpp"

namespace hamel {

// `where` names the numbers in messages.
State state_at(const ModelFile& file, const StartValues& values, const std::string& where, const System& system,
               std::vector<std::string>& remarks);

}  // namespace hamel
