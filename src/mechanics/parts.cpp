#include "hamel/mechanics/parts.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/program/native.hpp"
#include "mechanics/kinds.hpp"

namespace hamel {

namespace {

using Parts = System::Parts;

// Derived once, for the first parameters; others put their values in.
template <class Part, class Select, class Make>
const Part& derived_later(const Parts& parts, const Select& select, const Make& make) {
  const std::scoped_lock guard(parts.later.mutex);
  std::optional<Part>& mine = select(parts.later);
  if (mine) return *mine;
  if (parts.first == nullptr) return mine.emplace(make(parts));
  mine.emplace(derived_later<Part>(*parts.first, select, make));
  mine->set_parameters(parameter_values(*parts.model));
  return *mine;
}

bool has_constant_mass(const Parts& parts) { return parts.dynamics->path() == Path::constant_mass; }

// One that is not finite at a random state would be of no use elsewhere.
bool is_finite_at_trial(const Parts& parts, const Kernel& flow) {
  if (flow.empty()) return false;
  const Geometry& geometry = parts.dynamics->geometry();
  const VectorXd &q = geometry.trial_point(), &p = geometry.trial_tangent(), u = VectorXd::Zero(parts.inputs);
  VectorXd q_rate(q.size()), p_rate(q.size()), scratch(static_cast<Eigen::Index>(flow.program().scratch_size()));
  const double t = 0;
  flow.run<4, 2>({q.data(), p.data(), &t, u.data()}, {q_rate.data(), p_rate.data()}, scratch.data());
  return q_rate.allFinite() && p_rate.allFinite();
}

Kernel reduced_motion(const Parts& parts) {
  Kernel kernel = reduced_motion_kernel(*parts.model);
  if (kernel.empty()) return {};
  const Geometry& geometry = parts.dynamics->geometry();
  const VectorXd& q = geometry.trial_point();
  const VectorXd u = VectorXd::Zero(parts.inputs);
  VectorXd v = geometry.trial_tangent(), xi(geometry.rates()), q_rate(v.size()), xi_rate(xi.size()),
           multipliers(parts.dynamics->constraints().size()),
           scratch(static_cast<Eigen::Index>(kernel.program().scratch_size()));
  const double t = 0;
  for (const double size : {1.0, 0.0}) {  // some energies are defined for small velocities alone
    v *= size;
    geometry.space().rates(q, v, xi);
    kernel.run<4, 3>({q.data(), xi.data(), u.data(), &t}, {q_rate.data(), xi_rate.data(), multipliers.data()},
                     scratch.data());
    if (xi_rate.allFinite()) return kernel;
  }
  return {};
}

Kernel motion_of(const Parts& parts) {
  const Dynamics& dynamics = *parts.dynamics;
  if (has_constant_mass(parts)) return motion_kernel(*parts.model);
  if (dynamic_cast<const ReducedDynamics*>(&dynamics) != nullptr) return reduced_motion(parts);
  const auto* field = dynamic_cast<const FirstOrderDynamics*>(&dynamics);
  return field != nullptr && field->motion() != nullptr ? *field->motion() : Kernel();
}

}  // namespace

const ConstantMass& constant_mass(const System& system) {
  const auto* dynamics = dynamic_cast<const ConstantMassDynamics*>(&system.dynamics());
  if (dynamics == nullptr)
    throw std::logic_error(fmt::format("{} is not on the constant-mass path: {}", system.name(), system.path_reason()));
  return dynamics->kernels();
}

const Kernel& momentum_kernel(const System& system) {
  const auto* dynamics = dynamic_cast<const LagrangianDynamics*>(&system.dynamics());
  if (dynamics == nullptr) throw std::logic_error(fmt::format("{} has no Lagrangian", system.name()));
  return dynamics->momentum_kernel();
}

const Kernel& motion(const System& system) {
  return derived_later<Kernel>(
      system.parts(), [](Parts::Later & l) -> auto& { return l.motion; }, motion_of);
}

const StepKernels& step(const System& system, const Quadrature& rule) {
  if (rule == Quadrature::trapezoidal) return constant_mass(system).step;
  return derived_later<StepKernels>(
      system.parts(), [&](Parts::Later & l) -> auto& { return l.steps[rule]; },
      [&](const Parts& first) { return step_kernels(*first.model, rule); });
}

const Kernel& step_pivots(const System& system, const Quadrature& rule) {
  return derived_later<Kernel>(
      system.parts(), [&](Parts::Later & l) -> auto& { return l.pivots[rule]; },
      [&](const Parts& first) { return step_pivots(*first.model, rule); });
}

const DiscreteMap& discrete_map(const System& system, const Quadrature& rule) {
  return derived_later<DiscreteMap>(
      system.parts(), [&](Parts::Later & l) -> auto& { return l.maps[rule]; },
      [&](const Parts& first) {
        const int ambient = first.dynamics->geometry().ambient();
        const auto* given = dynamic_cast<const ProjectionDynamics*>(first.dynamics.get());
        if (given == nullptr) return DiscreteMap(ambient, discrete_kernels(*first.model, rule));
        if (rule != Quadrature::trapezoidal)
          throw std::invalid_argument(
              fmt::format("a system that is given by a Hamiltonian has the trapezoidal rule only: give a Lagrangian "
                          "for the {} rule",
                          rule.name));
        return DiscreteMap(ambient, given->hamilton());
      });
}

const Canonical& canonical(const System& system) {
  return derived_later<Canonical>(
      system.parts(), [](Parts::Later & l) -> auto& { return l.canonical; },
      [](const Parts& first) {
        CanonicalKernels kernels = canonical_kernels(*first.model, has_constant_mass(first));
        if (!kernels.fibre.empty() && !is_finite_at_trial(first, kernels.flow)) kernels.without_flow();
        return Canonical(first.model->name(), first.dynamics->geometry().ambient(), std::move(kernels));
      });
}

Kernel canonical_derivative(const System& system) {
  return canonical_derivative(system.model(), has_constant_mass(system.parts()));
}

void prepare(const System& system, double runs) {
  const Dynamics& dynamics = system.dynamics();
  std::vector<const Program*> wanted;
  const auto add = [&](const std::vector<const Program*>& more) {
    for (const Program* program : more)
      if (native_pays(*program, runs)) wanted.push_back(program);
  };
  add(dynamics.energy_programs());
  add(dynamics.motion_programs());
  if (system.path() == Path::constant_mass)
    add(constant_mass(system).step.programs());
  else if (system.has_energies())
    add(discrete_map(system, Quadrature::trapezoidal).programs());
  if (!wanted.empty()) compile_native(wanted);
}

}  // namespace hamel
