// The vector field of (q, xi) in eight lanes as text.
#pragma once

#include <string>

#include "hamel/program/program.hpp"

namespace hamel {

// NY numbers y, EACH(i) of them, and
//
//   static void rate(const double* u, const double* constants, number t, const number* y, number* k)
//
// where the constants of a part of the lanes begin at PART_OF_CONSTANTS(part).
std::string field_lane_text(const Program& motion, long ambient, long size);

}  // namespace hamel
