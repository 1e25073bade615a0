#include "hamel/derive/formulation.hpp"
#include "mechanics/kinds.hpp"
#include "mechanics/regularity.hpp"

namespace hamel {

namespace {

ReducedKernels kernels_of(const Model& model) {
  const Sheet sheet(model);
  return reduced_kernels(sheet.lowered, sheet.parameters);
}

}  // namespace

ReducedDynamics::ReducedDynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry,
                                 const Constraints& constraints, EnergyKernels energies, ConstantMass refused)
    : LagrangianDynamics(model.name(), geometry, constraints, std::move(energies)),
      refused_(std::move(refused)),
      reduced_(geometry, constraints, kernels_of(model)) {}

void ReducedDynamics::set_parameters(In values) {
  LagrangianDynamics::set_parameters(values);
  refused_.set_parameters(values);
  reduced_.set_parameters(values);
}

std::string ReducedDynamics::broken_decision(const Dynamics& first, In values) const {
  return refused_.broken_decision(dynamic_cast<const ReducedDynamics&>(first).refused_, values);
}

void ReducedDynamics::check_parameters(const Model& model) const {
  check_range();
  check_regularity(model, *geometry_, reduced_);
}

void ReducedDynamics::check_configuration(const Model& model, In q) const {
  LagrangianDynamics::check_configuration(model, q);
  check_inertia(model, *geometry_, constraints_, reduced_, q);
}

void ReducedDynamics::prepare(Workspace::Scratch& s) const {
  LagrangianDynamics::prepare(s);
  s.reduced = reduced_.workspace();
}

void ReducedDynamics::acceleration(Workspace& w, double t, In q, In v, Out a) const {
  reduced_.acceleration(w.scratch().reduced, t, q, v, w.u, a, w.multipliers);
  need_finite_acceleration(a, t);
}

void ReducedDynamics::velocity(Workspace& w, double t, In q, In p, Out v) const {
  reduced_.velocity(w.scratch().reduced, t, q, p, v);
}

std::vector<const Program*> ReducedDynamics::legendre_programs() const { return reduced_.legendre_programs(); }

std::vector<const Program*> ReducedDynamics::motion_programs() const {
  std::vector<const Program*> all{&energies_.force.program()};
  for (const Program* program : reduced_.programs()) all.push_back(program);
  return all;
}

}  // namespace hamel
