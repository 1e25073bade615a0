// A connected group of m x m matrices, given by a basis E_k of its algebra: g' = g X, X = sum xi_k E_k.
//
//   B(g) = [g E_1, ..., g E_d];   curvature g X^2;   retraction and exponential g exp(X).
//
// All that is known of the group is its algebra, so membership means: there is a product of exponentials at x. The
// defect is the distance |x - g| to the nearest g that a Gauss-Newton search along the group finds, begun at exp of the
// part of log(x) in the algebra, and at the same for x seen from other elements where x has no such logarithm.
#pragma once

#include "hamel/manifold/factor.hpp"

namespace hamel {

class LieGroup : public FactorDefaults {
 public:
  // Refuses a basis that is dependent or not closed under brackets.
  LieGroup(std::vector<MatrixXd> basis, std::string name);

  std::string name() const { return name_; }
  int ambient() const { return order_ * order_; }
  int dimension() const { return static_cast<int>(basis_.size()); }
  int rates() const { return dimension(); }
  std::pair<int, int> shape() const { return {order_, order_}; }
  bool has_retraction_formula() const { return false; }
  Generators generators() const { return {Generators::Side::right, basis_}; }
  VectorXd reference_point() const;
  std::vector<AffineField> symmetries() const;  // left and right multiplications

  std::string defect_formula() const { return "the distance |q - g| to the group"; }
  double defect(In q) const;
  void project(In x, Out q) const;

  void tangent_project(In q, In v, Out w) const;
  void tangent_basis(In q, OutMatrix N) const;
  void velocity(In q, In xi, Out v) const;
  void rates(In q, In v, Out xi) const;
  void rates_of_acceleration(In q, In v, In a, Out xi_dot) const;
  void covector_to_rates(In q, In p, Out pi) const;

  void velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const;
  VectorXe group_rates(InOf<Expr> q, InOf<Expr> v) const;
  void tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const;
  void curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const;
  void curvature_of_rates(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> result) const;
  void rates_of_acceleration(InOf<Expr> q, InOf<Expr> v, InOf<Expr> a, OutOf<Expr> xi_dot) const;

  void retract(In q, In v, Out result) const;
  void inverse_retract(In q, In other, Out v) const;
  void exponential(In q, In v, Out result) const;
  void logarithm(In q, In other, Out v) const;
  // pi / max |Im eigenvalue of X| over |X| = 1: within it the principal logarithm inverts exp. At the identity, and at
  // every g where the group is orthogonal. Infinite where all eigenvalues are real (nilpotent groups).
  double injectivity_radius() const;

  VectorXd random_point(Random& random) const;

 private:
  template <class T>
  MatrixX<T> algebra_element(InOf<T> xi) const;
  template <class T>
  MatrixX<T> matrix(InOf<T> q) const;
  template <class T>
  MatrixX<T> tangents(InOf<T> q) const;   // B(q)
  VectorXd fit(const MatrixXd& X) const;  // the coefficients of the nearest algebra element
  MatrixXd nearby_element(const MatrixXd& x) const;

  std::vector<MatrixXd> basis_;
  std::string name_;
  int order_;
  MatrixXd columns_;       // the basis as columns of m^2 numbers
  MatrixXd coefficients_;  // its pseudo-inverse
};

extern template Manifold::Manifold(LieGroup);

}  // namespace hamel
