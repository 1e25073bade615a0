// The vector field of (q, xi) in eight lanes as text.
#pragma once

#include <string>

#include "hamel/program/program.hpp"

namespace hamel {

// NY numbers y, the first NQ of which are q, and
//
//   static void rate(const double* u, const double* constants, number t, const number* y, number* k)
//
// where the constants of a part of the lanes begin at PART_OF_CONSTANTS(part).
std::string field_lane_text(const Program& motion, long ambient, long size);
// After it: whole steps of one size, as FieldLanes takes them. The body takes y from t to t + h, and adds x - x to off
// for all x that have to be finite.
std::string field_steps_text(const std::string& body);
// The same, looking at events by the cubic polynomial of each step. The body finds the rate at y in rate_now.
std::string watched_field_steps_text(const std::string& body, const Program& motion, const Program& events);

}  // namespace hamel
