// Formulas of a model as numbers, along its motion.
//
//   Values height(system, {x.z()});
//   height(state.t, state.q, state.v, u, out);
#pragma once

#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Values {
 public:
  Values() = default;
  // Of coordinates, rates, inputs, parameters and time. Refuses symbols of other models.
  Values(const System& system, const std::vector<Formula>& formulas);

  int size() const { return size_; }  // of all of them, one after another, matrices column by column
  void operator()(double t, In q, In v, In u, Out values);  // allocates nothing
  void set_parameters(const System& member);                // of the same model, with other parameters
  const Kernel& kernel() const { return kernel_; }
  const Program& program() const { return kernel_.program(); }

 private:
  Kernel kernel_;
  int size_ = 0;
  VectorXd scratch_;
};

}  // namespace hamel
