// Whole steps of Gauss methods by fixed-point iteration in eight lanes as one text, to the bits of GaussMotion.
#pragma once

#include <string>

#include "hamel/mechanics/system.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

struct GaussPrograms {
  const Program& flow;         // (q, p, t, u) -> (q', p')
  const Program& momentum;     // (q, v, t) -> p
  const Program* normal_part;  // (q, p) -> that part of p; none: all of it
};

// In the frame of fixed_lane_text.hpp:
//
//   in    inputs, the constants of the three programs
//   out   y, what rounding lost of it, its rate, the rates at the stages, the size of the step to which they belong
//
// A step of no length finds the rate at y alone.
std::string gauss_lane_text(const System& system, int stages, const GaussPrograms& programs);

}  // namespace hamel
