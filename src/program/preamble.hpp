// How operations are written in C, and what such text relies on.
#pragma once

#include <array>
#include <span>
#include <string>

#include "program/tape.hpp"

namespace hamel {

std::string literal(double value);  // exact
std::string formula(Op op, const std::array<std::string, 3>& arguments);

// Operations that C has for vectors of four too; the others become functions.
bool is_vector_operation(Op op);
std::string lane_function(Op op, int lanes);

// What the text of these programs relies on; once per translation unit.
std::string emit_preamble(std::span<const Program::Tape* const> tapes, int lanes);

}  // namespace hamel
