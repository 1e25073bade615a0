// Symmetric compositions of a symmetric method of order 2:  step(gamma_1 h), step(gamma_2 h), ..., step(gamma_1 h).
//
// Suzuki's five steps for order 4 have an error some twenty times smaller, per unit of work, than the three steps of
// the triple jump; the nine and seventeen of Kahan and Li for orders 6 and 8 have the smallest known largest |gamma|
// for their length: W. Kahan, R.-C. Li, "Composition constants for raising the orders of unconventional schemes for
// ordinary differential equations" (1997); Hairer, Lubich, Wanner, "Geometric Numerical Integration", section V.3.2.
// The limit of a step applies to the longest substep: 0.66, 0.80 and 0.61 of h.
#pragma once

#include <cmath>
#include <vector>

namespace hamel {

inline std::vector<double> composition(int order) {
  std::vector<double> half;  // gamma_1, ..., up to the middle
  if (order == 4) {
    const double gamma = 1 / (4 - std::cbrt(4.0));
    half = {gamma, gamma, 1 - 4 * gamma};
  } else if (order == 6) {
    half = {0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.08221359629355080023,
            0.79854399093482996340};
  } else if (order == 8) {
    half = {0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
            0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
            0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};
  } else {
    return {1};
  }
  std::vector<double> all = half;
  all.insert(all.end(), half.rbegin() + 1, half.rend());
  return all;
}

}  // namespace hamel
