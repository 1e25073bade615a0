#include "integrate/variational_stepper.hpp"

#include <fmt/core.h>

#include <cmath>

#include "hamel/mechanics/geometry.hpp"
#include "integrate/composition.hpp"

namespace hamel {

std::vector<CurvedFactor> curved_factors(const Geometry& geometry) {
  std::vector<CurvedFactor> result;
  for (int f = 0; f < geometry.factors(); ++f)
    if (geometry.space(f).dimension() < geometry.space(f).ambient())
      result.push_back({f, geometry.offset(f), geometry.space(f).ambient()});
  return result;
}

VariationalStepper::VariationalStepper(const System& system, const Variational& method)
    : FixedStep(system, method.step),
      rule_(method.rule),
      substeps_(composition(method.order)),
      curved_(curved_factors(system.geometry())) {
  between_ = rate_between_ = VectorXd::Zero(system.ambient());
  now_ = before_ = first_ = {0, between_, between_};
}

void VariationalStepper::start(const State& state) {
  restart_clock(state.t);
  now_ = before_ = first_ = state;
  harmless_ = std::numeric_limits<double>::infinity();
  for (const auto& [f, begin, size] : curved_)
    harmless_ = std::min(harmless_, short_way(state.q.segment(begin, size)) / 2);
  begin();
}

void VariationalStepper::current(State& state) {
  find_velocity();
  state.t = now_.t;
  state.q = now_.q;
  state.v = now_.v;
}

void VariationalStepper::interpolate(double t, State& state) {
  State& from = substeps_.size() == 1 ? before_ : first_;
  find_velocity();
  find_velocity_before(from);
  const double h = time() - begin_of_step(), s = (t - begin_of_step()) / h;
  between_ = hermite(s, h, from.q, from.v, now_.q, now_.v);
  rate_between_ = hermite_rate(s, h, from.q, from.v, now_.q, now_.v);
  state.t = t;
  state.q.resize(between_.size());
  state.v.resize(between_.size());
  system_.space().project(between_, state.q);
  system_.space().tangent_project(state.q, rate_between_, state.v);
}

void VariationalStepper::remember(Memory& memory) {
  FixedStep::remember(memory);
  memory(now_, before_, first_, harmless_);
}

void VariationalStepper::advance(double h) {
  if (substeps_.size() > 1) {
    first_.q = now_.q;
    first_.v = now_.v;
    first_.t = time();
  }
  double t = time();
  for (std::size_t k = 0; k < substeps_.size(); ++k) {
    before_.q.swap(now_.q);
    before_.v.swap(now_.v);
    before_.t = t;
    solve(t, substeps_[k] * h, k);
    if (!std::isfinite(sum_of_state()))
      throw StepError(
          time(), h,
          fmt::format("the variational step of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; "
                      "try {:.3g}",
                      system_.name(), time(), h, h / 2));
    check_fold(t, substeps_[k] * h, k);
    t += substeps_[k] * h;
  }
  now_.t = time() + h;
}

// Beyond a fold of the discrete Legendre transform (a quarter turn, for the kinetic energy of points) the equations
// of the step have solutions that have nothing to do with the motion.
void VariationalStepper::check_fold(double t, double h, std::size_t substep) {
  if ((now_.q - before_.q).lpNorm<Eigen::Infinity>() < harmless_) return;
  for (const auto& [factor, begin, size] : curved_) {
    const auto q0 = before_.q.segment(begin, size), q1 = now_.q.segment(begin, size);
    if ((q1 - q0).lpNorm<Eigen::Infinity>() < short_way(q0)) continue;
    if (fold_indicator(t, h, substep) > near_the_fold) return;
    throw StepError(
        t, h,
        fmt::format("the variational step of {} at t = {:.9g} with step {:.6g} turns {} too far for one step, to or "
                    "beyond a fold of the discrete Legendre transform (a quarter turn or less); try {:.3g}",
                    system_.name(), t, h, system_.model().coordinates()[static_cast<std::size_t>(factor)].name, h / 4));
  }
}

void VariationalStepper::did_not_converge(double h, double correction) const {
  const std::string last = std::isfinite(correction) ? fmt::format("last correction {:.2e}", correction)
                                                     : std::string("its corrections grew beyond all bounds");
  throw StepError(
      time(), h,
      fmt::format("the variational step of {} at t = {:.9g} with step {:.6g} did not converge: {} after at most {} "
                  "iterations; the step may turn a coordinate too far at once, try {:.3g}",
                  system_.name(), time(), h, last, most_newton_iterations, h / 2));
}

}  // namespace hamel
