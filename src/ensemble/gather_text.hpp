// What sweeps keep of the outputs of a run, gathered on a GPU: operation by operation as watch.cpp does.
#pragma once

#include <string>

#include "hamel/ensemble/device_run.hpp"

namespace hamel {

// The state of the numbers that a step ends with, to the bit; nothing where no text is known for a factor.
std::string state_text(const System& system, const Method& method);

std::string gather_text(const System& system, const Method& method, const DeviceKeep& keep);

}  // namespace hamel
