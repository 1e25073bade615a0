// Turns formulas into expressions, each node once, without recursion.
#pragma once

#include <unordered_map>
#include <vector>

#include "hamel/model/lower.hpp"
#include "model/angular_velocity.hpp"

namespace hamel {

class Lowering {
 public:
  Lowering(const Model& model, LoweredModel& lowered);

  MatrixXe matrix(const Formula& formula);
  Expr energy(const Formula& formula);  // a scalar; angular velocities in their natural ambient form

 private:
  using Node = Formula::Node;

  const MatrixXe& lower(const Formula& formula);  // with auxiliary variables for angular velocities
  MatrixXe lower_node(const Node& node);
  const Formula* law_of(const Node& node) const;
  Expr power(const Formula& base, const Formula& exponent);
  Expr norm(const MatrixXe& a);
  MatrixXe product(const MatrixXe& a, const MatrixXe& b) const;
  Expr without_root(Expr factors, Expr root, int depth = 0) const;
  MatrixXe symbol(const Symbol& symbol, int rows, int cols) const;

  const Model& model_;
  LoweredModel& lowered_;
  AngularVelocity omega_;
  std::vector<std::size_t> parameter_offsets_, input_offsets_;
  std::unordered_map<const Node*, MatrixXe> memo_;
  std::unordered_map<std::uint32_t, Expr> norms_;  // by the id of norm(a): norm2(a)
  std::vector<Formula> roots_;                     // keep the nodes of the memo alive
};

}  // namespace hamel
