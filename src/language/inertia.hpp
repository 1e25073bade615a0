// Remarks about masses that are negative and inertias that no body has, which otherwise show as steps that fail.
#pragma once

#include <string>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

void remark_inertia(const System& system, const State& state, std::vector<std::string>& remarks);

}  // namespace hamel
