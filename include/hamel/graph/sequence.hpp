// Expressions as a plain list of operations, without their graph: cheap to make, for what is computed now and then.
//
//   const Sequence formulas(outputs, variables);     // in the current graph, which may go
//   formulas.run(values, results);
//
// Gives the bits of evaluate(outputs, variables, values). Programs are for what is computed at every step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

class Sequence {
 public:
  Sequence() = default;
  Sequence(std::span<const Expr> outputs, std::span<const Expr> variables);

  std::size_t outputs() const { return outputs_.size(); }
  void run(std::span<const double> values, double* results) const;

 private:
  struct Step {
    Op op;
    std::uint32_t a, b, c;  // places of the arguments
  };
  // Places are [numbers | variables | steps]; the number at 0 stands for arguments that there are none of.
  std::vector<double> numbers_{0};
  std::size_t variables_ = 0;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> outputs_;
};

}  // namespace hamel
