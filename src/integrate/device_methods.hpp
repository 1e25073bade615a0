// The methods that have a step on a GPU.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hamel/integrate/device_step.hpp"

namespace hamel {

constexpr const char* device_methods =
    "rk4 and dop853 with fixed steps (both in quasi-velocities, without reprojection), rkmk4, commutator_free4, "
    "gauss4, gauss6 and gauss8 with fixed steps, and variational";

// The loop after a line UNROLL one pass after the other, or as it is.
std::string unrolled(std::string_view text, bool is_short);

// A step of y = (q, xi): the text of step_advance, which knows rate_of(own, y, t, k), and Step with y and its rate k.
std::unique_ptr<DeviceStep> device_field_step(const System& system, std::string_view advance);

std::unique_ptr<DeviceStep> device_rk4(const System& system);
std::unique_ptr<DeviceStep> device_dop853(const System& system);  // with fixed steps
// Nothing where no text is known of what the group of a factor does.
std::unique_ptr<DeviceStep> device_lie_group(const System& system, const LieRk& method);
// Of order 4, 6 or 8. Nothing where constraints are not quadratic.
std::unique_ptr<DeviceStep> device_gauss(const System& system, const Gauss& method);
std::unique_ptr<DeviceStep> device_variational(const System& system, const Variational& method);

}  // namespace hamel
