// The equations of a steady motion as expressions: what steady.cpp makes kernels of.
#pragma once

#include "derive/natural.hpp"

namespace hamel {

struct SteadyEquations {
  Exprs a, lambda;         // accelerations and multipliers, as variables
  Exprs p, r, w;           // dL/dv; where H is given: p, p' and weights, as variables
  Exprs driven, reaction;  // natural; F is their sum
  Exprs F;
  Exprs H_p, s;  // v and a as functions of p and r, where H is given
};
SteadyEquations steady_equations(const Model& model, const LoweredModel& lowered, const NaturalFrame& frame);

}  // namespace hamel
