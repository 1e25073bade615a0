// The step of a method in eight lanes as one piece of native code: C that is written around the functions of a program,
// so that numbers stay in registers from one to the next, and nothing is decided lane by lane outside.
//
// The text has the type `number`, as many lanes as a register holds, WIDTH, ALL(x) for the same in all of them, and
//
//   ROW(p, i)            number i in memory, where each is eight doubles: p begins at the lane that comes first
//   pick(which, a, b)    a where the comparison `which` holds, else b
//   larger(a, b)         b where a < b, else a; smaller(a, b): b where b < a, else a
//   size_of, root, any, is_finite
//   fused(a, b, c)       a b + c, rounded once where the processor can
//   FOUR(x)              four sums or maxima x[0] to x[3] that begin with zero, for
//                        EACH_OF_FOUR(i, m, n) x[m] += ...: no number waits for the one before it; SUM(x), LARGEST(x)
//
// It defines `void hamel_lanes(const double* const* in, double* const* out)` for all eight lanes, WIDTH at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hamel/program/program.hpp"

namespace hamel {

using LaneEntry = void (*)(const double* const* in, double* const* out);

// How a function gets a group of inputs: as an array of `number`, as the sums of two such arrays, or as rows in memory
// (of uniform ones: as one double each).
enum class LaneInput { numbers, sums, rows };

// static void NAME(const number* or const double* i0, ..., number* o0, ...); behind an array comes what is added to it
std::string function_in_lanes(const Program& program, const std::string& name, std::span<const LaneInput> inputs);
// All of it is straight: nothing longer.
bool fit_into_lane_text(std::span<const Program* const> programs);

// EACH(i, n) for loops over so many numbers at most; straight code where they are few.
std::string loops_in_lanes(long most);

// What a step costs, for those who ask whether native code pays.
struct LaneStepWork {
  double evaluations;  // of each program
  double copies;       // of the functions in native code, where they are short enough to be inlined
  double beside;       // seconds that native code saves beside those of the programs
};

// The native code of a text, which has functions of these programs: it is kept with the first of them.
class LaneCode {
 public:
  LaneCode() = default;
  LaneCode(std::vector<const Program*> programs, std::string text);

  bool pays(double steps, const LaneStepWork& work) const;
  bool compile();  // false where native code cannot be had; it is not tried again
  bool exists() const { return entry_ != nullptr; }
  void operator()(const double* const* in, double* const* out) const;  // where it exists

 private:
  std::vector<const Program*> programs_;
  std::string text_;
  LaneEntry entry_ = nullptr;
};

}  // namespace hamel
