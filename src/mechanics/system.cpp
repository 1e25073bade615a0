#include "hamel/mechanics/system.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/model/index.hpp"
#include "mechanics/defined.hpp"
#include "mechanics/kinds.hpp"
#include "mechanics/regularity.hpp"

namespace hamel {

Workspace::Workspace(const System& system) : Workspace(system.dynamics(), system.inputs()) {}

Workspace::Workspace(const Dynamics& dynamics, int inputs)
    : u(VectorXd::Zero(inputs)),
      multipliers(VectorXd::Zero(dynamics.constraints().size())),
      scratch_(std::make_unique<Scratch>()) {
  dynamics.prepare(*scratch_);
}

Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

const std::string& System::name() const { return parts_->model->name(); }
const Model& System::model() const { return *parts_->model; }
const Dynamics& System::dynamics() const { return *parts_->dynamics; }
const Geometry& System::geometry() const { return dynamics().geometry(); }
const Manifold& System::space() const { return geometry().space(); }
int System::ambient() const { return geometry().ambient(); }
int System::rates() const { return geometry().rates(); }
int System::degrees_of_freedom() const { return geometry().dimension() - constraints(); }
int System::constraints() const { return dynamics().constraints().size(); }
const std::vector<std::string>& System::constraint_names() const { return dynamics().constraints().names(); }
int System::inputs() const { return parts_->inputs; }
bool System::has_energies() const { return dynamics().has_energies(); }
bool System::has_hamiltonian() const { return dynamics().has_hamiltonian(); }
bool System::is_conservative() const { return parts_->conservative; }
Path System::path() const { return dynamics().path(); }
const std::string& System::path_reason() const { return parts_->path_reason; }

namespace {

// Which of the two paths of a Lagrangian.
std::shared_ptr<const Dynamics> lagrangian_dynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry,
                                                    const Constraints& constraints, const EnergyKernels& energies,
                                                    Path path, std::string& reason) {
  check_range(model.name(), *geometry, energies.momentum);
  ConstantMass kernels;
  if (path != Path::reduced) {
    kernels = constant_mass_kernels(model);
    reason = kernels.obstacle;
    if (kernels.obstacle.empty()) {
      reason = "the mass matrix is constant in the ambient coordinates and points";
      const auto dynamics =
          std::make_shared<ConstantMassDynamics>(model, geometry, constraints, energies, std::move(kernels));
      if (!dynamics->has_finite_velocities())  // the dense equations know in which direction
        ReducedDynamics(model, geometry, constraints, energies, {}).check_parameters(model);
      return dynamics;
    }
    if (path == Path::constant_mass)
      throw std::invalid_argument(
          fmt::format("{} cannot take the constant-mass path: {}", model.name(), kernels.obstacle));
  }
  auto dynamics = std::make_shared<ReducedDynamics>(model, geometry, constraints, energies, std::move(kernels));
  dynamics->check_parameters(model);
  return dynamics;
}

}  // namespace

System derive(const Model& model, DeriveOptions options) {
  const Sheet sheet(model);
  const LoweredModel& lowered = sheet.lowered;
  refuse_moving_constraints(lowered);
  const auto parts = std::make_shared<System::Parts>();
  parts->model = std::make_shared<Model>(model);
  parts->rules = std::make_shared<ParameterRules>(model);
  parts->inputs = static_cast<int>(lowered.u.size());
  parts->conservative = is_conservative(lowered);
  const auto geometry = std::make_shared<const Geometry>(model, lowered);
  const Constraints constraints(lowered.constraint_names, constraint_kernel(lowered, sheet.parameters));
  if (model.has_field()) {
    parts->dynamics = std::make_shared<FirstOrderDynamics>(model, geometry, constraints, lowered, sheet.parameters);
    parts->path_reason = "q' is given, by a field";
  } else if (!lowered.hamiltonian.empty()) {
    if (options.path == Path::constant_mass)
      throw std::invalid_argument("the constant-mass path needs a Lagrangian; this model is given by a Hamiltonian");
    parts->dynamics = std::make_shared<ProjectionDynamics>(model, geometry, constraints);
    parts->path_reason = "given by a Hamiltonian: projection form";
  } else {
    parts->dynamics = lagrangian_dynamics(model, geometry, constraints, energy_kernels(lowered, sheet.parameters),
                                          options.path, parts->path_reason);
  }
  return System(parts);
}

System System::with(const ParameterValues& values) const {
  const auto parts = std::make_shared<Parts>();
  parts->model = std::make_shared<Model>(model().with(values, *parts_->rules));
  parts->rules = parts_->rules;
  parts->inputs = parts_->inputs;
  parts->conservative = parts_->conservative;
  parts->path_reason = parts_->path_reason;
  parts->first = parts_->first != nullptr ? parts_->first : parts_;
  const VectorXd numbers = parameter_values(*parts->model);
  std::shared_ptr<Dynamics> dynamics = this->dynamics().copy();
  dynamics->set_parameters(numbers);
  if (const std::string broken = dynamics->broken_decision(*parts->first->dynamics, numbers); !broken.empty())
    throw std::invalid_argument(
        fmt::format("with these parameters {} would be derived in another way: {}; derive the model with them anew",
                    name(), broken));
  dynamics->check_parameters(*parts->model);
  parts->dynamics = std::move(dynamics);
  return System(parts);
}

