// A given Hamiltonian: the projection form.
#include <fmt/core.h>

#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "mechanics/kinds.hpp"

namespace hamel {

namespace {

ProjectionKernels projection_of(const Model& model) {
  const Sheet sheet(model);
  return projection_kernels(model, sheet.lowered, sheet.parameters);
}

}  // namespace

ProjectionDynamics::ProjectionDynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry,
                                       const Constraints& constraints)
    : Dynamics(model.name(), geometry, constraints), hamilton_(geometry, projection_of(model)) {}

void ProjectionDynamics::set_parameters(In values) {
  Dynamics::set_parameters(values);
  hamilton_.set_parameters(values);
}

void ProjectionDynamics::prepare(Workspace::Scratch& s) const {
  Dynamics::prepare(s);
  s.hamilton = hamilton_.workspace();
}

void ProjectionDynamics::acceleration(Workspace& w, double t, In q, In v, Out a) const {
  Workspace::Scratch& s = w.scratch();
  hamilton_.momentum(s.hamilton, t, q, v, s.momentum);
  hamilton_.flow(s.hamilton, t, q, s.momentum, w.u, s.hamilton.v, s.hamilton.rate, a);
  need_finite_acceleration(a, t);
}

void ProjectionDynamics::momentum(Workspace& w, double t, In q, In v, Out p) const {
  hamilton_.momentum(w.scratch().hamilton, t, q, v, p);
}

void ProjectionDynamics::velocity(Workspace& w, double t, In q, In p, Out v) const {
  Workspace::Scratch& s = w.scratch();
  geometry_->space().tangent_project(q, p, s.momentum);
  hamilton_.flow(s.hamilton, t, q, s.momentum, w.u, v, s.hamilton.rate, s.hamilton.a);
}

void ProjectionDynamics::force(Workspace&, double, In, In, Out) const {
  throw std::invalid_argument(
      fmt::format("{} has no force dL/dq: it is given by a Hamiltonian, not by a Lagrangian", name_));
}

Energy ProjectionDynamics::energy(Workspace& w, double t, In q, In v) const {
  Workspace::Scratch& s = w.scratch();
  hamilton_.momentum(s.hamilton, t, q, v, s.momentum);
  return {0, 0, hamilton_.value(s.hamilton, t, q, s.momentum)};
}

double ProjectionDynamics::power(Workspace& w, double t, In q, In v) const {
  return hamilton_.power(w.scratch().hamilton, t, q, v, w.u);
}

void ProjectionDynamics::mu_rate(Workspace& w, double t, In q, In, In p, Out rate) const {
  Workspace::Scratch& s = w.scratch();
  geometry_->space().tangent_project(q, p, s.momentum);
  hamilton_.flow(s.hamilton, t, q, s.momentum, w.u, s.hamilton.v, rate, s.hamilton.a);
}

// pi = B^T mu, so pi' = B'^T mu + B^T mu'.
void ProjectionDynamics::pi_rate(Workspace& w, double t, In q, In v, In p, Out rate) const {
  Workspace::Scratch& s = w.scratch();
  mu_rate(w, t, q, v, p, s.force);
  geometry_->space().covector_to_rates(q, s.force, rate);
  geometry_->basis_rate(q, v, s.momentum, s.geometry, s.rates);
  rate += s.rates;
}

}  // namespace hamel
