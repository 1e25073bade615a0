#include "hamel/mechanics/system.hpp"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/expressions.hpp"
#include "mechanics/defined.hpp"
#include "mechanics/regularity.hpp"

namespace hamel {

namespace {

bool depends_on(std::span<const Expr> expressions, Expr variable) {
  for (const Expr e : dependencies(expressions))
    if (e == variable) return true;
  return false;
}

void refuse_moving_constraints(const LoweredModel& lowered) {
  if (!depends_on(lowered.constraints, lowered.t)) return;
  std::size_t k = 0;
  while (!depends_on({&lowered.constraints[k], 1}, lowered.t)) ++k;
  throw std::invalid_argument(
      fmt::format("constraint {} depends on time: only constraints between coordinates are supported; make what moves "
                  "a coordinate, or write the energies in coordinates that move along",
                  lowered.constraint_names[k]));
}

}  // namespace

namespace {

// Derives a part in a graph of its own, so that it does not depend on which others there are.
template <class Make>
auto in_own_graph(const Model& model, Make make) {
  const Sheet sheet(model);
  return make(sheet.lowered, Parameters{sheet.lowered.parameters, parameter_values(model)});
}

Reduced derive_reduced(const Model& model, const Quadrature& rule = Quadrature::trapezoidal) {
  return in_own_graph(model, [&](const LoweredModel& lowered, const Parameters& parameters) {
    return Reduced(model, lowered, parameters, rule);
  });
}

ConstantMass derive_constant_mass(const Model& model) {
  return in_own_graph(model, [&](const LoweredModel& lowered, const Parameters& parameters) {
    return derive_constant_mass(model, lowered, parameters);
  });
}

}  // namespace

struct System::Later {
  std::mutex mutex;
  std::optional<Canonical> canonical;
  std::optional<Kernel> motion;
  std::map<Quadrature, std::optional<StepKernels>> steps;
  std::map<Quadrature, std::optional<Kernel>> pivots;
  std::map<Quadrature, std::optional<Reduced>> reduced;
};

// Derived once, for the first parameters; others put their values in.
template <class Part, class Select, class Make>
const Part& System::later(const Select& select, const Make& make) const {
  const std::scoped_lock guard(later_->mutex);
  std::optional<Part>& mine = select(*later_);
  if (mine) return *mine;
  if (first_ == nullptr) return mine.emplace(make(*this));
  mine.emplace(first_->later<Part>(select, make));
  mine->set_parameters(parameter_values(*model_));
  return *mine;
}

const Canonical& System::canonical() const {
  return later<Canonical>(
      [](Later & l) -> auto& { return l.canonical; }, [](const System& first) { return Canonical(first); });
}

const Kernel& System::motion() const {
  return later<Kernel>(
      [](Later & l) -> auto& { return l.motion; },
      [](const System& first) {
        return first.path() == Path::constant_mass ? derive_motion(first.model()) : Kernel();
      });
}

const StepKernels& System::step(const Quadrature& rule) const {
  if (rule == Quadrature::trapezoidal) return constant_mass_.step;
  return later<StepKernels>(
      [&](Later & l) -> auto& { return l.steps[rule]; },
      [&](const System& first) { return derive_step(first.model(), rule); });
}

const Kernel& System::step_pivots(const Quadrature& rule) const {
  return later<Kernel>(
      [&](Later & l) -> auto& { return l.pivots[rule]; },
      [&](const System& first) { return derive_step_pivots(first.model(), rule); });
}

const Reduced& System::reduced(const Quadrature& rule) const {
  if (rule == Quadrature::trapezoidal && !reduced_.empty()) return reduced_;
  return later<Reduced>(
      [&](Later & l) -> auto& { return l.reduced[rule]; },
      [&](const System& first) { return derive_reduced(first.model(), rule); });
}

// Energies, momentum and force; for a given H only the power of the forces.
void System::set_energies(const LoweredModel& lowered, const Parameters& parameters) {
  const Exprs &q = lowered.q, &v = lowered.v, &u = lowered.u;
  const Expr T = sum(lowered.kinetic), U = sum(lowered.potential), extra = sum(lowered.lagrangian);
  const Expr L = T - U + extra;
  Exprs all = {L, sum(lowered.hamiltonian)};
  all.insert(all.end(), lowered.constraints.begin(), lowered.constraints.end());
  conservative_ = !depends_on(all, lowered.t) && lowered.forces.empty() && lowered.rayleigh.is_constant(0);

  // The power of the forces: force . rate, minus the dissipation's dR/dv . v.
  Expr power;
  for (const auto& [force, rate] : lowered.forces) power += force * rate;
  const Exprs damping = gradient(lowered.rayleigh, v);
  for (std::size_t i = 0; i < v.size(); ++i) power -= damping[i] * v[i];
  if (hamiltonian_) {
    energy_ = Kernel("power", {q, v, u, {lowered.t}}, {{power}}, parameters);
    return;
  }
  const Exprs p = gradient(L, v);
  Expr total = -L;
  for (std::size_t i = 0; i < v.size(); ++i) total += v[i] * p[i];
  energy_ = Kernel("energy", {q, v, u, {lowered.t}}, {{T, U, total, power}}, parameters);
  momentum_ = Kernel("momentum", {q, v, {lowered.t}}, {p}, parameters);
  Exprs force = gradient(L, q);
  const Exprs applied = applied_force(lowered.forces, lowered.rayleigh, v);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] += applied[i];
  force_ = Kernel("force", {q, v, u, {lowered.t}}, {force}, parameters);
}

