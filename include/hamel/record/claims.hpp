// Quantities that are claimed to be conserved, [conserved] of a model file: their values along a motion.
//
//   Claims claims(model, {{"angular momentum", m * cross(x, rate(x))}});
//   claims(state, values, sizes);                        // allocates nothing once these have their size
#pragma once

#include <string>
#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/record/header.hpp"

namespace hamel {

class Claims {
 public:
  Claims() = default;
  Claims(const Model& model, const std::vector<Output>& claims);

  const std::vector<std::string>& names() const { return names_; }  // of every component
  // The size of F: the sum of |dF/dq| |q| + |dF/dv| |v|, which is that of its terms whether they cancel or not, and is
  // not changed by a constant. Components of one claim have the size of the largest.
  void operator()(const State& state, VectorXd& values, VectorXd& sizes);

 private:
  std::vector<std::string> names_;
  std::vector<int> components_;  // of each claim
  Kernel kernel_;                // (q, v, {t}) -> values, sizes
  VectorXd scratch_;
};

}  // namespace hamel
