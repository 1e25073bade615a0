// Programs as functions that a GPU runs, a member of an ensemble per thread: CUDA text from the same code that C is
// emitted from. All of it is straight code on arrays with constant indices, which a compiler keeps in registers.
//
//   static __device__ __forceinline__ void NAME(const double* own, const double* i0, ..., double* o0, ...)
//
// Numbers that do not change along a run (parameters, inputs that are held) are no arguments but rows of a table: row k
// is written N<k>, and number_macros says where it is: in constant memory where all members have the same, else in
// `own`, the numbers of this member.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hamel/program/program.hpp"

namespace hamel {

constexpr int as_argument = -1;

// Of each group of inputs: the row where its numbers begin, or as_argument. Of each row: is it zero for all members?
// Then what is multiplied by it is left out, so that a diagonal matrix costs no more than its diagonal.
std::string device_function(const Program& program, const std::string& name, std::span<const int> rows,
                            const std::vector<bool>& zeros = {});

// What the functions of these programs rely on; once in a text, before them.
std::string device_preamble(std::span<const Program* const> programs);

// For each row whether it differs between members. Those that do are own[0], own[1], ... in their order, the others
// hamel_uniform[0], ...
std::string number_macros(const std::vector<bool>& differs);

// A number, exactly.
std::string device_literal(double value);

}  // namespace hamel
