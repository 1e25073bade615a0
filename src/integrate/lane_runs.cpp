#include "hamel/integrate/lane_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hamel/graph/interruption.hpp"
#include "hamel/integrate/laws.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/lane_events.hpp"
#include "integrate/output_grid.hpp"

namespace hamel {

LaneRuns::LaneRuns(const System& system, const Method& method, const Until& until, LaneParameters parameters,
                   const Values& events)
    : method_(method),
      until_(until),
      events_(events),
      has_events_(events.size() > 0 || !until.events.empty()),
      has_own_parameters_(parameters == LaneParameters::own),
      step_(fixed_step(method)) {
  check(method);
  if (events.size() > 0 && !until.events.empty())
    throw std::invalid_argument("the events of a run in lanes are its own, or those of each motion");
  if (until.halvings == 0 && !sampled_laws(system, method).law)
    stepper_ = make_lane_stepper(system, method, parameters);
  if (has_events_ && stepper_ && !stepper_->can_interpolate()) stepper_ = nullptr;
  if (events.size() > 0 && stepper_) stepper_->watch(events.kernel());
}

void LaneRuns::prepare(double motions, const LaneMotion& like) {
  if (stepper_) stepper_->prepare(motions * expected_steps(like) / LaneStepper::lanes);
}

double LaneRuns::expected_steps(const LaneMotion& like) {
  const double begin = like.start->t, duration = until_.t - begin;
  if (step_ > 0) return duration / step_;
  constexpr double attempts = 16, unknown = 100;
  LaneStepper::Lanes first;
  first.set(0);
  LaneStepper::Times limits;
  limits.fill(until_.t);
  try {
    like.system->check(*like.start);
    stepper_->start(0, *like.system, *like.start);
    for (double taken = 0; taken < attempts; ++taken) {
      if (stepper_->step(first, limits).any()) return unknown;
      if (stepper_->time(0) == until_.t) return taken + 1;
    }
  } catch (const std::exception&) {  // which is said where it is integrated alone
    return unknown;
  }
  const double taken = stepper_->time(0) - begin;
  return taken == 0 ? unknown : attempts * duration / taken;
}

// The motions that are in the lanes now, from the first to the last one.
class LaneRuns::Pass {
 public:
  using Lanes = LaneStepper::Lanes;

  Pass(LaneRuns& runs, std::span<const LaneMotion> motions, LaneObserver& observer)
      : runs_(runs),
        stepper_(*runs.stepper_),
        until_(runs.until_),
        motions_(motions),
        observer_(observer),
        events_(stepper_) {
    limits_.fill(until_.t);
  }

  void run() {
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) fill(lane);
    while (busy_.any()) {
      check_interruption();
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
    std::vector<Occurrence> occurrences = {};
    std::vector<Occurrence> found = {};  // in the last step
    bool is_ended = false;               // by the last one of them
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
    const std::size_t place = motion % LaneStepper::lanes;
    if (place == 0) gather(motion);
    if (gathered_[place].system == nullptr) return leave(lane, motion);
    const State* const start = gathered_[place].start;
    stepper_.start_gathered(lane, place);
    at(lane) = {motion, OutputGrid(start->t, until_.every, until_.t), 0};
    state_.t = start->t;
    state_.q = start->q;
    state_.v = start->v;
    if (runs_.has_events_) {
      const LaneMotion& begun = motions_[motion];
      watch(lane, *begun.system, begun.events == nullptr ? until_.events : *begun.events);
    }
    busy_[static_cast<std::size_t>(lane)] = true;
    give(lane, state_);
    if (is_busy(lane) && !(start->t < until_.t)) end(lane, start->t);
  }
  void watch(int lane, const System& system, const std::vector<Event>& events) {
    state_.model = system.parts().model;
    rounded_[static_cast<std::size_t>(lane)] = !events_.start(lane, events, state_);
    if (runs_.events_.size() == 0) return;
    if (runs_.has_own_parameters_) runs_.events_.set_parameters(system);
    stepper_.watch(lane, runs_.events_.kernel());
  }

  // The next eight; what must not be started is none of them, and is told why where it is integrated alone.
  void gather(std::size_t first) {
    gathered_.fill({});
    const auto next = motions_.subspan(first, std::min(gathered_.size(), motions_.size() - first));
    for (std::size_t k = 0; k < next.size(); ++k)
      if (may_start(next[k])) gathered_[k] = next[k];
    try {
      stepper_.gather({gathered_.data(), next.size()});
    } catch (const std::exception&) {
      gathered_.fill({});
    }
  }

