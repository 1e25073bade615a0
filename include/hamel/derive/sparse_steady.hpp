// The equations near rest in the variables of lift.hpp, where they are sparse, for systems with a constant mass and no
// forces; spheres and flat spaces:
//
//   M z'' + K z + C^T mu = 0,   C z = 0,      K = A^T (U_QQ + lambda c_QQ) A,   M = A^T T_VV A,   C = c_Q A
#pragma once

#include "hamel/derive/kernel.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct SparseSteady {
  using Places = std::vector<std::pair<int, int>>;  // of the entries: row and column

  Kernel points;   // (q) -> the lifted points
  Kernel forces;   // (Q) -> (U_Q, c)
  Kernel entries;  // (Q, lambda) -> (T_VV, U_QQ + lambda c_QQ, c_Q, A)
  Places mass, stiffness, constraints, A;
  int ambient = 0, lifted = 0, increments = 0, multipliers = 0;  // sizes of q, Q, z, lambda
};
// Refuses what has forces, inputs, time or groups in it, or a mass that changes.
SparseSteady sparse_steady(const Model& model);

}  // namespace hamel
