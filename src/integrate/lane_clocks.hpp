// The clocks of eight motions with steps of one size.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "hamel/integrate/lane_stepper.hpp"
#include "integrate/lane_arithmetic.hpp"
#include "integrate/step_clock.hpp"

namespace hamel {

inline Eight as_numbers(LaneSet which) {
  Eight result;
  for (std::size_t k = 0; k < which.size(); ++k) result.lane[k] = which[k] ? 1 : 0;
  return result;
}
inline LaneSet lanes_of(const Eight& numbers) {
  LaneSet result;
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = numbers.lane[k] != 0;
  return result;
}

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

  // How many steps of full size all of these lanes can take, well before their limits and targets.
  double whole_steps(LaneSet which, const LaneStepper::Times& limits, const LaneStepper::Times& targets) const {
    constexpr double most_at_once = 64, beside = 1e-6;  // in between somebody may want to stop
    double most = most_at_once;
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      if (!which[k]) continue;
      const StepClock& clock = clocks_[k];
      const double end = std::min(limits[k], targets[k]), margin = std::max(beside, 2 * clock.rounding(end) / clock.h);
      most = std::min(most, std::ceil((end - clock.t) / clock.h - margin) - 1);
    }
    return most;
  }
  // For native code: t, h, the origin and the count of each.
  void write(LaneBlock& rows) const {
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      rows[0].lane[k] = clocks_[k].t;
      rows[1].lane[k] = clocks_[k].h;
      rows[2].lane[k] = clocks_[k].origin;
      rows[3].lane[k] = static_cast<double>(clocks_[k].count);
    }
  }
  void take_whole(LaneSet which, const Eight& steps) {
    for (std::size_t k = 0; k < clocks_.size(); ++k)
      if (which[k]) clocks_[k].take_whole(static_cast<long long>(steps.lane[k]));
  }

 private:
  std::array<StepClock, 8> clocks_;
};

}  // namespace hamel
