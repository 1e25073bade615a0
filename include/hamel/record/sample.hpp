// What is recorded of a state: energies, momenta, errors and the user's outputs.
//
//   Measurement measure(system, conserved_momenta(model).momenta, outputs);
//   measure(state, sample);                                               // allocates nothing once sample has been
//   used
//
// A number that is not finite is refused, with its name: no file ever contains one.
#pragma once

#include <string>
#include <vector>

#include "hamel/mechanics/kernel.hpp"
#include "hamel/record/header.hpp"

namespace hamel {

struct Sample {
  State state;
  Energy energy;
  double manifold_error = 0;    // the largest | 1 - q.q |, Frobenius norm of R^T R - I, or the like, of all coordinates
  double constraint_error = 0;  // the largest of all constraints
  VectorXd momenta;
  VectorXd outputs;  // one after another, matrices column by column
};

class Measurement {
 public:
  Measurement(const System& system, std::vector<ConservedMomentum> momenta, const std::vector<Output>& outputs);

  void operator()(const State& state, Sample& sample);
  // The sums of the sizes of the terms in each momentum of the last sample: what its rounding is relative to.
  const VectorXd& momentum_sizes() const { return sizes_; }

  void set_inputs(In u) { work_.u = u; }
  VectorXd& inputs() { return work_.u; }
  const std::vector<ConservedMomentum>& momenta() const { return momenta_; }
  // Native code for the outputs, where so many samples pay for it; or as in a run that is continued.
  void prepare(double samples) const;
  void prepare_like(bool native) const;
  bool is_native() const { return !outputs_.empty() && outputs_.program().is_native(); }

 private:
  struct Factor {
    Manifold space;
    int offset;
    bool rotation;  // SO(3), and SE(3) by its attitude
  };
  void measure_momenta(const State& state, double energy, VectorXd& values);
  double manifold_error(In q) const;
  double constraint_error(In q);
  void need_finite(const Sample& sample) const;

  const System& system_;
  std::vector<ConservedMomentum> momenta_;
  std::vector<Factor> factors_;
  std::vector<std::string> output_names_;  // of every component
  Kernel outputs_;                         // (q, v, u, {t}) -> all outputs
  Workspace work_;
  VectorXd p_, field_, constraint_, sizes_, scratch_;
};

}  // namespace hamel
