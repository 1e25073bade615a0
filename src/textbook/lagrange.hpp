// What the equations of every form are made of: momenta dL/dq' and forces dL/dq + f, one coordinate at a time.
//
// Names of rates n (x' of a point, Omega of a body) stand for themselves in the equations of Euler and Lagrange, by
// d'Alembert's principle: (d/dt dL/dn).(dn/dq'), with + Omega x dL/dOmega of a body, and L is looked at with n held. In
// Hamilton's equations they are differentiated like what they stand for.
#pragma once

#include <functional>

#include "textbook/names.hpp"

namespace hamel::textbook {

class Lagrange {
 public:
  Lagrange(const Model& model, Form form, Naming naming = Naming::constants);
  Lagrange(const Lagrange&) = delete;  // names know where the symbols are
  Lagrange& operator=(const Lagrange&) = delete;

  const Symbols& symbols() const { return symbols_; }
  const Names& names() const { return names_; }

  Sum momentum(const Sum& rate) const { return simple(gradient(kinetic_, rate, held_)); }  // rate: q', Omega or V
  Sum inertia(const Sum& rate) const;                                                      // of what is named

  // dL/dq at fixed rates, of what moves, and of the rest with all forces: R^n, S^1, S^2, the position of a pose.
  Sum inertial_force(const Place& place) const { return simple(gradient(kinetic_, place.q, held_)); }
  Sum force(const Place& place) const;
  // The same for rotations, in the body.
  Sum inertial_torque(const Place& place) const { return simple(turning_gradient(kinetic_, place.R, held_)); }
  Sum torque(const Place& place) const;
  // R^T force, as it works on V.
  Sum inertial_body_force(const Place& place) const { return transpose(place.R) * inertial_force(place); }
  Sum body_force(const Place& place) const;

  const std::vector<Sum>& constraints() const { return constraints_; }

 private:
  static Sum simple(const Sum& sum);
  void find_inertial_forces();
  Sum applied(const Sum& rate) const;  // by forces and dissipation, on what this rate describes
  Sum reaction(const std::function<Sum(const Sum& scalar)>& gradient_of) const;

  Symbols symbols_;
  Names names_;
  Values held_;                       // in the equations of Euler and Lagrange
  std::vector<Sum> inertial_forces_;  // on the rates that have names
  Sum kinetic_{0.0}, resting_{0.0};   // L = kinetic + resting: the terms with rates, and those without
  Sum rayleigh_{0.0};
  std::vector<Sum> forces_, force_rates_;
  std::vector<Sum> constraints_, multipliers_;
};

}  // namespace hamel::textbook
