// First-order systems: the velocity is a function of the point, q' = f(t, q) - C^T lambda.
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/model/index.hpp"
#include "mechanics/kinds.hpp"

namespace hamel {

namespace {

// The velocity that belongs to the momentum f when L = |v|^2 / 2: the part of f that the constraints allow.
std::optional<Reduced> allowed_part(const std::shared_ptr<const Geometry>& geometry, const Constraints& constraints,
                                    const LoweredModel& lowered, const Parameters& parameters) {
  if (constraints.size() == 0) return std::nullopt;
  LoweredModel unit = lowered;
  unit.kinetic.clear();
  for (const Expr v : lowered.v) unit.kinetic.push_back(0.5 * v * v);
  return Reduced(geometry, constraints, reduced_kernels(unit, parameters));
}

}  // namespace

FirstOrderDynamics::FirstOrderDynamics(const Model& model, const std::shared_ptr<const Geometry>& geometry,
                                       const Constraints& constraints, const LoweredModel& lowered,
                                       const Parameters& parameters)
    : Dynamics(model.name(), geometry, constraints),
      inputs_(static_cast<int>(lowered.u.size())),
      field_("field", {lowered.q, {}, lowered.u, {lowered.t}}, {lowered.field, {}, {}}, parameters),
      allowed_(allowed_part(geometry, constraints, lowered, parameters)) {
  FirstOrderDynamics::check_parameters(model);
}

void FirstOrderDynamics::set_parameters(In values) {
  Dynamics::set_parameters(values);
  field_.set_parameters(values);
  if (allowed_) allowed_->set_parameters(values);
}

// That the field is tangent, at random points: what is tangent there is tangent everywhere.
void FirstOrderDynamics::check_parameters(const Model& model) const {
  constexpr int samples = 4;
  constexpr double tolerance = 1e-9;
  Random random(1);
  VectorXd f(geometry_->ambient()), u = VectorXd::Constant(inputs_, 0.5);
  VectorXd scratch(static_cast<Eigen::Index>(field_.program().scratch_size()));
  for (int sample = 0; sample < samples; ++sample) {
    const VectorXd q = geometry_->space().random_point(random);
    const double t = sample;
    field_.run<4, 3>({q.data(), nullptr, u.data(), &t}, {f.data(), nullptr, nullptr}, scratch.data());
    for (int k = 0; k < geometry_->factors(); ++k) {
      const auto& [coordinate, factor] = model.coordinates()[at(k)];
      const int begin = geometry_->offset(k), n = factor.ambient();
      const VectorXd part = f.segment(begin, n);
      if (!part.allFinite()) continue;
      VectorXd tangent(n);
      factor.tangent_project(q.segment(begin, n), part, tangent);
      const double off = (part - tangent).norm(), size = part.norm();
      if (off > tolerance * f.norm())
        throw std::invalid_argument(fmt::format(
            "the rate of {0} in the field is not tangent to {1}: its normal part is {2:.3g}, of {3:.3g}, at a random "
            "point; take that part away, or make {0} a vector and {1} a constraint, whose multiplier does it",
            coordinate, factor.name(), off, size));
    }
  }
}

void FirstOrderDynamics::prepare(Workspace::Scratch& s) const {
  Dynamics::prepare(s);
  s.make_room({&field_});
  if (allowed_) s.reduced = allowed_->workspace();
}

void FirstOrderDynamics::refuse(const char* what) const {
  throw std::invalid_argument(
      fmt::format("{} has no {}: it is given by a field, q' = f(t, q), not by energies", name_, what));
}

void FirstOrderDynamics::field(Workspace& w, double t, In q, Out v) const {
  Workspace::Scratch& s = w.scratch();
  field_.run<4, 3>({q.data(), nullptr, w.u.data(), &t}, {s.force.data(), nullptr, nullptr}, s.program.data());
  if (!s.force.allFinite())
    throw std::runtime_error(
        fmt::format("the field of {} is not finite at t = {:.6g}: it is not defined there", name_, t));
  if (!allowed_) {
    v = s.force;
    return;
  }
  allowed_->velocity(s.reduced, t, q, s.force, v);
  w.multipliers = s.reduced.solution.tail(constraints_.size());
}

void FirstOrderDynamics::restore(Workspace& w, double t, Out q) const {
  constexpr int most_iterations = 5;
  constexpr double rounding_error = 1e-15;
  Workspace::Scratch& s = w.scratch();
  geometry_->space().project(q, q);
  if (!allowed_) return;
  for (int i = 0; i < most_iterations; ++i) {
    allowed_->restoring_change(s.reduced, t, q, s.numbers);
    if (s.reduced.constraint.c.lpNorm<Eigen::Infinity>() <= rounding_error) return;
    geometry_->space().retract(q, s.numbers, q);
  }
}

void FirstOrderDynamics::check_velocity(const State& state, double tolerance) const {
  if (inputs_ > 0) return;
  Workspace w(*this, 0);
  VectorXd v(state.q.size());
  field(w, state.t, state.q, v);
  const double off = (state.v - v).norm();
  if (off > tolerance * std::max(1.0, state.v.norm()))
    throw std::domain_error(fmt::format(
        "the velocity of {} is given by its field; that of this state is off by {:.2e} (tolerance {:.0e}): take "
        "state(t, q)",
        name_, off, tolerance));
}

std::vector<const Program*> FirstOrderDynamics::motion_programs() const {
  std::vector<const Program*> all{&field_.program()};
  if (allowed_)
    for (const Program* program : allowed_->programs()) all.push_back(program);
  return all;
}

}  // namespace hamel
