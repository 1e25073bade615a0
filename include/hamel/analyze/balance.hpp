// Whether forces balance each other at a state at rest, or the parts of a field, in whatever units.
#pragma once

#include "hamel/mechanics/system.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

class Balance {
 public:
  explicit Balance(const System& system);

  struct Finding {
    double unrest;     // the largest component of q'', or q' of a field
    double imbalance;  // of any coordinate: the force that is left along its space, over the sizes of all that act
  };
  Finding at(const State& state) const;

 private:
  struct Forces {
    VectorXd applied, reaction;
  };
  Forces forces(double scatter, unsigned draw, const State& state, const VectorXd& mu,
                const VectorXd& multipliers) const;

  const System& system_;
  Program program_;  // (q, mu, parameters, t, lambda) -> force, C^T lambda
  VectorXd parameters_;
};

}  // namespace hamel
