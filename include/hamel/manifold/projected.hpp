// A submanifold given by a smooth projection pi of R^n onto it: pi(pi(x)) = pi(x), nearest point or not.
//
//   tangent space: the range of A = pi'(q);   P = A A^+;   curvature (I - P) pi''(v, v);   B = P, the rates are x'
//   itself; retraction pi(q + v).
#pragma once

#include "hamel/manifold/smooth_map.hpp"

namespace hamel {

class Projected : public FactorDefaults {
 public:
  // Refuses a pi that is not idempotent, or whose rank is not the dimension, at sample points.
  Projected(int n, int dimension, SmoothMap::Formula pi, std::string name);

  std::string name() const { return name_; }
  int ambient() const { return pi_.inputs(); }
  int dimension() const { return dimension_; }
  int rates() const { return pi_.inputs(); }
  std::pair<int, int> shape() const { return {pi_.inputs(), 1}; }
  bool has_exponential() const { return false; }
  VectorXd reference_point() const { return reference_; }
  std::vector<AffineField> symmetries() const;  // found by linear algebra from samples

  std::string defect_formula() const { return "|q - pi(q)|"; }
  double defect(In q) const;
  void project(In x, Out q) const;

  void tangent_project(In q, In v, Out w) const;
  void tangent_basis(In q, OutMatrix N) const;
  void velocity(In q, In xi, Out v) const;
  void rates(In q, In v, Out xi) const;
  void rates_of_acceleration(In q, In v, In a, Out xi_dot) const;
  void covector_to_rates(In q, In p, Out pi) const;

  void tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const;
  void velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const;
  void curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const;
  void rates_of_acceleration(InOf<Expr> q, InOf<Expr> v, InOf<Expr> a, OutOf<Expr> xi_dot) const;

  void retract(In q, In v, Out result) const;
  void retract_by_rates(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> result) const;
  void inverse_retract(In q, In other, Out v) const;

  VectorXd random_point(Random& random) const;

 private:
  MatrixXd orthonormal_tangents(In q) const;
  MatrixXe tangent_projector(InOf<Expr> q) const;
  void check_point(In q) const;

  std::string name_;
  int dimension_;
  SmoothMap pi_;
  bool is_nearest_point_ = true;  // then pi'(q) is symmetric, and P itself
  VectorXd reference_;
};

extern template Manifold::Manifold(Projected);

}  // namespace hamel
