// The variational integrator of order 2 on any product of manifolds:
//
//   L_d(q0, q1) = h/2 [ L(q0, (q1 - q0)/h) + L(q1, (q1 - q0)/h) ],
//   solve  -B0^T D1 L_d(q0, q1) = pi0  for q1,    pi1 = B1^T D2 L_d(q0, q1).
//
// On S^2 this is the integrator of Lee, Leok, McClamroch, "Lagrangian mechanics and variational integrators on
// two-spheres"; on SO(3), with T = tr(R' J_d R'^T)/2, the Lie group variational integrator. Forces enter by the
// discrete Lagrange-d'Alembert principle, constraints by multipliers at both ends. Symplectic and symmetric.
//
// Orders 4, 6, 8 are symmetric compositions of 5, 9 and 17 such steps (Suzuki; Kahan and Li), see composition.hpp. They
// go back in time between: with dissipation, or energies that are not smooth, only order 2 is promised.
#pragma once

#include <memory>

#include "hamel/integrate/stepper.hpp"

namespace hamel {

std::unique_ptr<Stepper> variational_stepper(const System& system, const Variational& method);

}  // namespace hamel
