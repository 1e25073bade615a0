// What the commands show of a sweep.
#pragma once

#include <string>

#include "hamel/record/sweep_table.hpp"

namespace hamel::cli {

struct SweepShown {
  bool json = false, overwrite = false;
  std::string out = {}, csv = {}, picture = {}, report = {};  // files
};

// How many of its numbers have to be in memory for that.
std::size_t numbers_shown(const SweepHeader& header, const SweepShown& shown);

// Words or JSON, and the files that are asked for. Where the sweep is in `out`, its CSV is made from there.
void show_sweep(const SweepTable& table, const SweepShown& shown);

}  // namespace hamel::cli
