// Refusing what has no equations of motion: Lagrangians that are not regular, constraints that are not independent,
// numbers whose products are none. All of them throw std::domain_error.
#pragma once

#include "hamel/mechanics/constraints.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/reduced.hpp"

namespace hamel {

// Samples random states; names the directions if N^T L_vv N is singular at all of them.
// Systems with constraints are asked at their start instead, where the constraints help to make it regular.
void check_regularity(const Model& model, const Geometry& geometry, const Reduced& reduced);

// At one configuration: names redundant constraints.
void check_independence(const Geometry& geometry, const Constraints& constraints, In q);
// And directions that neither inertia nor constraints determine.
void check_inertia(const Model& model, const Geometry& geometry, const Constraints& constraints, const Reduced& reduced,
                   In q);

// Masses so large or so small that equations of motion overflow. The momentum is a kernel (q, v, {t}) -> p.
void check_range(const std::string& name, const Geometry& geometry, const Kernel& momentum);

}  // namespace hamel
