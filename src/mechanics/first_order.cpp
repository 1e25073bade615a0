// First-order systems: the velocity is a function of the point, q' = f(t, q) - C^T lambda.
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/mechanics/expressions.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

// At random points: what is tangent there is tangent everywhere.
void System::check_tangent() const {
  constexpr int samples = 4;
  constexpr double tolerance = 1e-9;
  Random random(1);
  VectorXd f(ambient()), u = VectorXd::Constant(inputs(), 0.5);
  VectorXd scratch(static_cast<Eigen::Index>(field_.program().scratch_size()));
  for (int sample = 0; sample < samples; ++sample) {
    const VectorXd q = space().random_point(random);
    const double t = sample;
    field_.run<3, 1>({q.data(), u.data(), &t}, {f.data()}, scratch.data());
    for (int k = 0; k < geometry().factors(); ++k) {
      const auto& [coordinate, factor] = model().coordinates()[at(k)];
      const int begin = geometry().offset(k), n = factor.ambient();
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

void System::set_field(const LoweredModel& lowered, const Parameters& parameters) {
  field_ = Kernel("field", {lowered.q, lowered.u, {lowered.t}}, {lowered.field}, parameters);
  conservative_ = false;
  path_reason_ = "q' is given, by a field";
  check_tangent();
  if (constraints() == 0) return;
  // The velocity that belongs to the momentum f when L = |v|^2 / 2: the part of f that the constraints allow.
  LoweredModel unit = lowered;
  unit.kinetic.clear();
  for (const Expr v : lowered.v) unit.kinetic.push_back(0.5 * v * v);
  reduced_ = Reduced(*model_, unit, parameters);
}

void System::need_energies(const char* what) const {
  if (is_first_order())
    throw std::invalid_argument(
        fmt::format("{} has no {}: it is given by a field, q' = f(t, q), not by energies", name(), what));
}

void System::field(Workspace& w, double t, In q, Out v) const {
  if (!is_first_order())
    throw std::invalid_argument(
        fmt::format("{} is given by energies: its velocity is no function of its point", name()));
  Eigen::Ref<VectorXd> f = w.force;
  field_.run<3, 1>({q.data(), w.u.data(), &t}, {f.data()}, w.scratch.data());
  if (!f.allFinite())
    throw std::runtime_error(
        fmt::format("the field of {} is not finite at t = {:.6g}: it is not defined there", name(), t));
  if (constraints() == 0) {
    v = f;
    return;
  }
  reduced_.velocity(*geometry_, w.geometry, w.reduced, t, q, f, v);
  w.multipliers = w.reduced.solution.tail(constraints());
}

void System::restore(Workspace& w, double t, Out q) const {
  constexpr int most_iterations = 5;
  constexpr double rounding_error = 1e-15;
  space().project(q, q);
  if (constraints() == 0) return;
  for (int i = 0; i < most_iterations; ++i) {
    reduced_.restoring_change(*geometry_, w.geometry, w.reduced, t, q, w.numbers);
    if (w.reduced.c.lpNorm<Eigen::Infinity>() <= rounding_error) return;
    space().retract(q, w.numbers, q);
  }
}

State System::state(double t, In q) const {
  if (q.size() != ambient())
    throw std::invalid_argument(fmt::format("{} has {} ambient coordinates, got {}", name(), ambient(), q.size()));
  Workspace w(*this);
  State result{t, q, VectorXd(ambient())};
  field(w, t, q, result.v);
  return result;
}

void System::check_field(const State& state, double tolerance) const {
  const double off = (state.v - this->state(state.t, state.q).v).norm();
  if (inputs() == 0 && off > tolerance * std::max(1.0, state.v.norm()))
    throw std::domain_error(fmt::format(
        "the velocity of {} is given by its field; that of this state is off by {:.2e} (tolerance {:.0e}): take "
        "state(t, q)",
        name(), off, tolerance));
}

}  // namespace hamel
