// What all runs that are watched have in common, whether they are recorded in a file or shown on a page.
#pragma once

#include "hamel/integrate/integrate.hpp"
#include "hamel/record/header.hpp"
#include "hamel/record/monitor.hpp"

namespace hamel {

// What should stay as it is. Forces may do no work, and time may cancel: then Noether's theorem knows of the energy.
struct Invariants {
  Invariants(const System& system, NoetherReport found);

  std::vector<ConservedMomentum> momenta;
  bool energy;
  std::vector<std::string> undecided;
};

// The header of a run from this start.
RecordHeader header_of_run(RecordHeader header, const System& system, const Method& method,
                           const Invariants& invariants, Monitor& monitor, const std::vector<Output>& outputs,
                           double start, const Until& until);

// The law that was given, or that of the model: what it says is measured too.
Control measured(const Control& given, const System& system, const Method& method, Monitor& monitor);

// So far; the caller knows how long it took and whether it is finished.
RunSummary summary_of(const Monitor& monitor, const Invariants& invariants, const Method& method,
                      const Integration& run, double until);

}  // namespace hamel
