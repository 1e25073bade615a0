// Runge-Kutta methods on a presentation of the flow y' = F(t, y), field.hpp.
//
//   rk4    classical, order 4, fixed steps; cubic interpolation
//   rk45   Dormand and Prince, order 5(4), proportional-integral step control, continuous output of order 4:
//          Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", sections II.4 to II.6
#pragma once

#include <memory>

#include "hamel/integrate/stepper.hpp"

namespace hamel {

std::unique_ptr<Stepper> rk4_stepper(const System& system, const Rk4& method);
std::unique_ptr<Stepper> rk45_stepper(const System& system, const Rk45& method);

}  // namespace hamel
