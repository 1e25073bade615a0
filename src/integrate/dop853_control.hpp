// How dop853 chooses its steps.
#pragma once

#include <algorithm>
#include <cmath>

namespace hamel::dop853 {

// The estimate of order 5 is about h^6, that of order 3 corrects it where it happens to vanish: section II.10.
inline double error(double fifth, double third) {
  return fifth == 0 ? 0 : fifth * fifth / std::sqrt(fifth * fifth + 0.01 * third * third);
}
inline double factor_after_success(double error, bool failed_before) {
  return std::clamp(0.9 * std::pow(error, -1. / 8), 0.333, failed_before ? 1.0 : 6.0);
}
inline double factor_after_failure(double error) { return std::max(0.333, 0.9 * std::pow(error, -1. / 8)); }

}  // namespace hamel::dop853
