// A run that is watched, recorded and can be taken up again: what `hamel run` does.
//
//   RunSummary summary = recorded_run(system, start, Variational{.step = 0.01}, {.until = 100, .path = "run.h5"});
//
// The statistics are those of the outputs; choose `every` accordingly. Stopped, killed or failed runs leave a record
// of everything up to that moment (up to the last flush, if killed); with `resume` the same call goes on with it, to
// exactly the bits of a run that was never interrupted.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamel/integrate/integrate.hpp"
#include "hamel/record/header.hpp"
#include "hamel/record/monitor.hpp"

namespace hamel {

struct Progress {
  double t = 0, fraction = 0;   // done, of the whole run
  double steps_per_second = 0;  // since this process began
  double seconds_left = 0;      // at this rate
  double energy_error = 0;      // the largest so far
  std::size_t steps = 0, outputs = 0;
};

struct RunSettings {
  Until until;  // no states are kept
  std::vector<Output> outputs = {};
  std::vector<Output> conserved = {};            // what is claimed to be, and followed
  std::optional<NoetherReport> symmetries = {};  // what Noether's theorem finds, if not given
  Control control = {};

  std::string path = {};  // of the record; none if empty
  bool overwrite = false, resume = false;
  bool on_another_machine = false;  // resume though processor, compiler, flags or libm differ, and with them the bits
  double flush_seconds = 1;         // a killed run loses no more than this

  std::function<void(const Progress&)> progress = {};
  double progress_seconds = 0.1;
  const std::atomic<bool>* stop = nullptr;  // when true, the run ends after the current step; see RunSummary::finished
};

// A run that could not go on, with all that was measured until then.
class RunError : public std::runtime_error {
 public:
  RunError(RunSummary so_far, const std::string& kept)
      : std::runtime_error(kept.empty() ? so_far.failure : so_far.failure + "; " + kept), summary(std::move(so_far)) {}

  RunSummary summary;  // its failure does not say what is kept in which file
};

// The header has what only the caller knows: the text of the model and units.
RunSummary recorded_run(const System& system, const State& start, const Method& method, const RunSettings& settings,
                        const RecordHeader& header = {});

}  // namespace hamel
