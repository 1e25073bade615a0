// A zero of a function between two points where it has different signs.
#pragma once

#include <algorithm>
#include <cmath>

namespace hamel {

// Inverse quadratic interpolation where three points allow it, else bisection: T. R. Chandrupatla, "A new hybrid
// quadratic/bisection algorithm for finding the zero of a nonlinear function without using derivatives", Advances in
// Engineering Software 28 (1997). Returns the end of an interval no longer than the tolerance that lies on the side
// of `end`: the function has the sign of f(end) there, or is zero.
template <class Function>
double find_root(const Function& f, double begin, double f_begin, double end, double f_end, double tolerance) {
  if (f_end == 0) return end;
  const auto is_beyond = [&](double value) { return value * f_begin <= 0; };
  double x = begin, fx = f_begin, other = end, f_other = f_end;  // the newest point, and that of the other sign
  double fraction = 0.5;                                         // of the way from one to the other
  while (std::abs(other - x) > tolerance) {
    const double next = x + fraction * (other - x), f_next = f(next);
    if (f_next == 0) return next;
    const bool changes_side = is_beyond(f_next) != is_beyond(fx);
    const double last = changes_side ? other : x, f_last = changes_side ? f_other : fx;  // the point that is given up
    if (changes_side) {
      other = x;
      f_other = fx;
    }
    x = next;
    fx = f_next;

    const double place = (x - other) / (last - other), height = (fx - f_other) / (f_last - f_other);
    const bool is_monotone = height * height < place && (1 - height) * (1 - height) < 1 - place;
    fraction = 0.5;
    if (is_monotone)
      fraction = fx / (f_other - fx) * f_last / (f_other - f_last) +
                 (last - x) / (other - x) * fx / (f_last - fx) * f_other / (f_last - f_other);
    const double least = std::min(0.5, 0.5 * tolerance / std::abs(other - x));
    fraction = std::clamp(fraction, least, 1 - least);
  }
  return is_beyond(fx) ? x : other;
}

}  // namespace hamel
