// Loops found in straight-line code.
//
// The code of a chain of n equal links repeats with a period: the same operations, whose arguments come from the
// same or a recent iteration, always at the same distance, or from outside (then at any place of one array: evenly
// advancing as a rule, else by a table). Such a stretch is one segment {begin, period, count}; what lies between is
// cut into straight segments (count 1) of bounded length. Each segment becomes one function of the native tier.
// Values that a later segment reads live in a work array, those of a loop at base + stride * iteration.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hamel/program/code.hpp"

namespace hamel {

struct Segment {
  std::uint32_t begin, period, count;  // operations begin .. begin + period * count
  std::uint32_t first_slot;            // of its positions, in Rolled::slots

  bool is_loop() const { return count > 1; }
  std::uint32_t end() const { return begin + period * count; }
};

struct Slot {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t base = none, stride = 0;  // base is none where no other segment reads the value
  bool writes_outputs = true;             // otherwise outputs are copied from the work array at the end
};

struct TapePlace {
  std::uint32_t segment, position, iteration;
};

struct Rolled {
  std::vector<Segment> segments;  // in order, covering all operations
  std::vector<Slot> slots;        // one per position of each segment
  std::uint32_t work_size = 0;

  std::size_t operations() const { return slots.size(); }  // each loop counted once
  TapePlace place(std::uint32_t operation) const;
  const Slot& slot(const TapePlace& place) const { return slots[segments[place.segment].first_slot + place.position]; }
};

constexpr std::uint32_t largest_lookback = 4;  // how many iterations back a loop may read itself

Rolled roll(const Code& code);

// Whether an argument with these numbers in the first two iterations is computed by the loop itself.
bool is_carried(const Segment& loop, std::uint32_t first_operation, std::uint32_t first, std::uint32_t second);

// The output that each operation is, or one of these.
constexpr std::uint32_t no_output = std::numeric_limits<std::uint32_t>::max(), several_outputs = no_output - 1;
std::vector<std::uint32_t> sole_outputs(const Code& code);

// The group that member `index` of all groups together belongs to.
std::uint32_t group_of(const std::vector<std::uint32_t>& sizes, std::uint32_t index);

}  // namespace hamel
