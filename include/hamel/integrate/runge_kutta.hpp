// Runge-Kutta methods on a presentation of the flow y' = F(t, y), field.hpp.
//
//   rk2    the midpoint rule, or Heun's; order 2, fixed steps
//   rk4    classical, order 4, fixed steps
//   rk45   Dormand and Prince, order 5(4), steps of its own choice: dormand_prince.hpp
#pragma once

#include <memory>

#include "hamel/integrate/stepper.hpp"

namespace hamel {

std::unique_ptr<Stepper> rk2_stepper(const System& system, const Rk2& method);
std::unique_ptr<Stepper> rk4_stepper(const System& system, const Rk4& method);
std::unique_ptr<Stepper> rk45_stepper(const System& system, const Rk45& method);

}  // namespace hamel
