// A sweep by many ranks: the first one hands out chunks of members, to itself as well, and takes their rows in order.
#pragma once

#include <functional>
#include <stdexcept>

#include "hamel/record/file_sweep.hpp"
#include "ranks.hpp"

namespace hamel::cli {

// Another rank cannot go on; what was taken before is whole.
class RankError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// By rank 0: as ensemble() does. Throws RankError, also where another rank has another model, or other
// bits unless asked.
bool hand_out(Ranks& ranks, const FileSweep& sweep, const Where& where, bool on_another_machine, const ChunkSink& sink);

// By all others, until rank 0 ends it: what they are told to. What goes wrong is said by rank 0.
void work_for_others(Ranks& ranks, const std::function<const FileSweep&()>& sweep, const Where& where);

}  // namespace hamel::cli
