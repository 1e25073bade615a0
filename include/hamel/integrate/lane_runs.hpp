// Many motions of one system, eight at a time: each to the bits that `integrate` gives it.
//
//   LaneRuns runs(system, Variational{.step = 0.01}, {.t = 10}, LaneParameters::own);
//   if (runs.exist()) runs.run(motions, observer);
//
// Lanes are filled again as they become free, so that no motion waits for another.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/lane_stepper.hpp"

namespace hamel {

struct LaneMotion {
  const System* system;
  const State* start;
};

class LaneObserver {
 public:
  virtual ~LaneObserver() = default;
  // An output, first the start. False: the motion ends there.
  virtual bool output(std::size_t motion, const State& state) = 0;
  virtual void ended(std::size_t motion) = 0;
  // It cannot be taken in a lane: its outputs so far are void, and it has to be integrated alone from its start.
  virtual void is_unusual(std::size_t motion) = 0;
};

class LaneRuns {
 public:
  // No states are kept by `until`.
  LaneRuns(const System& system, const Method& method, const Until& until, LaneParameters parameters);

  // Not where there are events, sampled laws or steps that may be halved, and not for every method and system.
  bool exist() const { return stepper_ != nullptr; }
  // Native code for so many motions that take so long, where that pays.
  void prepare(double motions, double duration);
  bool have_native_steps() const { return stepper_ != nullptr && stepper_->has_native_steps(); }
  void run(std::span<const LaneMotion> motions, LaneObserver& observer);

 private:
  class Pass;
  Method method_;
  Until until_;
  double step_ = 0;
  std::unique_ptr<LaneStepper> stepper_;
};

}  // namespace hamel