void System::choose_path(DeriveOptions options) {
  if (options.path != Path::reduced) {
    constant_mass_ = derive_constant_mass(*model_);
    const std::string& obstacle = constant_mass_.obstacle;
    if (obstacle.empty()) {
      path_ = Path::constant_mass;
      path_reason_ = "the mass matrix is constant in the ambient coordinates and points";
    } else if (options.path == Path::constant_mass) {
      throw std::invalid_argument(fmt::format("{} cannot take the constant-mass path: {}", name(), obstacle));
    } else {
      path_reason_ = obstacle;
    }
  }
  const bool needs_reduced = path_ != Path::constant_mass || constant_mass_.step.empty();
  if (needs_reduced)
    reduced_ = derive_reduced(*model_);
  else if (constraints() > 0)
    reduced_ = in_own_graph(*model_, Reduced::of_constraints);
  if (reduced_.empty() && !has_finite_velocities(*this)) reduced_ = derive_reduced(*model_);
  if (!reduced_.empty()) check_regularity(*this);
}

System derive(const Model& model, DeriveOptions options) {
  const Sheet sheet(model);
  const LoweredModel& lowered = sheet.lowered;
  refuse_moving_constraints(lowered);
  const Parameters parameters{lowered.parameters, parameter_values(model)};

  System system;
  system.later_ = std::make_shared<System::Later>();
  system.model_ = std::make_shared<Model>(model);
  std::vector<Manifold> spaces;
  for (const auto& coordinate : model.coordinates()) spaces.push_back(coordinate.space);
  system.space_ = std::make_shared<Manifold>(product(spaces));
  system.constraint_names_ = lowered.constraint_names;
  system.inputs_ = static_cast<int>(lowered.u.size());
  system.hamiltonian_ = !lowered.hamiltonian.empty();
  system.geometry_ = std::make_shared<Geometry>(model, lowered);
  system.rules_ = std::make_shared<ParameterRules>(model);

  if (model.has_field()) {
    system.set_field(lowered, parameters);
    return system;
  }
  system.set_energies(lowered, parameters);
  if (system.hamiltonian_) {
    if (options.path == Path::constant_mass)
      throw std::invalid_argument("the constant-mass path needs a Lagrangian; this model is given by a Hamiltonian");
    system.reduced_ = derive_reduced(model);
    system.path_reason_ = "given by a Hamiltonian: projection form";
    return system;
  }
  check_range(system);
  system.choose_path(options);
  return system;
}

System System::with(const ParameterValues& values) const {
  System result = *this;
  result.model_ = std::make_shared<Model>(model_->with(values, *rules_));
  result.later_ = std::make_shared<Later>();
  if (first_ == nullptr) result.first_ = std::make_shared<const System>(*this);
  result.set_parameters(parameter_values(*result.model_));
  result.check_parameters();
  return result;
}

void System::set_parameters(const VectorXd& values) {
  for (Kernel* kernel : {&energy_, &momentum_, &force_, &field_}) kernel->set_parameters(values);
  reduced_.set_parameters(values);
  constant_mass_.set_parameters(values);
  const System& first = *first_;
  if (const std::string broken = constant_mass_.broken_decision(first.constant_mass_, values); !broken.empty())
    throw std::invalid_argument(
        fmt::format("with these parameters {} would be derived in another way: {}; derive the model with them anew",
                    name(), broken));
}

void System::check_parameters() const {
  if (is_first_order()) return check_tangent();
  if (hamiltonian_) return;
  check_range(*this);
  if (!reduced_.empty()) return check_regularity(*this);
  if (!has_finite_velocities(*this))
    throw std::domain_error(fmt::format(
        "the equations of motion of {} are singular for these parameters; derive the model with them anew to see why",
        name()));
}

