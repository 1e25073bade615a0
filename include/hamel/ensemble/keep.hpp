// What is kept of the members of an ensemble.
//
//   Keep keep;
//   keep.final_state = true;
//   keep.formulas = {{"height", x.z(), Statistic::max}, {"height", x.z(), Statistic::end}};
//   keep.events = {{.name = "flip", .formula = q.y(), .terminal = true}};
//
// Each is a column of numbers; a series is as many as there are outputs. Maxima, minima and means are over the outputs
// of a run; a mean is over time, by the trapezoidal rule. Invariants are kept as their largest difference from the
// start. An event has the time when it first happened, infinite if it never did, and how often it happened.
// Of a member that failed, the columns hold what was known when it did.
#pragma once

#include <string>
#include <vector>

#include "hamel/integrate/integrate.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

enum class Statistic : std::uint8_t { end, max, min, mean, drift, series };
std::string to_string(Statistic statistic);

struct KeptFormula {
  std::string name;
  Formula formula;
  Statistic statistic = Statistic::end;
};

struct KeptEvent {
  std::string name;
  Formula formula;  // a number that is zero where it happens
  Crossing direction = Crossing::any;
  bool terminal = false;
};

struct Keep {
  bool final_state = false;  // q and v
  bool energy_drift = false;
  std::vector<ConservedMomentum> momenta = {};  // their drifts
  std::vector<KeptFormula> formulas = {};
  std::vector<KeptEvent> events = {};
};

struct KeptColumn {
  std::string name;      // "height max", "flip time", "q[1].x"
  std::size_t size = 1;  // more than one: a series
  friend bool operator==(const KeptColumn&, const KeptColumn&) = default;
};

}  // namespace hamel
