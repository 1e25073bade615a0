// What the commands show of a sweep.
#pragma once

#include <string>

#include "hamel/record/sweep_table.hpp"

namespace hamel::cli {

struct SweepShown {
  bool json = false, overwrite = false;
  std::string out = {}, csv = {}, picture = {}, report = {};  // files
};

constexpr const char* to_stdout = "-";  // as a file

// A table of this sweep, or of all that its file has, with what has to be in memory for that. Refuses what does not fit
// there, before the first member.
SweepTable table_to_show(const SweepHeader& header, const SweepShown& shown);
SweepTable table_to_show(const SweepReader& file, const SweepShown& shown);

// Words or JSON, and the files that are asked for. Where the sweep is in `out`, its CSV is made from there. Returns
// what of it could not be done, in a sentence.
std::string show_sweep(const SweepTable& table, const SweepShown& shown);

}  // namespace hamel::cli
