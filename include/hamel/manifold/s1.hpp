// The circle S^1 in R^2: q' = omega S q, book (2.3), with the scalar omega = q^T S^T q'.
#pragma once

#include "hamel/manifold/sphere_n.hpp"

namespace hamel {

class S1 : public UnitSphere<2> {
 public:
  S1() : UnitSphere(2) {}

  int rates() const { return 1; }
  Turning turning() const { return Turning::plane; }
  std::vector<RateName> rate_names() const { return {{"omega", 1}}; }
  VectorXd reference_point() const;

  template <Number T>
  void tangent_basis(InOf<T> q, OutMatrixOf<T> N) const {
    N = quarter_turn(q);
  }

  template <class T>
  void velocity(InOf<T> q, InOf<T> xi, OutOf<T> v) const {
    v = quarter_turn(q) * xi(0);
  }
  template <class T>
  void rates(InOf<T> q, InOf<T> v, OutOf<T> xi) const {
    xi(0) = quarter_turn(q).dot(fixed(v));
  }
  template <class T>
  void rates_of_acceleration(InOf<T> q, InOf<T>, InOf<T> a, OutOf<T> xi_dot) const {
    xi_dot(0) = quarter_turn(q).dot(fixed(a));
  }
  template <class T>
  void covector_to_rates(InOf<T> q, InOf<T> p, OutOf<T> pi) const {
    pi(0) = quarter_turn(q).dot(fixed(p));
  }
  template <class T>
  void retract_by_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const T half = xi(0) * xi(0) * T(0.5), scale = T(1) / (T(1) + half * T(0.5));
    const Vector2<T> v = quarter_turn(q) * xi(0);
    result = fixed(q) + (v - fixed(q) * half) * scale;
  }
};

extern template Manifold::Manifold(S1);

}  // namespace hamel
