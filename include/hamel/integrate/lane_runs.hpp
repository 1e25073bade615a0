// Many motions of one system, eight at a time: each to the bits that `integrate` gives it.
//
//   LaneRuns runs(system, Variational{.step = 0.01}, {.t = 10}, LaneParameters::own);
//   if (runs.exist()) runs.run(motions, observer);
//
// Events may be functions, and the same for all motions (Until::events); or each motion has its own, and where these
// are formulas, native steps look at them.
//
// Lanes are filled again as they become free, so that no motion waits for another.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/lane_stepper.hpp"
#include "hamel/mechanics/values.hpp"

namespace hamel {

class LaneObserver {
 public:
  virtual ~LaneObserver() = default;
  // An output, first the start. False: the motion ends there.
  virtual bool output(std::size_t motion, const State& state) = 0;
  // Occurrences are in the order of time.
  virtual void ended(std::size_t motion, const std::vector<Occurrence>& occurrences) = 0;
  // It cannot be taken in a lane: its outputs so far are void, and it has to be integrated alone from its start.
  virtual void is_unusual(std::size_t motion) = 0;
};

class LaneRuns {
 public:
  // No states are kept by `until`. The formulas of events that motions have of their own, in their order.
  LaneRuns(const System& system, const Method& method, const Until& until, LaneParameters parameters,
           const Values& events = {});

  // Not where there are sampled laws or steps that may be halved, and not for every method and system; some
  // only once they are prepared.
  bool exist() const { return stepper_ != nullptr && stepper_->can_step(); }
  // Native code for so many motions like this one, where that pays.
  void prepare(double motions, const LaneMotion& like);
  bool have_native_steps() const { return stepper_ != nullptr && stepper_->has_native_steps(); }
  bool have_native_events() const { return stepper_ != nullptr && stepper_->looks_at_events(); }
  void run(std::span<const LaneMotion> motions, LaneObserver& observer);

 private:
  class Pass;
  double expected_steps(const LaneMotion& like);

  Method method_;
  Until until_;
  Values events_;
  bool has_events_, has_own_parameters_;
  double step_ = 0;
  std::unique_ptr<LaneStepper> stepper_;
};

}  // namespace hamel
