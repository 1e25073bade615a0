// Statistics of a run, computed while it runs in constant memory: what was conserved, and how well.
//
//   Monitor monitor(system, conserved_momenta(system.model()).momenta);
//   integrate(system, start, method, until, [&](const State& state) { monitor(state); return true; });
//   monitor.summary().energy.max_error
//
// A Monitor looks at what it is given: the outputs of a run, not the steps between them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hamel/integrate/memory.hpp"
#include "hamel/record/kept.hpp"
#include "hamel/record/sample.hpp"
#include "hamel/record/trend.hpp"

namespace hamel {

// Means and maxima are over the outputs of the run, not over the steps between them; errors are differences from the
// start. What is said about them is in kept.hpp.
struct RunSummary {
  struct EnergyErrors : Followed {
    bool exists = true;  // not of a first-order system
    bool conserved = true;
  };
  struct MomentumErrors : Followed {
    bool exact_for_variational = false;
  };
  struct ConstraintErrors : Followed {
    bool exist = false;
  };

  std::string model, integrator;
  double step = 0;  // 0 where the method chooses it
  std::size_t steps = 0, outputs = 0;
  double time = 0;   // that was integrated over
  double until = 0;  // the end time
  double wall_seconds = 0;
  EnergyErrors energy;
  Followed manifold;  // | 1 - q.q | and |R^T R - I|
  std::vector<MomentumErrors> momenta;
  std::vector<Followed> conserved;  // what is claimed to be, component by component
  ConstraintErrors constraints;
  std::vector<std::string> undecided;  // what the search for conserved momenta could not tell
  State final;
  bool finished = false;  // the end time was reached
  std::string failure;    // why it was not, where the run failed

  std::vector<Followed> followed() const;  // all that should have stayed as it was
};

// The numbers behind a RunSummary.
class Statistics {
 public:
  explicit Statistics(std::size_t momenta = 0, Eigen::Index ambient = 0, std::size_t constraints = 0,
                      std::size_t conserved = 0);

  void add(const Sample& sample);
  double energy_error() const { return max_errors_(energy_place); }
  double time() const { return last_.t; }
  std::size_t count() const { return count_; }
  void fill(RunSummary& summary) const;

  void remember(Memory& memory);  // all of it, in or out

 private:
  // Then what is claimed to be conserved.
  enum Place : Eigen::Index { energy_place, manifold_place, constraint_place, first_momentum_place };
  void fill(Followed& followed, Eigen::Index place) const;
  void fill_constraints(Followed& constraints) const;

  std::size_t count_ = 0;
  Eigen::Index momenta_, conserved_;
  double start_ = 0;
  VectorXd initial_, errors_, error_sums_, max_errors_, terms_;  // of what is followed, in the order of Place
  Trends trends_;
  double motion_ = 0, lowest_rest_ = 0, highest_rest_ = 0;  // parts of the energy
  VectorXd max_constraints_, constraint_terms_, constraint_sizes_;
  State last_;
};

class Monitor {
 public:
  explicit Monitor(const System& system, std::vector<ConservedMomentum> momenta = {},
                   const std::vector<Output>& outputs = {}, const std::vector<Output>& conserved = {});

  const Sample& operator()(const State& state);  // allocates nothing where the system does not
  RunSummary summary() const;

  const Statistics& statistics() const { return statistics_; }
  Measurement& measurement() { return measure_; }
  void remember(Memory& memory) { statistics_.remember(memory), memory(measure_.inputs()); }

 private:
  const System& system_;
  Measurement measure_;
  Statistics statistics_;
  Sample sample_;
};

}  // namespace hamel
