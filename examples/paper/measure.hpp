// What the paper measures: how far the energy and the unit lengths are off, on average over the outputs.
#pragma once

#include <cstddef>

#include "two_spheres.hpp"

namespace hamel::two_spheres {

struct Errors {
  double energy = 0;        // mean of |E(t) - E(0)|, in the paper's unit
  double length = 0;        // mean of |1 - q.q|, over all bodies
  double microseconds = 0;  // per step, outputs included
  std::size_t steps = 0;
};

// With an output at every step, or at the given interval.
Errors measure(const Example& example, const Method& method, double every = 0);

// Example 1 by rk45, from the equations that the paper prints, with the tolerances that reproduce its figures.
Errors measure_double_pendulum_as_printed();

}  // namespace hamel::two_spheres
