#include "hamel/integrate/integrate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "hamel/integrate/laws.hpp"
#include "hamel/integrate/memory.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/event_finder.hpp"
#include "integrate/output_grid.hpp"

namespace hamel {
namespace {

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
    ++trajectory_.outputs;
    if (observer_ && !observer_(state)) trajectory_.stopped = true;
  }

 private:
  Trajectory& trajectory_;
  const Observer& observer_;
  bool keep_;
};

class StepOf final : public StepInside {
 public:
  explicit StepOf(Stepper& stepper) : stepper_(stepper) {}
  void interpolate(double t, State& state) override { stepper_.interpolate(t, state); }
  void within(double t, State& state) override { stepper_.within(t, state); }

 private:
  Stepper& stepper_;
};

}  // namespace

class Integration::Run {
 public:
  Run(const System& system, double t0, const Method& method, Until until, Observer observer, Control control)
      : system_(system),
        method_(method),
        stepper_(make_stepper(system, method)),
        until_(std::move(until)),
        observer_(std::move(observer)),
        control_(std::move(control)),
        output_grid_(t0, until_.every, until_.t),
        control_grid_(t0, control_.every, until_.t),
        output_(trajectory_, observer_, until_.keep),
        step_(fixed_step(method)),
        start_(t0),
        t_(t0),
        u_(VectorXd::Zero(system.inputs())) {
    if (control_.continuous) stepper_->follow(control_.law);
    trajectory_.method = describe(method);
    begin_ = end_ =
        state_ = {t0, VectorXd::Zero(system.ambient()), VectorXd::Zero(system.ambient()), system.parts().model};
  }

  void start(const State& state) {
    trajectory_.smallest_step = until_.t - state.t;
    begin_ = end_ = state_ = {state.t, state.q, state.v, system_.parts().model};
    stepper_->start(state);
    stepper_->prepare(until_.t - state.t);
    watch_events();
    set_inputs();  // before the first output, which may show them
    output_(state_);
    is_between_steps_ = !is_over();
  }

  void resume(const Checkpoint& from) {
    t_ = from.t;
    trajectory_.steps = from.steps;
    trajectory_.outputs = from.outputs;
    Memory memory(std::span<const double>{from.numbers});
    remember(memory);
    stepper_->prepare(until_.t - t_);
    stepper_->restore(memory.rest());
    u_ = stepper_->workspace().u;
    output_grid_.go_on_at(t_);
    control_grid_.go_on_at(t_);
    watch_events();
    is_between_steps_ = true;
  }

  Checkpoint checkpoint() {
    if (!is_between_steps_)
      throw std::runtime_error(fmt::format(
          "there is no checkpoint of {} at t = {:.9g}: its last step failed, or the run was stopped in it; take one "
          "between two steps",
          system_.name(), t_));
    Checkpoint result{trajectory_.method.name, start_, t_, trajectory_.steps, trajectory_.outputs, {}};
    if (!looks_at_steps()) stepper_->current(begin_);
    Memory memory(result.numbers);
    remember(memory);
    stepper_->save(result.numbers);
    return result;
  }

  bool advance() {
    if (is_over() || !(t_ < until_.t)) return false;
    if (step_ == 0 && trajectory_.steps >= until_.most_steps) throw_too_many_steps();
    is_between_steps_ = false;
    take_step(*stepper_, step_, held() ? control_grid_.next() : until_.t, until_.halvings);
    trajectory_.rejected = stepper_->rejected();
    if (is_over()) return true;
    if (until_.every == 0) write_current(*stepper_, t_);
    if (is_sampled() && (!held() || control_grid_.is_due(t_))) {
      if (held()) control_grid_.advance();
      set_inputs();
    }
    is_between_steps_ = !is_over();
    return true;
  }

  double time() const { return t_; }
  Trajectory& trajectory() { return trajectory_; }

 private:
  bool is_sampled() const { return control_.law && !control_.continuous; }
  bool held() const { return is_sampled() && control_.every > 0; }
  bool looks_at_steps() const { return !until_.events.empty() || may_halve(); }
  bool may_halve() const { return until_.halvings > 0 && step_ > 0; }
  bool is_over() const { return trajectory_.stopped || !trajectory_.ended_by.empty(); }

  [[noreturn]] void throw_too_many_steps() const {
    throw std::runtime_error(fmt::format(
        "{} has taken {} steps of {} by t = {:.9g}, and the end is t = {:.9g}: its smallest step was {:.2e}; the "
        "motion "
        "may be stiff or nearly singular: take a larger tolerance, or a fixed step, or allow more steps",
        trajectory_.method.name, trajectory_.steps, system_.name(), t_, until_.t, trajectory_.smallest_step));
  }

