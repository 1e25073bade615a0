#include "hamel/integrate/lane_runs.hpp"

#include <limits>

#include "hamel/integrate/laws.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/output_grid.hpp"

namespace hamel {

LaneRuns::LaneRuns(const System& system, const Method& method, const Until& until, LaneParameters parameters)
    : method_(method), until_(until), step_(fixed_step(method)) {
  check(method);
  const bool is_plain = until.events.empty() && until.halvings == 0;
  if (is_plain && !sampled_laws(system, method).law) stepper_ = make_lane_stepper(system, method, parameters);
}

void LaneRuns::prepare(double motions, double duration) {
  constexpr double steps_by_choice = 100;  // of a method that chooses them
  const double steps = step_ > 0 ? duration / step_ : steps_by_choice;
  if (stepper_) stepper_->prepare(steps * motions / LaneStepper::lanes);
}

// The motions that are in the lanes now, from the first to the last one.
class LaneRuns::Pass {
 public:
  using Lanes = LaneStepper::Lanes;

  Pass(LaneRuns& runs, std::span<const LaneMotion> motions, LaneObserver& observer)
      : stepper_(*runs.stepper_),
        method_(runs.method_),
        until_(runs.until_),
        step_(runs.step_),
        motions_(motions),
        observer_(observer) {
    limits_.fill(until_.t);
  }

  void run() {
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) fill(lane);
    while (busy_.any()) {
      advance();
      for (int lane = 0; lane < LaneStepper::lanes; ++lane)
        if (!is_busy(lane)) fill(lane);
    }
  }

 private:
  struct Lane {
    std::size_t motion = 0;
    OutputGrid grid;
    std::size_t steps = 0;  // or attempts at them: those who are stopped by it are integrated alone
  };

  bool is_busy(int lane) const { return busy_[static_cast<std::size_t>(lane)]; }
  Lane& at(int lane) { return lanes_[static_cast<std::size_t>(lane)]; }
  void free(int lane) { busy_[static_cast<std::size_t>(lane)] = false; }

  void fill(int lane) {
    while (next_ < motions_.size() && !is_busy(lane)) {
      const std::size_t motion = next_++;
      try {
        begin(lane, motion);
      } catch (const std::exception&) {  // which is said where it is integrated alone
        leave(lane, motion);
      }
    }
  }

  void begin(int lane, std::size_t motion) {
    const auto& [system, start] = motions_[motion];
    system->check(*start);
    check_request(*system, start->t, method_, until_, {});
    stepper_.start(lane, *system, *start);
    at(lane) = {motion, OutputGrid(start->t, until_.every, until_.t), 0};
    busy_[static_cast<std::size_t>(lane)] = true;
    state_ = *start;
    give(lane, state_);
    if (is_busy(lane) && !(start->t < until_.t)) end(lane);
  }

  void end(int lane) {
    free(lane);
    observer_.ended(at(lane).motion);
  }
  void leave(int lane, std::size_t motion) {
    free(lane);
    observer_.is_unusual(motion);
  }
  void leave(Lanes unusual) {
    for (int lane = 0; lane < LaneStepper::lanes; ++lane)
      if (unusual[static_cast<std::size_t>(lane)]) leave(lane, at(lane).motion);
  }

  void give(int lane, State& state) {
    const std::size_t motion = at(lane).motion;
    if (!state.q.allFinite() || !state.v.allFinite()) return leave(lane, motion);
    state.model = motions_[motion].system->parts().model;
    bool goes_on = true;
    try {
      goes_on = observer_.output(motion, state);
    } catch (const std::exception&) {  // which is said where it is integrated alone
      return leave(lane, motion);
    }
    if (!goes_on) end(lane);
  }

  void advance() {
    LaneStepper::Times before;
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) before[static_cast<std::size_t>(lane)] = stepper_.time(lane);
    const bool looks_inside = may_look_inside();
    if (looks_inside) stepper_.mark();
    const bool is_one_step = looks_inside || until_.every == 0;
    const auto [unusual, attempts] = is_one_step ? LaneStepper::Taken{stepper_.step(busy_, limits_), 1}
                                                 : stepper_.steps(busy_, limits_, next_outputs());
    leave(unusual);
    Lanes moved;
    for (std::size_t k = 0; k < moved.size(); ++k)
      moved[k] = busy_[k] && stepper_.time(static_cast<int>(k)) != before[k];
    if (looks_inside) give_inside(moved);
    for (int lane = 0; lane < LaneStepper::lanes; ++lane)
      if (moved[static_cast<std::size_t>(lane)] && is_busy(lane)) pass(lane, attempts);
  }

  bool may_look_inside() {
    for (int lane = 0; until_.every != 0 && lane < LaneStepper::lanes; ++lane)
      if (is_busy(lane) && next_output(lane) < stepper_.next_time(lane, until_.t)) return true;
    return false;
  }

  // The last one is where the motion ends, which no step passes.
  double next_output(int lane) {
    const double t = at(lane).grid.next();
    return t < until_.t ? t : std::numeric_limits<double>::infinity();
  }
  LaneStepper::Times next_outputs() {
    LaneStepper::Times times{};
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) times[static_cast<std::size_t>(lane)] = next_output(lane);
    return times;
  }

  // The outputs before the end of the step, those of all lanes together.
  void give_inside(Lanes moved) {
    for (;;) {
      Lanes due;
      LaneStepper::Times times = limits_;
      for (std::size_t k = 0; k < due.size(); ++k) {
        const double t = stepper_.time(static_cast<int>(k));
        due[k] = moved[k] && busy_[k] && lanes_[k].grid.next() < t - lanes_[k].grid.tolerance(t);
        if (due[k]) times[k] = lanes_[k].grid.next();
      }
      if (due.none()) return;
      const auto observe = [&](int lane, const State&) {
        give(lane, state_);
        at(lane).grid.advance();
      };
      leave(stepper_.within(due, times, state_, observe));
    }
  }

  // The end of a step.
  void pass(int lane, std::size_t attempts) {
    const double t = stepper_.time(lane);
    at(lane).steps += attempts;
    OutputGrid& grid = at(lane).grid;
    if (until_.every == 0) {
      give_current(lane, t);
    } else if (!(grid.next() > t + grid.tolerance(t))) {
      give_current(lane, grid.next());
      grid.advance();
    }
    if (!is_busy(lane)) return;
    if (!(t < until_.t))
      end(lane);
    else if (step_ == 0 && at(lane).steps >= until_.most_steps)
      leave(lane, at(lane).motion);
  }

  void give_current(int lane, double t) {
    stepper_.current(lane, state_);
    state_.t = t;
    give(lane, state_);
  }

  LaneStepper& stepper_;
  const Method& method_;
  const Until& until_;
  const double step_;
  std::span<const LaneMotion> motions_;
  LaneObserver& observer_;
  std::array<Lane, LaneStepper::lanes> lanes_;
  Lanes busy_;
  LaneStepper::Times limits_{};
  std::size_t next_ = 0;
  State state_;
};

void LaneRuns::run(std::span<const LaneMotion> motions, LaneObserver& observer) {
  Pass(*this, motions, observer).run();
}

}  // namespace hamel
