// Where a recorded run can be taken up again: everything that the rest of it depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hamel/integrate/integrate.hpp"

namespace hamel {

struct Savepoint {
  // Of a run that failed: what was known when it did, and why.
  struct Failure {
    std::string why;
    std::size_t rows = 0, steps = 0;
    double wall_seconds = 0;
    std::vector<double> monitor;
  };

  std::size_t rows = 0;   // of the record that belong to it
  bool finished = false;  // the end time was reached
  double wall_seconds = 0;
  std::vector<double> monitor;  // Monitor::remember
  Checkpoint checkpoint;        // its method is the integrator of the record
  std::optional<Failure> failure = {};

  std::size_t rows_at_the_end() const { return failure ? failure->rows : rows; }
};

// As words, with a checksum; nothing from words that were not written to the end. Format 1 had another checksum, and no
// failures.
std::vector<std::uint64_t> encode(const Savepoint& savepoint, std::uint64_t number);
struct NumberedSavepoint {
  std::uint64_t number = 0;  // the largest one counts
  Savepoint savepoint;
};
std::optional<NumberedSavepoint> decode(std::span<const std::uint64_t> words, int format);

}  // namespace hamel
