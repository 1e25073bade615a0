// Gauss collocation of order 2 s on the canonical equations in the ambient space (mechanics/canonical.hpp): symplectic
// and symmetric, of any even order up to 16. Spheres, rotations and every constraint that is quadratic are kept to
// rounding, for Gauss methods keep quadratic invariants. Other constraints are kept by symmetric projection: each step
// begins and ends with the same multiple of the normals, chosen such that the constraints hold at the end (Hairer,
// Lubich, Wanner, "Geometric Numerical Integration", section V.4.1); it is then symmetric, but no longer symplectic.
#pragma once

#include <memory>

#include "hamel/integrate/stepper.hpp"

namespace hamel {

std::unique_ptr<Stepper> gauss_stepper(const System& system, const Gauss& method);

}  // namespace hamel
