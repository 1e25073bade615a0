// A model at a few random states: what holds there holds always, for analytic functions.
#pragma once

#include <span>
#include <vector>

#include "hamel/model/lower.hpp"

namespace hamel {

class Sampler {
 public:
  Sampler(const Model& model, const LoweredModel& lowered, int count = 4);

  int count() const { return static_cast<int>(states_.cols()); }
  // Of expressions in q, t and parameters, at rest: one row per expression, one column per state.
  MatrixXd values(std::span<const Expr> expressions) const { return values_at(expressions, states_); }
  // With a part of q put to zero.
  MatrixXd values_without(std::span<const Expr> expressions, int offset, int size) const;
  const std::vector<Expr>& variables() const { return variables_; }

 private:
  MatrixXd values_at(std::span<const Expr> expressions, const MatrixXd& states) const;

  int ambient_;
  std::vector<Expr> variables_;  // q, t, parameters, v, mu, u
  MatrixXd states_;              // values of these, one column per state
};

}  // namespace hamel
