// P(q) x as expressions, factor by factor, and the projection form of Hamilton's equations (hamilton.hpp).
#pragma once

#include "hamel/mechanics/expressions.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

Exprs tangent_part(const Model& model, const LoweredModel& lowered, const Exprs& x);

struct HamiltonianFlow {
  Exprs velocity;       // (2.7)
  Exprs momentum_rate;  // (2.8) + P f
};
HamiltonianFlow hamiltonian_flow(const Model& model, const LoweredModel& lowered);

}  // namespace hamel
