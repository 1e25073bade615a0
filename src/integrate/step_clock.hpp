// Steps of one size end at t_0 + k h, without accumulated rounding; a shorter one where the limit is nearer.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace hamel {

struct StepClock {
  double h = 0;             // the size of a step
  double t = 0, begin = 0;  // now, and where the last step began
  double origin = 0;        // of the count
  long long count = 0;

  struct Step {
    double h, end;
    bool is_whole;
  };

  void restart(double now) {
    begin = t = now;
    count_from(now);
  }

  Step next(double limit) const {
    const double end = origin + static_cast<double>(count + 1) * h;
    const double beyond = h > 0 ? end - limit : limit - end;
    const bool ends_there = beyond >= -rounding(end);
    // Where the limit is t_0 + k h up to rounding, the step keeps its size.
    const double size = beyond > rounding(end) ? limit - t : h;
    return {size, ends_there ? limit : end, size == h};
  }

  void take(const Step& step) {
    begin = t;
    t = step.end;
    if (step.is_whole)
      ++count;
    else
      count_from(t);
  }

  void take_whole(long long steps) {  // none of them near a limit
    count += steps;
    begin = steps > 1 ? origin + static_cast<double>(count - 1) * h : t;
    t = origin + static_cast<double>(count) * h;
  }

  // How far a limit may be off the end of a step.
  double rounding(double end) const {
    return 1e-12 * std::abs(h) + 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(end), std::abs(origin));
  }

 private:
  void count_from(double now) {
    origin = now;
    count = 0;
  }
};

}  // namespace hamel
