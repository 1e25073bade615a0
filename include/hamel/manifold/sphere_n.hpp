// The unit spheres { q in R^a : |q|^2 = 1 }, book (1.46), (1.47): what S^1, S^2 and S^n share, and S^n itself.
//
//   P(q) = I - q q^T,   c(q) = (|q|^2 - 1) / 2,   curvature -|v|^2 q.
//
// The retraction is stereographic (it is the Cayley rotation in the plane of q and v): rational, it reaches every point
// but the antipode, and it damps rather than grows an error of |q|.
#pragma once

#include <cmath>
#include <numbers>

#include "hamel/manifold/factor.hpp"
#include "hamel/manifold/rotation.hpp"

namespace hamel {

[[noreturn]] void throw_no_direction(const std::string& name);  // the origin has no nearest point
[[noreturn]] void throw_antipodal(const std::string& name);     // no unique way to the antipode
VectorXd random_unit_vector(int ambient, Random& random);

template <int Size>  // the ambient dimension, or Eigen::Dynamic
class UnitSphere : public FactorDefaults {
 public:
  int ambient() const { return ambient_; }
  int dimension() const { return ambient_ - 1; }
  std::string name() const { return "S" + std::to_string(dimension()); }
  std::pair<int, int> shape() const { return {ambient_, 1}; }
  bool has_constraints() const { return true; }
  bool is_unit_sphere() const { return true; }
  VectorXd reference_point() const;
  std::vector<AffineField> symmetries() const;  // so(a)

  template <class T>
  VectorX<T> constraints(InOf<T> q) const {
    return VectorX<T>::Constant(1, (fixed(q).squaredNorm() - T(1)) * T(0.5));
  }
  std::string defect_formula() const { return "| |q|^2 - 1 |"; }
  template <Number T>
  T defect(InOf<T> q) const {
    return std::abs(fixed(q).squaredNorm() - T(1));
  }

  template <class T>
  void project(InOf<T> x, OutOf<T> q) const {
    using std::sqrt;
    const T norm = sqrt(fixed(x).squaredNorm());
    if constexpr (Number<T>) {
      if (!(norm > T(0))) throw_no_direction(name());
    }
    q = fixed(x) / norm;
  }
  template <class T>
  void tangent_project(InOf<T> q, InOf<T> v, OutOf<T> w) const {
    const T normal = fixed(q).dot(fixed(v));
    w = fixed(v) - fixed(q) * normal;
  }

  // The other columns of the reflection that takes the last axis to q or -q; smooth but where q_last changes its sign.
  template <Number T>
  void tangent_basis(InOf<T> q, OutMatrixOf<T> N) const {
    const Eigen::Index last = ambient_ - 1;
    const T sign = q(last) < T(0) ? T(-1) : T(1);
    const T scale = T(1) / (T(1) + std::abs(q(last)));
    N.setIdentity();
    N.topRows(last).noalias() -= scale * q.head(last) * q.head(last).transpose();
    N.row(last) = -sign * q.head(last).transpose();
  }

  template <class T>
  void curvature(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const T speed2 = fixed(v).squaredNorm();
    result = fixed(q) * -speed2;
  }

  template <class T>
  void retract(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const T half = fixed(v).squaredNorm() * T(0.5), scale = T(1) / (T(1) + half * T(0.5));
    result = fixed(q) + (fixed(v) - fixed(q) * half) * scale;
  }
  template <Number T>
  void inverse_retract(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    const T sum2 = tangent_part(q, other, v);
    v *= T(4) / sum2;
  }

  template <Number T>
  void exponential(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const T angle = fixed(v).norm();
    result = fixed(q) * std::cos(angle) + fixed(v) * sinc(angle);
  }
  template <Number T>
  void logarithm(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    const T angle = 2 * std::atan2((fixed(other) - fixed(q)).norm(), std::sqrt(tangent_part(q, other, v)));
    const T sine = v.norm();
    if (sine > T(0)) v *= angle / sine;
  }
  double injectivity_radius() const { return std::numbers::pi; }

  VectorXd random_point(Random& random) const { return random_unit_vector(ambient_, random); }

 protected:
  explicit UnitSphere(int ambient) : ambient_(ambient) {}

  template <class T>
  static auto fixed(InOf<T> x) {
    return Eigen::Map<const Eigen::Matrix<T, Size, 1>>(x.data(), x.size());
  }

 private:
  // v = P(q) other, from the shorter of other - q and other + q so that nothing cancels. Returns |q + other|^2.
  template <Number T>
  T tangent_part(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    const T sum2 = (fixed(other) + fixed(q)).squaredNorm();
    const bool is_near = sum2 > T(2);
    v = fixed(other) - fixed(q) * (is_near ? T(1) : T(-1));
    const T normal = fixed(q).dot(v);
    v -= fixed(q) * normal;
    if (!is_near && v.squaredNorm() == T(0)) throw_antipodal(name());
    return sum2;
  }

  int ambient_;
};

// S^n in R^(n+1). Its quasi-velocity is the tangent vector itself: B(q) = P(q), xi = v.
class Sphere : public UnitSphere<Eigen::Dynamic> {
 public:
  explicit Sphere(int n);

  int rates() const { return ambient(); }
  template <class T>
  void velocity(InOf<T> q, InOf<T> xi, OutOf<T> v) const {
    tangent_project<T>(q, xi, v);
  }
  template <class T>
  void rates(InOf<T> q, InOf<T> v, OutOf<T> xi) const {
    tangent_project<T>(q, v, xi);
  }
  template <class T>
  void rates_of_acceleration(InOf<T>, InOf<T>, InOf<T> a, OutOf<T> xi_dot) const {
    xi_dot = a;
  }
  template <class T>
  void covector_to_rates(InOf<T> q, InOf<T> p, OutOf<T> pi) const {
    tangent_project<T>(q, p, pi);
  }
  template <class T>
  void retract_by_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const VectorX<T> v = xi - q * q.dot(xi);
    retract<T>(q, v, result);
  }
};

extern template Manifold::Manifold(Sphere);

}  // namespace hamel
