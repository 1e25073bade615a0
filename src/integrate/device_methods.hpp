// The methods that have a step on a GPU.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hamel/integrate/device_step.hpp"

namespace hamel {

constexpr const char* device_methods = "rk4 (in quasi-velocities, without reprojection) and variational";

// The loop after a line UNROLL one pass after the other, or as it is.
std::string unrolled(std::string_view text, bool is_short);

std::unique_ptr<DeviceStep> device_rk4(const System& system);
std::unique_ptr<DeviceStep> device_variational(const System& system, const Variational& method);

}  // namespace hamel
