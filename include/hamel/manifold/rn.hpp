// The vector space R^n: x' = xi.
#pragma once

#include <limits>

#include "hamel/manifold/factor.hpp"

namespace hamel {

class Rn : public FactorDefaults {
 public:
  explicit Rn(int n);

  std::string name() const { return "R" + std::to_string(n_); }
  bool is_flat() const { return true; }
  int ambient() const { return n_; }
  int dimension() const { return n_; }
  int rates() const { return n_; }
  std::pair<int, int> shape() const { return {n_, 1}; }
  bool has_constraints() const { return true; }  // none at all, that is
  VectorXd reference_point() const;
  std::vector<AffineField> symmetries() const;  // translations; gl(n) for n <= 3, so(n) for n <= 12

  template <class T>
  VectorX<T> constraints(InOf<T>) const {
    return {};
  }
  std::string defect_formula() const { return "the defect"; }
  template <Number T>
  T defect(InOf<T>) const {
    return T(0);
  }

  template <class T>
  void project(InOf<T> x, OutOf<T> q) const {
    q = x;
  }
  template <class T>
  void tangent_project(InOf<T>, InOf<T> v, OutOf<T> w) const {
    w = v;
  }
  template <class T>
  void tangent_basis(InOf<T>, OutMatrixOf<T> N) const {
    N.setIdentity();
  }

  template <class T>
  void velocity(InOf<T>, InOf<T> xi, OutOf<T> v) const {
    v = xi;
  }
  template <class T>
  void rates(InOf<T>, InOf<T> v, OutOf<T> xi) const {
    xi = v;
  }
  template <class T>
  void rates_of_acceleration(InOf<T>, InOf<T>, InOf<T> a, OutOf<T> xi_dot) const {
    xi_dot = a;
  }
  template <class T>
  void covector_to_rates(InOf<T>, InOf<T> p, OutOf<T> pi) const {
    pi = p;
  }
  template <class T>
  void curvature(InOf<T>, InOf<T>, OutOf<T> result) const {
    result.setZero();
  }

  template <class T>
  void retract(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    result = q + v;
  }
  template <class T>
  void retract_by_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    result = q + xi;
  }
  template <class T>
  void inverse_retract(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    v = other - q;
  }
  template <class T>
  void exponential(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    result = q + v;
  }
  template <class T>
  void logarithm(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    v = other - q;
  }
  double injectivity_radius() const { return std::numeric_limits<double>::infinity(); }

  VectorXd random_point(Random& random) const;

 private:
  int n_;
};

extern template Manifold::Manifold(Rn);

}  // namespace hamel