Workspace::Workspace(const System& system) {
  const int a = system.ambient();
  u = VectorXd::Zero(system.inputs());
  multipliers = VectorXd::Zero(system.constraints());
  momentum = force = VectorXd::Zero(a);
  numbers = VectorXd::Zero(a);
  geometry = system.geometry_->workspace();
  reduced = system.reduced_.workspace(*system.geometry_);
  if (!system.constant_mass_.natural.empty()) {
    eta = eta_rate = VectorXd::Zero(system.constant_mass_.natural.back());
  }
  std::size_t size = 1;
  for (const Kernel* kernel : {&system.energy_, &system.momentum_, &system.force_, &system.constant_mass_.acceleration,
                               &system.constant_mass_.velocity, &system.field_})
    if (!kernel->empty()) size = std::max(size, kernel->program().scratch_size());
  scratch = VectorXd::Zero(static_cast<Eigen::Index>(size));
}

void System::check(const State& state, double tolerance) const {
  if (state.q.size() != ambient() || state.v.size() != ambient())
    throw std::invalid_argument(fmt::format("{} has {} ambient coordinates; this state has {} and {} rates", name(),
                                            ambient(), state.q.size(), state.v.size()));
  if (!std::isfinite(state.t)) throw std::invalid_argument("the time of a state must be finite");
  VectorXd tangent(ambient());
  for (int f = 0; f < geometry_->factors(); ++f) {
    const auto& [coordinate, space] = model_->coordinates()[at(f)];
    const auto q = state.q.segment(geometry_->offset(f), space.ambient());
    const auto v = state.v.segment(geometry_->offset(f), space.ambient());
    space.check(q, coordinate, tolerance);
    if (!v.allFinite()) throw std::domain_error(fmt::format("the rate of {} is not finite", coordinate));
    auto w = tangent.segment(geometry_->offset(f), space.ambient());
    space.tangent_project(q, v, w);
    const double off = (v - w).norm();
    if (off > tolerance * std::max(1.0, v.norm()))
      throw std::domain_error(
          fmt::format("the rate of {} is not tangent to {}: its normal part is {:.2e} (tolerance {:.0e}); "
                      "project it first or correct the numbers",
                      coordinate, space.name(), off, tolerance));
  }
  check_defined(*this, state);
  if (constraints() > 0) check_constraints(state, tolerance);
  if (is_first_order()) check_field(state, tolerance);
}

void System::check_constraints(const State& state, double tolerance) const {
  auto w = reduced_.workspace(*geometry_);
  reduced_.constraint(w, state.q);
  const VectorXd rate = w.G * state.v;
  for (int k = 0; k < constraints(); ++k) {
    if (!(std::abs(w.c(k)) <= tolerance))
      throw std::domain_error(
          fmt::format("constraint {} is violated at the start: it is {:.2e}, not 0 (tolerance {:.0e})",
                      constraint_names_[at(k)], w.c(k), tolerance));
    if (!(std::abs(rate(k)) <= tolerance * std::max(1.0, state.v.norm())))
      throw std::domain_error(
          fmt::format("the velocity violates constraint {}: its rate is {:.2e}, not 0 (tolerance {:.0e})",
                      constraint_names_[at(k)], rate(k), tolerance));
  }
  check_independence(*this, state.q);
}

State System::state(double t, In q, In xi) const {
  if (q.size() != ambient() || xi.size() != rates())
    throw std::invalid_argument(fmt::format("{} has {} ambient coordinates and {} quasi-velocities, got {} and {}",
                                            name(), ambient(), rates(), q.size(), xi.size()));
  State result{t, q, VectorXd(ambient())};
  space().velocity(q, xi, result.v);
  return result;
}

void System::acceleration(Workspace& w, double t, In q, In v, Out a) const {
  need_energies("acceleration");
  if (hamiltonian_) {
    auto& h = w.reduced.hamilton;
    reduced_.hamilton().momentum(*geometry_, w.geometry, h, t, q, v, w.momentum);
    reduced_.hamilton().flow(h, t, q, w.momentum, w.u, h.v, h.rate, a);
  } else if (path_ == Path::reduced) {
    reduced_.acceleration(*geometry_, w.geometry, w.reduced, t, q, v, w.u, a, w.multipliers);
  } else if (constant_mass_.natural_is_ambient) {
    natural_acceleration(w, t, q.data(), v.data(), a.data());
  } else {
    natural_velocity(q, v, w.eta);
    natural_acceleration(w, t, q.data(), w.eta.data(), w.eta_rate.data());
    ambient_acceleration(w, q, v, w.eta_rate, a);
  }
  if (!a.allFinite())
    throw std::runtime_error(fmt::format(
        "{} has no finite acceleration at t = {:.6g}: the equations of motion are singular there", name(), t));
}

