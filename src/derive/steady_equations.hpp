// The equations of a steady motion as expressions: what steady.cpp makes kernels of.
#pragma once

#include "derive/natural.hpp"

namespace hamel {

struct SteadyEquations {
  Exprs a, lambda;         // accelerations and multipliers, as variables
  Exprs p;                 // dL/dv
  Exprs driven, reaction;  // natural; F is their sum
  Exprs F;
};
SteadyEquations steady_equations(const Model& model, const LoweredModel& lowered, const NaturalFrame& frame);

}  // namespace hamel
