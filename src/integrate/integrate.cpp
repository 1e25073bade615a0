#include "hamel/integrate/integrate.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "hamel/integrate/stepper.hpp"

namespace hamel {
namespace {

constexpr double most_steps = 1e12;

void check_until(const System& system, double t0, const Until& until) {
  if (!std::isfinite(until.t)) throw std::invalid_argument(fmt::format("the end time must be finite, not {}", until.t));
  if (until.t < t0)
    throw std::invalid_argument(
        fmt::format("{} cannot be integrated backwards: it starts at t = {:.9g} and should end at t = {:.9g}",
                    system.name(), t0, until.t));
  if (!(std::isfinite(until.every) && until.every >= 0))
    throw std::invalid_argument(
        fmt::format("the output interval must be positive, or 0 for every step; it is {}", until.every));
}

// Times t0 + k interval must be different numbers, and few enough to be reached.
void check_interval(const char* what, double interval, double t0, double end) {
  const double resolution = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(end));
  if (interval < resolution || (end - t0) / interval > most_steps)
    throw std::invalid_argument(
        fmt::format("the {} {:.3g} is too small for a run from t = {:.6g} to {:.6g}: {:.2g} of them; "
                    "take at least {:.1e}",
                    what, interval, t0, end, (end - t0) / interval, std::max(resolution, (end - t0) / most_steps)));
}

void check_request(const System& system, const State& start, const Method& method, const Until& until,
                   const Control& control) {
  check(method);
  system.check(start);
  check_until(system, start.t, until);
  if (const auto* m = std::get_if<Variational>(&method)) check_interval("step", m->step, start.t, until.t);
  if (const auto* m = std::get_if<Gauss>(&method); m != nullptr && m->step > 0)
    check_interval("step", m->step, start.t, until.t);
  if (const auto* m = std::get_if<Rk2>(&method)) check_interval("step", m->step, start.t, until.t);
  if (const auto* m = std::get_if<Rk4>(&method)) check_interval("step", m->step, start.t, until.t);
  if (const auto* m = std::get_if<LieRk>(&method)) check_interval("step", m->step, start.t, until.t);
  if (until.every > 0) check_interval("output interval", until.every, start.t, until.t);
  if (!control.law) return;
  if (system.inputs() == 0)
    throw std::invalid_argument(fmt::format("{} has no inputs that a control law could set", system.name()));
  if (!(std::isfinite(control.every) && control.every >= 0))
    throw std::invalid_argument(
        fmt::format("the interval of a control law must be positive, or 0 for every step; it is {}", control.every));
  if (control.every == 0 && describe(method).adaptive)
    throw std::invalid_argument(
        "a control law under rk45 needs an interval of its own, since steps vary: set Control::every");
  if (control.every > 0) check_interval("interval of the control law", control.every, start.t, until.t);
}

// The times begin + k interval up to the end, without accumulated rounding; the end is always one of them.
class Grid {
 public:
  Grid(double begin, double interval, double end) : begin_(begin), interval_(interval), end_(end) {}
  double next() const {
    const double t = begin_ + static_cast<double>(count_ + 1) * interval_;
    return t >= end_ - 1e-9 * interval_ ? end_ : t;
  }
  void advance() { ++count_; }

 private:
  double begin_, interval_, end_;
  long long count_ = 0;
};

// Hands the outputs to the trajectory and to the observer.
class Outputs {
 public:
  Outputs(Trajectory& trajectory, const Observer& observer, bool keep)
      : trajectory_(trajectory), observer_(observer), keep_(keep) {}

  void operator()(const State& state) {
    if (!state.q.allFinite() || !state.v.allFinite())
      throw std::runtime_error(
          fmt::format("the state at t = {:.9g} is not finite, after {} steps of {}; the step may be too long", state.t,
                      trajectory_.steps, trajectory_.method.name));
    if (keep_ || trajectory_.states.empty())
      trajectory_.states.push_back(state);
    else
      trajectory_.states.back() = state;
    if (observer_ && !observer_(state)) trajectory_.stopped = true;
  }

 private:
  Trajectory& trajectory_;
  const Observer& observer_;
  bool keep_;
};

class Run {
 public:
  Run(const System& system, const State& start, const Method& method, const Until& until, const Observer& observer,
      const Control& control)
      : stepper_(make_stepper(system, method)),
        until_(until),
        control_(control),
        output_grid_(start.t, until.every, until.t),
        control_grid_(start.t, control.every, until.t),
        output_(trajectory_, observer, until.keep),
        state_(start),
        u_(VectorXd::Zero(system.inputs())) {
    trajectory_.method = describe(method);
    stepper_->start(start);
    stepper_->prepare(until.t - start.t);
  }

  Trajectory operator()() {
    output_(state_);
    set_inputs(state_.t);
    for (double t = state_.t; t < until_.t && !trajectory_.stopped;) {
      t = stepper_->step(held() ? control_grid_.next() : until_.t);
      ++trajectory_.steps;
      write_outputs(t);
      if (control_.law && (!held() || t >= control_grid_.next())) {
        if (held()) control_grid_.advance();
        set_inputs(t);
      }
    }
    trajectory_.rejected = stepper_->rejected();
    return std::move(trajectory_);
  }

 private:
  bool held() const { return control_.law && control_.every > 0; }

  void set_inputs(double t) {
    if (!control_.law) return;
    stepper_->current(state_);
    state_.t = t;
    control_.law(t, state_, u_);
    if (u_.size() != stepper_->workspace().u.size() || !u_.allFinite())
      throw std::runtime_error(
          fmt::format("the control law at t = {:.9g} gave {} inputs, or one that is not finite; expected {}", t,
                      u_.size(), stepper_->workspace().u.size()));
    stepper_->set_inputs(u_);
  }

  void write_outputs(double t) {
    if (until_.every == 0) return write_current(t);
    while (!trajectory_.stopped && output_grid_.next() < t - tolerance(t)) {
      stepper_->interpolate(output_grid_.next(), state_);
      output_(state_);
      output_grid_.advance();
    }
    if (trajectory_.stopped || output_grid_.next() > t + tolerance(t)) return;
    write_current(output_grid_.next());
    output_grid_.advance();
  }

  void write_current(double t) {
    stepper_->current(state_);
    state_.t = t;
    output_(state_);
  }

  double tolerance(double t) const {
    return 1e-12 * until_.every + 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
  }

  Trajectory trajectory_;
  std::unique_ptr<Stepper> stepper_;
  Until until_;
  const Control& control_;
  Grid output_grid_, control_grid_;
  Outputs output_;
  State state_;
  VectorXd u_;
};

}  // namespace

VectorXd Trajectory::times() const {
  VectorXd result(static_cast<Eigen::Index>(states.size()));
  for (std::size_t k = 0; k < states.size(); ++k) result(static_cast<Eigen::Index>(k)) = states[k].t;
  return result;
}

Trajectory integrate(const System& system, const State& start, const Method& method, Until until,
                     const Observer& observer, const Control& control) {
  check_request(system, start, method, until, control);
  return Run(system, start, method, until, observer, control)();
}

}  // namespace hamel
