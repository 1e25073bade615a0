// States by name.
#pragma once

#include <nanobind/nanobind.h>

#include "hamel/mechanics/system.hpp"

namespace hamel::python {

namespace nb = nanobind;

struct StartArguments {
  nb::dict points, rate, omega, velocity, xi, momentum;
  double t = 0;
  bool project = false;
};
// Numbers that are off the manifold by no more than 1e-3 are corrected, others refused, as in model files.
State state_of(const System& system, const StartArguments& start);

// Where the coordinates are in q: name, first number, rows and columns.
nb::list layout_of(const Model& model);

}  // namespace hamel::python
