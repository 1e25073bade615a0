// Statistics of a run, computed while it runs in constant memory: what was conserved, and how well.
//
//   Monitor monitor(system, conserved_momenta(system.model()).momenta);
//   integrate(system, start, method, until, [&](const State& state) { monitor(state); return true; });
//   monitor.summary().energy.max_error
//
// A Monitor looks at what it is given: the outputs of a run, not the steps between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hamel/integrate/memory.hpp"
#include "hamel/record/sample.hpp"

namespace hamel {

// Means and maxima are over the outputs of the run, not over the steps between them; errors are differences from the
// start.
struct RunSummary {
  struct EnergyErrors {
    double initial = 0, mean_error = 0, max_error = 0;
    double slope = 0;    // of the least-squares line through the energy error against time
    double scale = 0;    // the largest |T| + |U|, what the errors may be compared with
    bool exists = true;  // not of a first-order system
    bool conserved = true;
  };
  struct ManifoldErrors {  // | 1 - q.q | and |R^T R - I|
    double mean_error = 0, max_error = 0;
  };
  struct MomentumErrors {
    std::string name;
    double initial = 0, max_error = 0;
    std::optional<double> max_relative_error = {};  // none where the initial value is zero up to rounding
    bool exact_for_variational = false;
  };
  struct ConstraintErrors {
    double max_error = 0;
  };

  std::string model, integrator;
  double step = 0;  // 0 where the method chooses it
  std::size_t steps = 0, outputs = 0;
  double time = 0;  // that was integrated over
  double wall_seconds = 0;
  EnergyErrors energy;
  ManifoldErrors manifold;
  std::vector<MomentumErrors> momenta;
  ConstraintErrors constraints;
  State final;
  bool finished = false;  // the end time was reached
};

// The numbers behind a RunSummary.
class Statistics {
 public:
  explicit Statistics(std::size_t momenta = 0, Eigen::Index ambient = 0);

  void add(const Sample& sample, const VectorXd& momentum_sizes);
  double energy_error() const { return max_energy_error_; }
  double time() const { return last_.t; }
  std::size_t count() const { return count_; }
  void fill(RunSummary& summary) const;

  void remember(Memory& memory);  // all of it, in or out

 private:
  std::size_t count_ = 0;
  double start_ = 0, initial_energy_ = 0, scale_ = 0, energy_errors_ = 0, max_energy_error_ = 0;
  double mean_t_ = 0, mean_error_ = 0, spread_t_ = 0, covariance_ = 0;
  double manifold_errors_ = 0, max_manifold_error_ = 0, max_constraint_error_ = 0;
  VectorXd initial_momenta_, momentum_sizes_, max_momentum_errors_;
  State last_;
};

class Monitor {
 public:
  explicit Monitor(const System& system, std::vector<ConservedMomentum> momenta = {},
                   const std::vector<Output>& outputs = {});

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
