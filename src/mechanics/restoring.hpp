// Keeping rounding from adding up: steps end on the manifold up to rounding, and again, and again.
#pragma once

#include "hamel/manifold/manifold.hpp"
#include "mechanics/expressions.hpp"

namespace hamel {

// What brings a point that is off by rounding back to spheres and rotations, to first order:
//   - sum_k c_k grad c_k / |grad c_k|^2,     such as R (I - R^T R)/2 or q (1 - q.q)/2.
// It vanishes on the manifold. Empty for other manifolds: their constraints are solved for, or have no such formula.
Exprs restoring(const Manifold& space, const Exprs& q);

}  // namespace hamel
