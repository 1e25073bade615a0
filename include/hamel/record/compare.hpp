// What integrators keep of a motion, and what they cost: what `hamel compare` does.
//
//   const Comparison all = compare(system, start, {{"gauss8", 0.1}, {"rk45", 0, 1e-9}}, 100, stop);
//   all.rows[0].summary->energy.max_error
//
// Energy tells how good a run is where it is conserved; elsewhere a solution does.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "hamel/record/monitor.hpp"
#include "hamel/record/reference.hpp"

namespace hamel {

struct ComparedMethod {
  std::string integrator;
  double step = 0, tolerance = 0;
};

// Each method with each of the steps, or of the tolerances where it chooses its steps. What is not given: the step, its
// half and its quarter; 1e-6, 1e-9 and 1e-12. Refuses unknown methods, and a fixed step that nobody knows.
std::vector<ComparedMethod> compared_methods(const std::vector<std::string>& integrators, std::vector<double> steps,
                                             std::vector<double> tolerances, double usual_step);

struct Compared {
  ComparedMethod method;
  std::optional<RunSummary> summary = {};  // of the quickest of several runs, where one is short
  std::string failure = {};                // why there is none
  double state_error = 0;                  // at the end, where there is a reference
};

struct Comparison {
  std::vector<Compared> rows;
  std::optional<Reference> reference = {};
};

// Ends early where `stop` becomes true.
Comparison compare(const System& system, const State& start, const std::vector<ComparedMethod>& methods, double until,
                   const std::atomic<bool>& stop);

}  // namespace hamel
