#include "hamel/integrate/integrate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "hamel/integrate/stepper.hpp"
#include "integrate/event_finder.hpp"
#include "integrate/request.hpp"

namespace hamel {
namespace {

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
      : system_(system),
        method_(method),
        stepper_(make_stepper(system, method)),
        until_(until),
        control_(control),
        output_grid_(start.t, until.every, until.t),
        control_grid_(start.t, control.every, until.t),
        output_(trajectory_, observer, until.keep),
        step_(fixed_step(method)),
        start_(start.t),
        t_(start.t),
        state_(start),
        u_(VectorXd::Zero(system.inputs())) {
    trajectory_.method = describe(method);
    trajectory_.smallest_step = until.t - start.t;
    stepper_->start(start);
    stepper_->prepare(until.t - start.t);
    if (!until.events.empty()) events_.emplace(system, method, until.events, start);
    if (events_ || may_halve()) begin_ = end_ = start;
  }

  Trajectory operator()() {
    output_(state_);
    set_inputs();
    while (t_ < until_.t && !is_over()) {
      take_step(*stepper_, step_, held() ? control_grid_.next() : until_.t, until_.halvings);
      if (is_over()) break;
      if (until_.every == 0) write_current(*stepper_, t_);
      if (control_.law && (!held() || t_ >= control_grid_.next())) {
        if (held()) control_grid_.advance();
        set_inputs();
      }
    }
    trajectory_.rejected = stepper_->rejected();
    return std::move(trajectory_);
  }

 private:
  bool held() const { return control_.law && control_.every > 0; }
  bool may_halve() const { return until_.halvings > 0 && step_ > 0; }
  bool is_over() const { return trajectory_.stopped || !trajectory_.ended_by.empty(); }

  void set_inputs() {
    if (!control_.law) return;
    stepper_->current(state_);
    state_.t = t_;
    control_.law(t_, state_, u_);
    if (u_.size() != stepper_->workspace().u.size() || !u_.allFinite())
      throw std::runtime_error(
          fmt::format("the control law at t = {:.9g} gave {} inputs, or one that is not finite; expected {}", t_,
                      u_.size(), stepper_->workspace().u.size()));
    stepper_->set_inputs(u_);
  }

  // One step of size h; if it cannot be taken and may be halved, its two halves.
  void take_step(Stepper& stepper, double h, double limit, int halvings) {
    const double size = std::min(h, limit - t_);
    double t = 0;
    try {
      t = stepper.step(limit);
    } catch (const StepError&) {
      if (halvings == 0 || !may_halve() || !(t_ + size / 4 > t_)) throw;
      take_halves(size, limit, halvings - 1);
      if (!is_over()) restart(stepper);
      return;
    }
    ++trajectory_.steps;
    trajectory_.smallest_step = std::min(trajectory_.smallest_step, t - t_);
    pass(stepper, t);
    t_ = t;
  }

  void take_halves(double h, double limit, int halvings) {
    ++trajectory_.halved;
    const auto half = make_stepper(system_, with_step(method_, h / 2));
    restart(*half);
    for (const double end : {t_ + h / 2, end_of_step(h, limit)})
      while (t_ < end && !is_over()) take_step(*half, h / 2, end, halvings);
  }

  void restart(Stepper& stepper) const {
    stepper.set_inputs(u_);
    stepper.start(begin_);
  }

  // Where a step that begins now would end: at t0 + k h, if it begins on that grid.
  double end_of_step(double h, double limit) const {
    const double rounding = 1e-9 * h, end = t_ + h, on_grid = start_ + std::round((end - start_) / h) * h;
    if (end > limit - rounding) return limit;
    return std::abs(on_grid - end) < rounding ? on_grid : end;
  }

  // A step to the time t was taken: its events, and the outputs inside it.
  void pass(Stepper& stepper, double t) {
    if (events_ || may_halve()) {
      stepper.current(end_);
      end_.t = t;
    }
    if (events_)
      pass_events(stepper, t);
    else
      write_outputs(stepper, t);
    std::swap(begin_, end_);
  }

  void pass_events(Stepper& stepper, double t) {
    std::vector<Occurrence>& found = events_->find(stepper, begin_, end_);
    const bool ends = !found.empty() && events_->is_terminal(found.back());
    if (ends)
      write_outputs_before(stepper, found.back().state.t);
    else
      write_outputs(stepper, t);
    if (ends && !trajectory_.stopped) {
      output_(found.back().state);
      trajectory_.ended_by = found.back().event;
    }
    const double last = trajectory_.stopped ? trajectory_.back().t : t;
    for (Occurrence& occurrence : found)
      if (occurrence.state.t <= last) trajectory_.occurrences.push_back(std::move(occurrence));
  }

  void write_outputs(Stepper& stepper, double t) {
    write_outputs_before(stepper, t);
    if (until_.every == 0 || trajectory_.stopped || output_grid_.next() > t + tolerance(t)) return;
    write_current(stepper, output_grid_.next());
    output_grid_.advance();
  }

  void write_outputs_before(Stepper& stepper, double t) {
    if (until_.every == 0) return;
    while (!trajectory_.stopped && output_grid_.next() < t - tolerance(t)) {
      stepper.interpolate(output_grid_.next(), state_);
      output_(state_);
      output_grid_.advance();
    }
  }

  void write_current(Stepper& stepper, double t) {
    stepper.current(state_);
    state_.t = t;
    output_(state_);
  }

  double tolerance(double t) const {
    return 1e-12 * until_.every + 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
  }

  const System& system_;
  const Method& method_;
  Trajectory trajectory_;
  std::unique_ptr<Stepper> stepper_;
  const Until& until_;
  const Control& control_;
  std::optional<EventFinder> events_;
  Grid output_grid_, control_grid_;
  Outputs output_;
  double step_;        // 0 where the method chooses it
  double start_, t_;   // where the run began, and where it is
  State begin_, end_;  // of the step, where events or halves need them
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
