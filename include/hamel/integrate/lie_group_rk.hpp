// Lie-group Runge-Kutta methods of order 4, for the motion (q, xi) wherever a group acts on every factor: R^n, S^1,
// S^2, S^n, SO(3), SE(3), matrix groups, homogeneous spaces and their products.
//
//   rkmk4              q1 = exp(u) q0, where u' = dexp^-1_u A is integrated in the algebra; Munthe-Kaas, "High order
//                      Runge-Kutta methods on manifolds" (1999)
//   commutator_free4   two exponentials and no bracket; Celledoni, Marthinsen, Owren, "Commutator-free Lie group
//                      methods" (2003)
//
// Both on the classical tableau, by which the quasi-velocities advance as well. The factors are kept to rounding;
// holonomic constraints are not: they drift with the error of the method. Neither symplectic nor symmetric.
#pragma once

#include <memory>

#include "hamel/integrate/stepper.hpp"

namespace hamel {

// Refuses a system with a factor on which no group is known to act.
std::unique_ptr<Stepper> lie_rk_stepper(const System& system, const LieRk& method);

}  // namespace hamel
