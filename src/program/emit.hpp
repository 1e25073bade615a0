// A program as C: one function per segment and one entry that calls them in order.
#pragma once

#include <string>

#include "program/tape.hpp"

namespace hamel {

struct SegmentRange {
  std::uint32_t begin, end;
};

// The entry computes the given segments; the one with the last segment also copies what is no operation.
std::string emit_c(const Program::Tape& tape, SegmentRange range, const std::string& entry, int lanes);

}  // namespace hamel
