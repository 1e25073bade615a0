// A program as C that reads and writes many states where they lie: number i of state k at [i * stride + k].
#pragma once

#include <string>

#include "program/tape.hpp"

namespace hamel {

// The longest program that is written so: all of it becomes one straight function.
constexpr std::size_t longest_in_columns = 2000;

std::string emit_columns(const Program::Tape& tape, Program::InColumns groups, const std::string& entry);

}  // namespace hamel
