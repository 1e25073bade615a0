// A map f: R^n -> R^m given by a formula, with its first and second derivatives, as formulas and as numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hamel/manifold/factor.hpp"

namespace hamel {

class SmoothMap {
 public:
  using Formula = std::function<VectorXe(const VectorXe&)>;
  SmoothMap(int inputs, Formula formula, const std::string& name);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }

  VectorXd value(In x) const;
  MatrixXd jacobian(In x) const;      // f'(x), m x n
  VectorXd second(In x, In v) const;  // f''(x)(v, v)

  // In the current graph; x and v may be any expressions.
  VectorXe value(InOf<Expr> x) const;
  MatrixXe jacobian(InOf<Expr> x) const;
  VectorXe second(InOf<Expr> x, InOf<Expr> v) const;

 private:
  int inputs_, outputs_;
  Formula formula_;
  struct Programs;
  std::shared_ptr<const Programs> programs_;
};

}  // namespace hamel
