// What the equations of every form are made of: momenta dL/dq' and forces dL/dq + f, one coordinate at a time.
#pragma once

#include <functional>

#include "textbook/symbols.hpp"

namespace hamel::textbook {

class Lagrange {
 public:
  explicit Lagrange(const Model& model, Form form);

  const Symbols& symbols() const { return symbols_; }

  Sum momentum(const Sum& rate) const { return gradient(kinetic_, rate); }  // rate: q', Omega or V

  // dL/dq at fixed rates, of what moves, and of the rest with all forces: R^n, S^1, S^2, the position of a pose.
  Sum inertial_force(const Place& place) const { return gradient(kinetic_, place.q); }
  Sum force(const Place& place) const;
  // The same for rotations, in the body.
  Sum inertial_torque(const Place& place) const { return turning_gradient(kinetic_, place.R); }
  Sum torque(const Place& place) const;
  // R^T force, as it works on V.
  Sum inertial_body_force(const Place& place) const { return transpose(place.R) * inertial_force(place); }
  Sum body_force(const Place& place) const;

  const std::vector<Sum>& constraints() const { return constraints_; }

 private:
  Sum applied(const Sum& rate) const;  // by forces and dissipation, on what this rate describes
  Sum reaction(const std::function<Sum(const Sum& scalar)>& gradient_of) const;

  Symbols symbols_;
  Sum kinetic_{0.0}, resting_{0.0};  // L = kinetic + resting: the terms with rates, and those without
  Sum rayleigh_{0.0};
  std::vector<Sum> forces_, force_rates_;
  std::vector<Sum> constraints_, multipliers_;
};

}  // namespace hamel::textbook
