// Equilibria that need no search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/analyze/linear_model.hpp"

namespace hamel {

// The force at rest is the same everywhere, and all factors are spheres or flat: each sphere has its two poles.
struct Enumeration {
  VectorXd up;                     // at the upper poles; where nothing pulls, the reference point
  std::vector<std::string> signs;  // of each equilibrium, by spheres: + up, - down
  std::vector<VectorXd> points;
  bool has_all = true;  // only the two straight ones, if there are too many
};
// Could it be so? A potential that is not linear says no, before anything is derived.
bool may_be_enumerated(const Model& model);
std::optional<Enumeration> enumerate(const Linearization& linearization, double t, In u);
// The point where the links that a force pulls at have these signs.
VectorXd with_signs(const System& system, const VectorXd& up, const std::string& signs);

// Why there is no equilibrium at all: a field of a symmetry along which the force is constant and not zero. Empty:
// there may be one.
std::string reason_for_none(const Linearization& linearization, double t, In u);

}  // namespace hamel
