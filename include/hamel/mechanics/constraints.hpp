// The constraints c(q) = 0 of a model, in numbers. There may be none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/derive/energies.hpp"

namespace hamel {

class Constraints {
 public:
  Constraints() = default;
  Constraints(std::vector<std::string> names, ConstraintKernel of)
      : names_(std::move(names)), kernel_(std::move(of.kernel)), G_(std::move(of.G)) {}

  struct Workspace {
    VectorXd c, scratch;
    linear::SparseRows G;  // the derivative of c
  };
  Workspace workspace() const;

  int size() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }  // one per scalar constraint: "loop[2]"

  void evaluate(Workspace& w, In q) const;                             // w.c and w.G
  void add_reaction(Workspace& w, In q, In multipliers, Out f) const;  // - G^T lambda
  void set_parameters(In values) { kernel_.set_parameters(values); }
  std::vector<const Program*> programs() const;

 private:
  std::vector<std::string> names_;
  Kernel kernel_;  // (q) -> (c, the values of G)
  linear::SparseRows G_;
};

}  // namespace hamel