void System::natural_velocity(In q, In v, Out eta) const {
  const auto& natural = constant_mass_.natural;
  for (int f = 0; f < geometry_->factors(); ++f) {
    const Manifold& factor = geometry_->space(f);
    const int begin = geometry_->offset(f), n = factor.ambient();
    auto out = eta.segment(natural[at(f)], natural[at(f + 1)] - natural[at(f)]);
    if (is_by_basis(factor))
      factor.rates(q.segment(begin, n), v.segment(begin, n), out);
    else
      out = v.segment(begin, n);
  }
}

void System::ambient_velocity(In q, In eta, Out v) const {
  const auto& natural = constant_mass_.natural;
  for (int f = 0; f < geometry_->factors(); ++f) {
    const Manifold& factor = geometry_->space(f);
    const int begin = geometry_->offset(f), n = factor.ambient();
    const auto in = eta.segment(natural[at(f)], natural[at(f + 1)] - natural[at(f)]);
    auto out = v.segment(begin, n);
    if (is_by_basis(factor))
      factor.velocity(q.segment(begin, n), in, out);
    else
      out = in;
  }
}

void System::ambient_acceleration(Workspace& w, In q, In v, In eta_rate, Out a) const {
  ambient_velocity(q, eta_rate, a);
  geometry_->curvature(q, v, w.geometry, w.numbers);
  for (int f = 0; f < geometry_->factors(); ++f) {
    if (!is_by_basis(geometry_->space(f))) continue;
    const int begin = geometry_->offset(f), n = geometry_->space(f).ambient();
    a.segment(begin, n) += w.numbers.segment(begin, n);
  }
}

void System::momentum(Workspace& w, double t, In q, In v, Out p) const {
  need_energies("momentum");
  if (hamiltonian_)
    reduced_.hamilton().momentum(*geometry_, w.geometry, w.reduced.hamilton, t, q, v, p);
  else
    momentum_.run<3, 1>({q.data(), v.data(), &t}, {p.data()}, w.scratch.data());
}

void System::velocity(Workspace& w, double t, In q, In p, Out v) const {
  need_energies("momentum");
  if (hamiltonian_) {
    auto& h = w.reduced.hamilton;
    space().tangent_project(q, p, w.momentum);
    reduced_.hamilton().flow(h, t, q, w.momentum, w.u, v, h.rate, h.a);
  } else if (path_ == Path::reduced) {
    reduced_.velocity(*geometry_, w.geometry, w.reduced, t, q, p, v);
  } else if (constant_mass_.natural_is_ambient) {
    constant_mass_.velocity.run<3, 1>({q.data(), p.data(), &t}, {v.data()}, w.scratch.data());
  } else {
    constant_mass_.velocity.run<3, 1>({q.data(), p.data(), &t}, {w.eta.data()}, w.scratch.data());
    ambient_velocity(q, w.eta, v);
  }
}

void System::force(Workspace& w, double t, In q, In v, Out f) const {
  need_energies("force");
  force_.run<4, 1>({q.data(), v.data(), w.u.data(), &t}, {f.data()}, w.scratch.data());
}

void System::add_reaction(Workspace& w, In q, Out f) const {
  if (constraints() == 0) return;
  reduced_.constraint(w.reduced, q);
  f.noalias() -= w.reduced.G.transpose() * w.multipliers;
}

Energy System::energy(Workspace& w, double t, In q, In v) const {
  need_energies("energy");
  if (hamiltonian_) {
    momentum(w, t, q, v, w.momentum);
    return {0, 0, reduced_.hamilton().value(w.reduced.hamilton, t, q, w.momentum)};
  }
  std::array<double, 4> out{};
  energy_.run<4, 1>({q.data(), v.data(), w.u.data(), &t}, {out.data()}, w.scratch.data());
  return {out[0], out[1], out[2]};
}

double System::power(Workspace& w, double t, In q, In v) const {
  need_energies("power");
  std::array<double, 4> out{};
  energy_.run<4, 1>({q.data(), v.data(), w.u.data(), &t}, {out.data()}, w.scratch.data());
  return hamiltonian_ ? out[0] : out[3];
}

void System::constraint(Workspace& w, In q, Out c) const {
  if (constraints() == 0) return;
  reduced_.constraint(w.reduced, q);
  c = w.reduced.c;
}

}  // namespace hamel
