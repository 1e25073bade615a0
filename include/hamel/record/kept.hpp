// What became of a quantity that should stay as it was: one rule for energy, momenta, claims, manifold and constraints.
//
//   kept to rounding   its largest error is below 1,000 eps of the sizes of its terms
//   lost               above 1 % of what its terms change by
//   drifting           the slope of the line through its errors is more than three standard errors from zero
//   bounded            otherwise: no trend stands out of its fluctuations
//
// What terms change by: a term that vanishes by itself when nothing moves (kinetic energy, momenta) by its largest
// value, one that is defined up to a constant (potential energy) by its range.
#pragma once

#include <string>

namespace hamel {

enum class Kept { to_rounding, bounded, drifting, lost };
std::string to_string(Kept kept);

struct Followed {
  std::string name = {};
  double initial = 0;                    // errors are differences from this
  double mean_error = 0, max_error = 0;  // of their sizes
  double slope = 0, slope_error = 0;     // of the line through the errors against time, trend.hpp
  double terms = 0;                      // the largest sum of the sizes of its terms
  double size = 0;                       // what its terms change by

  double relative_error() const;  // max_error / size
  int digits() const;             // that were kept: 16 where there is no error at all
  Kept kept() const;
};

}  // namespace hamel
