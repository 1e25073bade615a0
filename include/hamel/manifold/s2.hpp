// The sphere S^2 in R^3: q' = omega x q, book (2.4), with omega = q x q' normal to q.
#pragma once

#include "hamel/manifold/sphere_n.hpp"

namespace hamel {

class S2 : public UnitSphere<3> {
 public:
  S2() : UnitSphere(3) {}

  int rates() const { return 3; }
  Turning turning() const { return Turning::direction; }
  std::vector<RateName> rate_names() const { return {{"omega", 3}}; }

  template <class T>
  void velocity(InOf<T> q, InOf<T> xi, OutOf<T> v) const {
    v = cross(fixed(xi), fixed(q));
  }
  template <class T>
  void rates(InOf<T> q, InOf<T> v, OutOf<T> xi) const {
    xi = cross(fixed(q), fixed(v));
  }
  // omega' = q x q'' + q' x q'
  template <class T>
  void rates_of_acceleration(InOf<T> q, InOf<T>, InOf<T> a, OutOf<T> xi_dot) const {
    xi_dot = cross(fixed(q), fixed(a));
  }
  template <class T>
  void covector_to_rates(InOf<T> q, InOf<T> p, OutOf<T> pi) const {
    pi = cross(fixed(q), fixed(p));
  }
  template <class T>
  void retract_by_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const Vector3<T> v = cross(fixed(xi), fixed(q));
    retract<T>(q, v, result);
  }
};

extern template Manifold::Manifold(S2);

}  // namespace hamel
