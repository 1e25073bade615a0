// The linear equations of a large system near rest, in variables where they are sparse, and its slowest modes: a chain
// of a thousand links has a full mass matrix in the directions of its links, and a diagonal one in the places of its
// joints (derive/lift.hpp).
//
//   const SparseModel model = sparse_linear_model(system, state);
//   for (const double square : lowest_modes(model, 20).squares) ...        // omega^2; negative: it grows
//
// For systems without forces, of spheres and flat spaces, with constraints.
#pragma once

#include "hamel/linear/sparse_modes.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct SparseModel {
  State at;
  linear::SparseMatrix M, K, C;     // M z'' + K z + C^T mu = 0, C z = 0
  linear::SparseMatrix to_ambient;  // of q: the change of q is to_ambient z
  double imbalance = 0;             // of the forces, relative to what cancels

  int degrees_of_freedom() const { return static_cast<int>(K.rows() - C.rows()); }
};
// Refuses a point that is no equilibrium, and systems with forces or groups.
SparseModel sparse_linear_model(const System& system, const State& state);

struct LowestModes {
  VectorXd squares;  // omega^2, smallest first
  MatrixXd shapes;   // of q, the largest entry 1
};
LowestModes lowest_modes(const SparseModel& model, int count);

}  // namespace hamel
