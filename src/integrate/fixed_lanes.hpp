// The clocks of eight motions with steps of one size.
#pragma once

#include <array>

#include "hamel/integrate/lane_stepper.hpp"
#include "integrate/lane_arithmetic.hpp"
#include "integrate/step_clock.hpp"

namespace hamel {

struct LaneSteps {
  Eight t, h;  // where they begin, and how long they are
  std::array<StepClock::Step, 8> ends;
};

class LaneClocks {
 public:
  LaneClocks() = default;
  explicit LaneClocks(double step) {
    for (StepClock& clock : clocks_) clock.h = step;
  }

  StepClock& operator[](int lane) { return clocks_[static_cast<std::size_t>(lane)]; }
  const StepClock& operator[](int lane) const { return clocks_[static_cast<std::size_t>(lane)]; }

  LaneSteps next(const LaneStepper::Times& limits) const {
    LaneSteps result;
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      result.ends[k] = clocks_[k].next(limits[k]);
      result.t.lane[k] = clocks_[k].t;
      result.h.lane[k] = result.ends[k].h;
    }
    return result;
  }
  void take(LaneSet which, const LaneSteps& steps) {
    for (std::size_t k = 0; k < clocks_.size(); ++k)
      if (which[k]) clocks_[k].take(steps.ends[k]);
  }

 private:
  std::array<StepClock, 8> clocks_;
};

}  // namespace hamel
