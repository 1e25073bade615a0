// Refusing what has no equations of motion: Lagrangians that are not regular, constraints that are not independent,
// numbers whose products are none.
#pragma once

#include "hamel/mechanics/system.hpp"

namespace hamel {

// Samples random states; throws std::domain_error with the directions named if N^T L_vv N is singular at all of them.
// Systems with constraints are asked at their start instead, where the constraints help to make it regular.
void check_regularity(const System& system);

// The same question to a system on the constant-mass path: without inertia, a momentum has no finite velocity.
bool has_finite_velocities(const System& system);

// At one configuration: names redundant constraints, and directions that neither inertia nor constraints determine.
void check_independence(const System& system, In q);

// Throws std::domain_error if masses are so large or so small that equations of motion overflow.
void check_range(const System& system);

}  // namespace hamel