  // All but t, the counts of steps and outputs, and the stepper.
  void remember(Memory& memory) {
    memory.same("interval of outputs", until_.every);
    memory.same("interval of the control law", control_.every);
    memory(begin_, trajectory_.halved, trajectory_.smallest_step);
    output_grid_.remember(memory);
    control_grid_.remember(memory);
  }

  void watch_events() {
    if (!until_.events.empty()) events_.emplace(until_.events, begin_, start_);
  }

  void set_inputs() {
    if (!is_sampled()) return;
    stepper_->current(state_);
    state_.t = t_;
    control_.law(t_, state_, u_);
    need_inputs(u_, system_, t_);
    stepper_->set_inputs(u_);
  }

  // One step of size h; if it cannot be taken and may be halved, its two halves.
  void take_step(Stepper& stepper, double h, double limit, int halvings) {
    const double size = h > 0 ? std::min(h, limit - t_) : limit - t_;
    double t = 0;
    looks_inside_ = !until_.events.empty() || (until_.every > 0 && output_grid_.next() < t_ + size);
    if (looks_inside_) stepper.mark();
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
    if (control_.continuous) half->follow(control_.law);
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
    if (looks_at_steps()) {
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
    StepOf step(stepper);
    std::vector<Occurrence>& found = events_->find(step, begin_, end_);
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
    if (until_.every == 0 || trajectory_.stopped || output_grid_.next() > t + output_grid_.tolerance(t)) return;
    write_current(stepper, output_grid_.next());
    output_grid_.advance();
  }

  void write_outputs_before(Stepper& stepper, double t) {
    if (until_.every == 0 || !looks_inside_) return;
    while (!trajectory_.stopped && output_grid_.next() < t - output_grid_.tolerance(t)) {
      stepper.within(output_grid_.next(), state_);
      output_(state_);
      output_grid_.advance();
    }
  }

  void write_current(Stepper& stepper, double t) {
    stepper.current(state_);
    state_.t = t;
    output_(state_);
  }

  const System& system_;
  const Method method_;
  Trajectory trajectory_;
  std::unique_ptr<Stepper> stepper_;
  const Until until_;
  const Observer observer_;
  const Control control_;
  std::optional<EventFinder> events_;
  OutputGrid output_grid_, control_grid_;
  Outputs output_;
  double step_;        // 0 where the method chooses it
  double start_, t_;   // where the run began, and where it is
  State begin_, end_;  // of the step, where events or halves need them
  State state_;
  VectorXd u_;
  bool is_between_steps_ = false;
  bool looks_inside_ = false;  // the step that is taken: its beginning is marked
};

VectorXd Trajectory::times() const {
  VectorXd result(static_cast<Eigen::Index>(states.size()));
  for (std::size_t k = 0; k < states.size(); ++k) result(static_cast<Eigen::Index>(k)) = states[k].t;
  return result;
}

Integration::Integration(const System& system, const State& start, const Method& method, Until until, Observer observer,
                         Control control) {
  check(method);
  system.check(start);
  if (!control.law) control = sampled_laws(system, method);
  check_request(system, start.t, method, until, control);
  run_ = std::make_unique<Run>(system, start.t, method, std::move(until), std::move(observer), std::move(control));
  run_->start(start);
}

Integration::Integration(const System& system, const Checkpoint& from, const Method& method, Until until,
                         Observer observer, Control control) {
  check(method);
  if (const std::string name = describe(method).name; from.method != name)
    throw std::invalid_argument(
        fmt::format("a run of {} by {} cannot be continued by {}; start a new one from its last state", system.name(),
                    from.method, name));
  if (!control.law) control = sampled_laws(system, method);
  check_request(system, from.t, method, until, control);
  run_ = std::make_unique<Run>(system, from.start, method, std::move(until), std::move(observer), std::move(control));
  run_->resume(from);
}

Integration::Integration(Integration&&) noexcept = default;
Integration& Integration::operator=(Integration&&) noexcept = default;
Integration::~Integration() = default;

bool Integration::advance() { return run_->advance(); }
double Integration::time() const { return run_->time(); }
const Trajectory& Integration::trajectory() const { return run_->trajectory(); }
Checkpoint Integration::checkpoint() const { return run_->checkpoint(); }
Trajectory Integration::finish() {
  while (advance()) {
  }
  return std::move(run_->trajectory());
}

Trajectory integrate(const System& system, const State& start, const Method& method, Until until,
                     const Observer& observer, const Control& control) {
  return Integration(system, start, method, std::move(until), observer, control).finish();
}

}  // namespace hamel
