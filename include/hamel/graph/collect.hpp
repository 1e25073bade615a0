// Fewer operations: sums and products rearranged so that what is constant during a run is collected.
//
// Given which variables are constant, every expression is read as a sum of (constant coefficient) * (varying body):
// coefficients of equal bodies are added, bodies of equal coefficients are added before they are multiplied, and
// products of coefficients become single constants (which `hoist` then takes out of the run). For example
//   (x0*a)*(y0*b) + (x1*a)*(y1*b) + (x2*a)*(y2*b)   becomes   (a*b) * (x0*y0 + x1*y1 + x2*y2).
// A sum that is used more than once stays one node, so nothing is computed twice; unless it is short and `expand` is
// asked for. Expand::sums: where it is only ever multiplied by constants and added, since a constant matrix times such
// sums can get shorter when multiplied out. Expand::products: also where it meets another short sum, so that a
// quadratic form keeps its monomials (Euler's equations are shortest so). Rounding may differ.
#pragma once

#include <span>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

enum class Expand { nothing, sums, products };

std::vector<Expr> collect(std::span<const Expr> f, std::span<const Expr> constant_variables,
                          Expand expand = Expand::nothing);

}  // namespace hamel
