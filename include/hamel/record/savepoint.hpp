// Where a recorded run can be taken up again: everything that the rest of it depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hamel/integrate/integrate.hpp"

namespace hamel {

struct Savepoint {
  std::size_t rows = 0;   // of the record that belong to it
  bool finished = false;  // the end time was reached
  bool native_outputs = false;
  double wall_seconds = 0;
  std::vector<double> monitor;  // Monitor::remember
  Checkpoint checkpoint;        // its method is the integrator of the record
};

// As words, with a checksum; nothing from words that were not written to the end.
std::vector<std::uint64_t> encode(const Savepoint& savepoint, std::uint64_t number);
struct NumberedSavepoint {
  std::uint64_t number = 0;  // the largest one counts
  Savepoint savepoint;
};
std::optional<NumberedSavepoint> decode(std::span<const std::uint64_t> words);

}  // namespace hamel
