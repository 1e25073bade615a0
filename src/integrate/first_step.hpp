// The first step of methods that choose their steps, in two halves around an evaluation: section II.4 of Hairer,
// Norsett, Wanner.
#pragma once

#include <algorithm>
#include <cmath>

namespace hamel {

// Sizes of the point and of its rate, in units of the tolerance.
inline double first_guess(double size, double speed) {
  return size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
}

// A step whose second derivative, seen over the guess, and rate are both small in the tolerance.
inline double first_step_after(double guess, double speed, double bend, double order) {
  const double larger = std::max(speed, bend);
  const double second = larger <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / larger, 1 / order);
  return std::min(100 * guess, second);
}

}  // namespace hamel
