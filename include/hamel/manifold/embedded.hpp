// A submanifold { x in R^n : c(x) = 0 } given by its constraints, book (1.29), with c' = C of full rank.
//
//   P = I - C^T (C C^T)^-1 C, book (1.32);   curvature -C^T (C C^T)^-1 c''(v, v);   B = P, the rates are x' itself.
//
// The retraction goes along the normals at q: the point q + v + C(q)^T lambda of the manifold. So its inverse is
// P(q) (other - q). Formulas exist up to codimension 3; the constraints and all numbers for any.
#pragma once

#include "hamel/manifold/smooth_map.hpp"

namespace hamel {

class Embedded : public FactorDefaults {
 public:
  // Finds points of the manifold and refuses constraints that are dependent there or have no common zero.
  Embedded(int n, SmoothMap::Formula c, std::string name);

  std::string name() const { return name_; }
  int ambient() const { return c_.inputs(); }
  int dimension() const { return c_.inputs() - c_.outputs(); }
  int rates() const { return c_.inputs(); }
  std::pair<int, int> shape() const { return {c_.inputs(), 1}; }
  bool has_constraints() const { return true; }
  bool has_formulas() const { return c_.outputs() <= 3; }
  bool has_retraction_formula() const { return false; }
  bool has_exponential() const { return false; }
  VectorXd reference_point() const { return reference_; }
  std::vector<AffineField> symmetries() const;  // found by linear algebra from samples

  VectorXe constraints(InOf<Expr> q) const;
  std::string defect_formula() const { return "the largest |c_i(q)|"; }
  double defect(In q) const;
  void project(In x, Out q) const;  // by Gauss-Newton; near the nearest point, not exactly it

  void tangent_project(In q, In v, Out w) const;
  void tangent_basis(In q, OutMatrix N) const;
  void velocity(In q, In xi, Out v) const;
  void rates(In q, In v, Out xi) const;
  void rates_of_acceleration(In q, In v, In a, Out xi_dot) const;
  void covector_to_rates(In q, In p, Out pi) const;

  void tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const;
  void velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const;
  void rates_of_acceleration(InOf<Expr> q, InOf<Expr> v, InOf<Expr> a, OutOf<Expr> xi_dot) const;
  void curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const;

  void retract(In q, In v, Out result) const;
  void inverse_retract(In q, In other, Out v) const;

  VectorXd random_point(Random& random) const;

 private:
  void check_rank(In q) const;

  std::string name_;
  SmoothMap c_;
  VectorXd reference_;
};

extern template Manifold::Manifold(Embedded);

}  // namespace hamel
