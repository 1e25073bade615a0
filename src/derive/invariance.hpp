// Expressions that do not depend on where in a group a body is.
#pragma once

#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

// On SO(3) the kinetic energy of a body gives R^T R in every entry of its mass matrix; the graph does not know that
// this is the identity. Expressions that keep their value when a group factor is put at its identity (tested at
// random points of the manifold and random parameters: an identity between analytic functions) are replaced by what
// they are there. It holds for all parameters then; rounding could hide a term from a test at one set of values, so
// they are spread over six decades about those of the model.
std::vector<Expr> simplify_invariants(const std::vector<Expr>& expressions, const Model& model,
                                      const LoweredModel& lowered, const std::vector<Expr>& velocities,
                                      const Parameters& parameters);

// Has a parameter that was `tested` then been tested for this value?
bool invariants_hold(double tested, double value);

}  // namespace hamel
