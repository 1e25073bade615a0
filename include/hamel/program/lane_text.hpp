// The step of a method in eight lanes as one piece of native code: C that is written around the functions of a program,
// so that numbers stay in registers from one to the next, and nothing is decided lane by lane outside.
//
// The text has the type `number`, as many lanes as a register holds, WIDTH, ALL(x) for the same in all of them, and
//
//   ROW(p, i)            number i in memory, where each is eight doubles: p begins at the lane that comes first
//   pick(which, a, b)    a where the comparison `which` holds, else b
//   larger(a, b)         b where a < b, else a; smaller(a, b): b where b < a, else a
//   size_of, root, any, is_finite
//   FOUR(x)              four sums or maxima x[0] to x[3] that begin with zero, for EACH_OF_FOUR(i, m, n) x[m] += ...:
//   no
//                        number waits for the one before it; SUM(x), LARGEST(x)
//
// It defines `void hamel_lanes(const double* const* in, double* const* out)` for all eight lanes, WIDTH at a time.
#pragma once

#include <span>
#include <string>

#include "hamel/program/program.hpp"

namespace hamel {

using LaneEntry = void (*)(const double* const* in, double* const* out);

// How a function gets a group of inputs: as an array of `number`, or as rows in memory (of uniform ones: as one double
// each).
enum class LaneInput { numbers, rows };

// static void NAME(const number* or const double* i0, ..., number* o0, ...)
std::string function_in_lanes(const Program& program, const std::string& name, std::span<const LaneInput> inputs);
// All of it is straight: nothing longer.
constexpr std::size_t longest_lane_function = 2000;

// Compiles the text, which has functions of these programs, and keeps it with the first of them. False where native
// code cannot be had; it is not tried again.
bool compile_lane_text(std::span<const Program* const> programs, const std::string& text);
LaneEntry lane_code(const Program& first, const std::string& text);  // null until it is compiled

}  // namespace hamel
