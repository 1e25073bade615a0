// How dop853 chooses its steps.
#pragma once

#include <algorithm>
#include <cmath>

namespace hamel::dop853 {

// The estimate of order 5 is about h^6, that of order 3 corrects it where it happens to vanish: section II.10.
inline double error(double fifth, double third) {
  return fifth == 0 ? 0 : fifth * fifth / std::sqrt(fifth * fifth + 0.01 * third * third);
}
// Hairer's code has 0.9, by which a third of the steps of a double pendulum are rejected; with shorter ones it takes no
// more time, and makes a third of the error.
constexpr double safety = 0.75;
// By roots, which every processor rounds alike, also in lanes.
inline double factor(double error) { return safety / std::sqrt(std::sqrt(std::sqrt(error))); }
inline double factor_after_success(double error, bool failed_before) {
  return std::clamp(factor(error), 0.333, failed_before ? 1.0 : 6.0);
}
inline double factor_after_failure(double error) { return std::max(0.333, factor(error)); }

}  // namespace hamel::dop853
