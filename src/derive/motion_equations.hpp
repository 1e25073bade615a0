// The equations of motion in natural coordinates, as expressions: F(q, eta, eta', lambda, u, t) = 0, linear in the
// rates eta' and in the multipliers of all constraints.
#pragma once

#include <unordered_map>

#include "derive/natural.hpp"
#include "hamel/derive/formulation.hpp"

namespace hamel {

class MotionEquations {
 public:
  explicit MotionEquations(const Model& model);

  Exprs at_zero() const;  // F without its unknowns

 private:
  void add_energies();
  void add_field();

  Sheet sheet_;

 public:
  const Model& model;
  LoweredModel& lowered;
  const Parameters& parameters;
  NaturalFrame frame;
  Exprs rates, lambda, unknowns;
  Exprs equations;  // F
  Exprs momentum, energy;
};

}  // namespace hamel