namespace {

void check_point(const System& system, const State& state, VectorXd& tangent, double tolerance) {
  const Geometry& geometry = system.geometry();
  tangent.resize(system.ambient());
  for (int f = 0; f < geometry.factors(); ++f) {
    const auto& [coordinate, space] = system.model().coordinates()[at(f)];
    const auto q = state.q.segment(geometry.offset(f), space.ambient());
    const auto v = state.v.segment(geometry.offset(f), space.ambient());
    space.check(q, coordinate, tolerance);
    if (!v.allFinite()) throw std::domain_error(fmt::format("the rate of {} is not finite", coordinate));
    auto w = tangent.segment(geometry.offset(f), space.ambient());
    space.tangent_project(q, v, w);
    const double off = (v - w).norm();
    if (off > tolerance * std::max(1.0, v.norm()))
      throw std::domain_error(
          fmt::format("the rate of {} is not tangent to {}: its normal part is {:.2e} (tolerance {:.0e}); "
                      "project it first or correct the numbers",
                      coordinate, space.name(), off, tolerance));
  }
}

void check_constraints(const Constraints& constraints, const State& state, double tolerance) {
  auto w = constraints.workspace();
  constraints.evaluate(w, state.q);
  const VectorXd rate = w.G.times(state.v);
  for (int k = 0; k < constraints.size(); ++k) {
    const std::string& name = constraints.names()[at(k)];
    if (!(std::abs(w.c(k)) <= tolerance))
      throw std::domain_error(fmt::format(
          "constraint {} is violated at the start: it is {:.2e}, not 0 (tolerance {:.0e})", name, w.c(k), tolerance));
    if (!(std::abs(rate(k)) <= tolerance * std::max(1.0, state.v.norm())))
      throw std::domain_error(
          fmt::format("the velocity violates constraint {}: its rate is {:.2e}, not 0 (tolerance {:.0e})", name,
                      rate(k), tolerance));
  }
}

}  // namespace

void System::check(const State& state, double tolerance) const {
  CheckScratch scratch;
  check(state, scratch, tolerance);
}

void System::check(const State& state, CheckScratch& scratch, double tolerance) const {
  if (state.q.size() != ambient() || state.v.size() != ambient())
    throw std::invalid_argument(fmt::format("{} has {} ambient coordinates; this state has {} and {} rates", name(),
                                            ambient(), state.q.size(), state.v.size()));
  if (!std::isfinite(state.t)) throw std::invalid_argument("the time of a state must be finite");
  check_point(*this, state, scratch.tangent, tolerance);
  if (has_energies()) check_defined(*this, state, scratch);
  if (constraints() > 0) {
    check_constraints(dynamics().constraints(), state, tolerance);
    dynamics().check_configuration(model(), state.q);
  }
  dynamics().check_velocity(state, tolerance);
}

State System::state(double t, In q, In xi) const {
  if (q.size() != ambient() || xi.size() != rates())
    throw std::invalid_argument(fmt::format("{} has {} ambient coordinates and {} quasi-velocities, got {} and {}",
                                            name(), ambient(), rates(), q.size(), xi.size()));
  State result{t, q, VectorXd(ambient()), parts_->model};
  space().velocity(q, xi, result.v);
  return result;
}

State System::state(double t, In q) const {
  if (q.size() != ambient())
    throw std::invalid_argument(fmt::format("{} has {} ambient coordinates, got {}", name(), ambient(), q.size()));
  Workspace w(*this);
  State result{t, q, VectorXd(ambient()), parts_->model};
  field(w, t, q, result.v);
  return result;
}

void System::acceleration(Workspace& w, double t, In q, In v, Out a) const { dynamics().acceleration(w, t, q, v, a); }
void System::field(Workspace& w, double t, In q, Out v) const { dynamics().field(w, t, q, v); }
void System::momentum(Workspace& w, double t, In q, In v, Out p) const { dynamics().momentum(w, t, q, v, p); }
void System::velocity(Workspace& w, double t, In q, In p, Out v) const { dynamics().velocity(w, t, q, p, v); }
void System::force(Workspace& w, double t, In q, In v, Out f) const { dynamics().force(w, t, q, v, f); }
Energy System::energy(Workspace& w, double t, In q, In v) const { return dynamics().energy(w, t, q, v); }
double System::power(Workspace& w, double t, In q, In v) const { return dynamics().power(w, t, q, v); }

void System::constraint(Workspace& w, In q, Out c) const {
  if (constraints() == 0) return;
  Constraints::Workspace& s = w.scratch().constraint;
  dynamics().constraints().evaluate(s, q);
  c = s.c;
}

void System::add_reaction(Workspace& w, In q, Out f) const {
  dynamics().constraints().add_reaction(w.scratch().constraint, q, w.multipliers, f);
}

VectorXd acceleration(const System& system, const State& state, In u) {
  Workspace w(system);
  if (u.size() != 0 && u.size() != system.inputs())
    throw std::invalid_argument(fmt::format("{} has {} inputs, got {}", system.name(), system.inputs(), u.size()));
  if (u.size() != 0) w.u = u;
  VectorXd a(system.ambient());
  system.acceleration(w, state.t, state.q, state.v, a);
  return a;
}

VectorXd momentum(const System& system, const State& state) {
  Workspace w(system);
  VectorXd p(system.ambient());
  system.momentum(w, state.t, state.q, state.v, p);
  return p;
}

Energy energy(const System& system, const State& state) {
  Workspace w(system);
  return system.energy(w, state.t, state.q, state.v);
}

VectorXd constraint(const System& system, const State& state) {
  Workspace w(system);
  VectorXd c(system.constraints());
  system.constraint(w, state.q, c);
  return c;
}

}  // namespace hamel
