// What is recorded of a state: energies, momenta, errors and the user's outputs.
//
//   Measurement measure(system, conserved_momenta(model).momenta, outputs);
//   measure(state, sample);                                 // allocates nothing once sample has been used
//
// With each number goes the size of what it is made of: what its rounding, or its change, is relative to (kept.hpp).
// A number that is not finite is refused, with its name: no file ever contains one.
#pragma once

#include <string>
#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/mechanics/values.hpp"
#include "hamel/record/claims.hpp"
#include "hamel/record/header.hpp"

namespace hamel {

struct Sample {
  State state;
  Energy energy;
  double energy_of_motion = 0, energy_at_rest = 0;  // the two parts of the total: T and U of a natural system
  double manifold_error = 0;    // the largest | 1 - q.q |, Frobenius norm of R^T R - I, or the like, of all coordinates
  double constraint_error = 0;  // the largest of all constraints
  VectorXd constraints;
  VectorXd constraint_terms;  // sum of |dc/dq| |q|
  VectorXd constraint_sizes;  // sum of the sizes of the terms of the formula: 2 L^2 of norm2(x) = L^2
  VectorXd momenta, momentum_terms;
  VectorXd conserved, conserved_sizes;  // claims.hpp
  VectorXd outputs;                     // one after another, matrices column by column
};

class Measurement {
 public:
  Measurement(const System& system, std::vector<ConservedMomentum> momenta, const std::vector<Output>& outputs,
              const std::vector<Output>& conserved = {});

  void operator()(const State& state, Sample& sample);
  void set_inputs(In u) { work_.u = u; }
  VectorXd& inputs() { return work_.u; }
  const std::vector<ConservedMomentum>& momenta() const { return momenta_; }
  const std::vector<std::string>& conserved() const { return claims_.names(); }
  // Native code for the outputs, where so many samples pay for it; or as in a run that is continued.
  void prepare(double samples) const;

 private:
  struct Factor {
    Manifold space;
    int offset;
    bool rotation;  // SO(3), and SE(3) by its attitude
  };
  void measure_energy(const State& state, Sample& sample);
  void measure_momenta(const State& state, Sample& sample);
  double largest_momentum(const Sample& sample, In X);
  void measure_constraints(const State& state, Sample& sample);
  double manifold_error(In q) const;
  void need_finite(const Sample& sample) const;

  const System& system_;
  std::vector<ConservedMomentum> momenta_;
  std::vector<Factor> factors_;
  std::vector<std::string> output_names_;  // of every component
  Values outputs_;
  Claims claims_;
  Kernel constraint_sizes_;  // q -> Sample::constraint_sizes
  bool natural_ = true;      // the energy is T + U
  Workspace work_;
  VectorXd p_, field_, at_rest_, scratch_;
};

}  // namespace hamel
