// What dynamics with a Lagrangian share: energies, momenta, forces.
#include <array>

#include "mechanics/kinds.hpp"
#include "mechanics/regularity.hpp"

namespace hamel {

void LagrangianDynamics::set_parameters(In values) {
  Dynamics::set_parameters(values);
  energies_.set_parameters(values);
}

void LagrangianDynamics::check_range() const { hamel::check_range(name_, *geometry_, energies_.momentum); }

void LagrangianDynamics::prepare(Workspace::Scratch& s) const {
  Dynamics::prepare(s);
  s.make_room({&energies_.energy, &energies_.momentum, &energies_.force});
}

void LagrangianDynamics::momentum(Workspace& w, double t, In q, In v, Out p) const {
  energies_.momentum.run<3, 1>({q.data(), v.data(), &t}, {p.data()}, w.scratch().program.data());
}

void LagrangianDynamics::force(Workspace& w, double t, In q, In v, Out f) const {
  energies_.force.run<4, 1>({q.data(), v.data(), w.u.data(), &t}, {f.data()}, w.scratch().program.data());
}

Energy LagrangianDynamics::energy(Workspace& w, double t, In q, In v) const {
  std::array<double, 4> out{};
  energies_.energy.run<4, 1>({q.data(), v.data(), w.u.data(), &t}, {out.data()}, w.scratch().program.data());
  return {out[0], out[1], out[2]};
}

double LagrangianDynamics::power(Workspace& w, double t, In q, In v) const {
  std::array<double, 4> out{};
  energies_.energy.run<4, 1>({q.data(), v.data(), w.u.data(), &t}, {out.data()}, w.scratch().program.data());
  return out[3];
}

void LagrangianDynamics::whole_force(Workspace& w, double t, In q, In v) const {
  Workspace::Scratch& s = w.scratch();
  momentum(w, t, q, v, s.momentum);
  if (constraints_.size() > 0) acceleration(w, t, q, v, s.acceleration);
  force(w, t, q, v, s.force);
  constraints_.add_reaction(s.constraint, q, w.multipliers, s.force);
}

// mu' = P (dL/dq + f - C^T lambda) + P' p
void LagrangianDynamics::mu_rate(Workspace& w, double t, In q, In v, In, Out rate) const {
  Workspace::Scratch& s = w.scratch();
  whole_force(w, t, q, v);
  geometry_->space().tangent_project(q, s.force, rate);
  geometry_->projected_rate(q, v, s.momentum, s.geometry, s.numbers);
  rate += s.numbers;
}

// pi' = B^T (dL/dq + f - C^T lambda) + B'^T p
void LagrangianDynamics::pi_rate(Workspace& w, double t, In q, In v, In, Out rate) const {
  Workspace::Scratch& s = w.scratch();
  whole_force(w, t, q, v);
  geometry_->space().covector_to_rates(q, s.force, rate);
  geometry_->basis_rate(q, v, s.momentum, s.geometry, s.rates);
  rate += s.rates;
}

std::vector<const Program*> LagrangianDynamics::energy_programs() const {
  return {&energies_.energy.program(), &energies_.momentum.program()};
}

}  // namespace hamel