  bool may_start(const LaneMotion& motion) {
    try {
      if (!motion.is_checked) motion.system->check(*motion.start, scratch_);
      check_request(*motion.system, motion.start->t, runs_.method_, until_, {});
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  void end(int lane, double t) {
    free(lane);
    take_found(lane, t);
    observer_.ended(at(lane).motion, at(lane).occurrences);
  }
  void take_found(int lane, double last) {
    for (Occurrence& occurrence : at(lane).found)
      if (occurrence.state.t <= last) at(lane).occurrences.push_back(std::move(occurrence));
    at(lane).found.clear();
    at(lane).is_ended = false;
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
    if (const auto& model = motions_[motion].system->parts().model; state.model != model) state.model = model;
    bool goes_on = true;
    try {
      goes_on = observer_.output(motion, state);
    } catch (const std::exception&) {  // which is said where it is integrated alone
      return leave(lane, motion);
    }
    if (!goes_on) end(lane, state.t);
  }

  void advance() {
    LaneStepper::Times before;
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) before[static_cast<std::size_t>(lane)] = stepper_.time(lane);
    const bool looks_inside = may_look_inside();
    if (looks_inside || runs_.has_events_) stepper_.mark();
    const bool is_unseen = runs_.has_events_ && !stepper_.looks_at_events();
    const bool is_one_step = looks_inside || until_.every == 0 || is_unseen || (rounded_ & busy_).any();
    const auto [unusual, attempts, suspicious] =
        is_one_step ? stepper_.one_step(busy_, limits_) : stepper_.steps(busy_, limits_, next_outputs());
    leave(unusual);
    Lanes moved;
    for (std::size_t k = 0; k < moved.size(); ++k)
      moved[k] = busy_[k] && stepper_.time(static_cast<int>(k)) != before[k];
    if (runs_.has_events_) find_events(moved & (suspicious | rounded_));
    rounded_ &= ~moved;
    if (looks_inside) give_inside(moved);
    for (int lane = 0; lane < LaneStepper::lanes; ++lane)
      if (moved[static_cast<std::size_t>(lane)] && is_busy(lane)) pass(lane, attempts);
  }

  void find_events(Lanes suspicious) {
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) {
      if (!suspicious[static_cast<std::size_t>(lane)]) continue;
      try {
        at(lane).found = std::move(events_.find(lane));
      } catch (const std::exception&) {  // which is said where it is integrated alone
        leave(lane, at(lane).motion);
        continue;
      }
      const std::vector<Occurrence>& found = at(lane).found;
      at(lane).is_ended = !found.empty() && events_.is_terminal(lane, found.back());
    }
  }

  bool may_look_inside() {
    for (int lane = 0; until_.every != 0 && lane < LaneStepper::lanes; ++lane) {
      if (!is_busy(lane)) continue;
      const double output = next_output(lane);
      if (std::isfinite(output) && output < stepper_.next_time(lane, until_.t)) return true;
    }
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
        if (!moved[k] || !busy_[k]) continue;
        const double t = lanes_[k].is_ended ? lanes_[k].found.back().state.t : stepper_.time(static_cast<int>(k));
        due[k] = lanes_[k].grid.next() < t - lanes_[k].grid.tolerance(t);
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
    if (at(lane).is_ended) return give_last(lane);
    OutputGrid& grid = at(lane).grid;
    if (until_.every == 0) {
      give_current(lane, t);
    } else if (!(grid.next() > t + grid.tolerance(t))) {
      give_current(lane, grid.next());
      grid.advance();
    }
    if (!is_busy(lane)) return;
    take_found(lane, t);
    if (!(t < until_.t))
      end(lane, t);
    else if (runs_.step_ == 0 && at(lane).steps >= until_.most_steps)
      leave(lane, at(lane).motion);
  }

  // The state of a terminal event.
  void give_last(int lane) {
    state_ = at(lane).found.back().state;
    give(lane, state_);
    if (is_busy(lane)) end(lane, state_.t);
  }
  void give_current(int lane, double t) {
    stepper_.current(lane, state_);
    state_.t = t;
    give(lane, state_);
  }

  LaneRuns& runs_;
  LaneStepper& stepper_;
  const Until& until_;
  std::span<const LaneMotion> motions_;
  std::array<LaneMotion, LaneStepper::lanes> gathered_{};
  System::CheckScratch scratch_;
  LaneObserver& observer_;
  LaneEvents events_;
  std::array<Lane, LaneStepper::lanes> lanes_;
  Lanes busy_, rounded_;  // those at a start whose events are looked at
  LaneStepper::Times limits_{};
  std::size_t next_ = 0;
  State state_;
};

void LaneRuns::run(std::span<const LaneMotion> motions, LaneObserver& observer) {
  if (!exist()) throw std::logic_error("these motions have no lanes; ask exist() first");
  for (const LaneMotion& motion : motions)
    if (!has_events_ && motion.events != nullptr && !motion.events->empty())
      throw std::invalid_argument("motions in lanes have events of their own where the run was told their formulas");
  Pass(*this, motions, observer).run();
}

}  // namespace hamel
