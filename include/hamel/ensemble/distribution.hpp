// Distributions that the values of members are drawn from, as maps from evenly distributed numbers in (0, 1).
//
//   normal(1, 0.01), uniform(0.5, 2), lognormal(0, 0.1)
//   cap(S2(), centre, angle)                     evenly within this angle of a point: S^1, S^2 and SO(3)
#pragma once

#include <functional>
#include <span>
#include <string>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

struct Distribution {
  std::string text;  // "normal(1, 0.01)"
  int uniforms = 1;  // numbers that it is made from
  int size = 1;      // numbers that it gives
  std::function<void(std::span<const double> uniforms, std::span<double> values)> map;
};

Distribution uniform(double low, double high);
Distribution normal(double mean, double deviation);
// exp(normal(mean, deviation)): mean and deviation are those of the logarithm.
Distribution lognormal(double mean, double deviation);
// Points no farther than the angle (at most pi) from the centre, even in the measure of area or volume. Refuses spaces
// on which nothing turns, poses, and centres off the manifold.
Distribution cap(const Manifold& space, In centre, double angle);

// Also where high - low is more than any double.
double number_between(double low, double high, double part);

// The x with P(normal(0, 1) < x) = p, to rounding.
double normal_quantile(double p);

}  // namespace hamel
