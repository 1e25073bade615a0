// The rotations SO(3) in R^9 (R column by column): R' = R hat(Omega), book (2.16), with the body rate Omega.
//
//   P(R) V = R skew(R^T V),   curvature R hat(Omega)^2,   |R'| = sqrt(2) |Omega| in the ambient norm.
//
// The retraction is Cayley's, written R + R (F - I): what is added is small where the step is, and with it its
// rounding.
#pragma once

#include <numbers>

#include "hamel/manifold/rotation.hpp"

namespace hamel {

namespace rotations {  // what SO(3) and SE(3) share, on 3 x 3 matrices

template <class T>
auto matrix(InOf<T> q) {
  return Eigen::Map<const Matrix3<T>>(q.data());
}
template <class T>
auto matrix(OutOf<T>& q) {
  return Eigen::Map<Matrix3<T>>(q.data());
}

// The six upper entries of R^T R - I, column by column.
template <class T>
VectorX<T> constraints(const Matrix3<T>& R) {
  VectorX<T> result(6);
  for (int j = 0, k = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i, ++k) result(k) = R.col(i).dot(R.col(j)) - T(i == j ? 1 : 0);
  return result;
}

template <Number T>
T defect(const Matrix3<T>& R) {
  const T angles = (R.transpose() * R - Matrix3<T>::Identity()).cwiseAbs().maxCoeff();
  return std::max(angles, std::abs(R.col(0).dot(cross(R.col(1), R.col(2))) - T(1)));
}

// The nearest rotation, from X = U D V^T: U diag(1, 1, det(U V^T)) V^T.
template <Number T>
Matrix3<T> nearest(const Matrix3<T>& X);
extern template Matrix3<double> nearest(const Matrix3<double>&);
extern template Matrix3<long double> nearest(const Matrix3<long double>&);

Eigen::Matrix3d random(Random& random);

}  // namespace rotations

class SO3 : public FactorDefaults {
 public:
  std::string name() const { return "SO3"; }
  int ambient() const { return 9; }
  int dimension() const { return 3; }
  int rates() const { return 3; }
  Turning turning() const { return Turning::body; }
  std::vector<RateName> rate_names() const { return {{"Omega", 3}}; }
  std::pair<int, int> shape() const { return {3, 3}; }
  VectorXd reference_point() const;
  std::vector<AffineField> symmetries() const;  // left and right rotations

  template <class T>
  VectorX<T> constraints(InOf<T> q) const {
    return rotations::constraints<T>(rotations::matrix<T>(q));
  }
  std::string defect_formula() const { return "the larger of |R^T R - I| and |det R - 1|"; }
  template <Number T>
  T defect(InOf<T> q) const {
    return rotations::defect<T>(rotations::matrix<T>(q));
  }

  template <Number T>
  void project(InOf<T> x, OutOf<T> q) const {
    rotations::matrix<T>(q) = rotations::nearest<T>(rotations::matrix<T>(x));
  }
  template <class T>
  void tangent_project(InOf<T> q, InOf<T> v, OutOf<T> w) const {
    const auto R = rotations::matrix<T>(q);
    const Vector3<T> Omega = vee(R.transpose() * rotations::matrix<T>(v));
    rotations::matrix<T>(w) = (R * hat(Omega)).eval();
  }
  template <Number T>
  void tangent_basis(InOf<T> q, OutMatrixOf<T> N) const {
    for (int k = 0; k < 3; ++k) {
      const Matrix3<T> direction = rotations::matrix<T>(q) * hat(Vector3<T>::Unit(k)) / std::sqrt(T(2));
      N.col(k) = direction.reshaped();
    }
  }

  template <class T>
  void velocity(InOf<T> q, InOf<T> xi, OutOf<T> v) const {
    rotations::matrix<T>(v) = rotations::matrix<T>(q) * hat(xi);
  }
  // Omega = vee(R^T R')
  template <class T>
  void rates(InOf<T> q, InOf<T> v, OutOf<T> xi) const {
    xi = vee(rotations::matrix<T>(q).transpose() * rotations::matrix<T>(v));
  }
  // R^T R'' = hat(Omega') + hat(Omega)^2, and the last is symmetric.
  template <class T>
  void rates_of_acceleration(InOf<T> q, InOf<T>, InOf<T> a, OutOf<T> xi_dot) const {
    rates<T>(q, a, xi_dot);
  }
  // tr(p^T R hat(xi)) = 2 xi . vee(R^T p)
  template <class T>
  void covector_to_rates(InOf<T> q, InOf<T> p, OutOf<T> pi) const {
    pi = vee(rotations::matrix<T>(q).transpose() * rotations::matrix<T>(p)) * T(2);
  }
  template <class T>
  void curvature_of_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const Matrix3<T> X = hat(xi);
    rotations::matrix<T>(result) = rotations::matrix<T>(q) * (X * X).eval();
  }
  template <class T>
  void curvature(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const Vector3<T> Omega = vee(rotations::matrix<T>(q).transpose() * rotations::matrix<T>(v));
    curvature_of_rates<T>(q, Omega, result);
  }

  template <class T>
  void retract_by_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const Matrix3<T> R = rotations::matrix<T>(q);
    rotations::matrix<T>(result) = R + R * cayley_minus_identity<T>(xi);
  }
  template <class T>
  void retract(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const Vector3<T> Omega = vee(rotations::matrix<T>(q).transpose() * rotations::matrix<T>(v));
    retract_by_rates<T>(q, Omega, result);
  }
  template <Number T>
  void inverse_retract(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    const auto R = rotations::matrix<T>(q);
    rotations::matrix<T>(v) = R * hat(inverse_cayley<T>(R.transpose() * rotations::matrix<T>(other)));
  }

  // book (1.11), constant body rate
  template <Number T>
  void exponential(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const Matrix3<T> R = rotations::matrix<T>(q);
    const Vector3<T> Omega = vee(R.transpose() * rotations::matrix<T>(v));
    rotations::matrix<T>(result) = R + R * exponential_minus_identity(Omega);
  }
  template <Number T>
  void logarithm(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    const auto R = rotations::matrix<T>(q);
    rotations::matrix<T>(v) = R * hat(rotation_logarithm<T>(R.transpose() * rotations::matrix<T>(other)));
  }
  double injectivity_radius() const { return std::numbers::sqrt2 * std::numbers::pi; }

  VectorXd random_point(Random& random) const;
};

extern template Manifold::Manifold(SO3);

}  // namespace hamel
