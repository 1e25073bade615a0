// The constraints c(q) = 0 of a model, in numbers. There may be none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/derive/kernel.hpp"

namespace hamel {

class Constraints {
 public:
  Constraints() = default;
  Constraints(std::vector<std::string> names, int ambient, Kernel kernel)
      : names_(std::move(names)), ambient_(ambient), kernel_(std::move(kernel)) {}

  struct Workspace {
    VectorXd c, scratch;
    MatrixXd G;  // the derivative of c
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
  int ambient_ = 0;
  Kernel kernel_;  // (q) -> (c, G)
};

}  // namespace hamel
