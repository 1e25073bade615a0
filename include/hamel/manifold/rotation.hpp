// Rotations of the plane and of space: S, hat, vee, Cayley, exponential and logarithm.
//
//   hat(x) y = x cross y, and vee takes the SKEW PART of a matrix back to a vector: vee(A) = vee((A - A^T) / 2).
//
// All of these are templates on the scalar and free of branches, except exponentials and logarithms, which are for
// numbers.
#pragma once

#include <array>
#include <cmath>

#include "hamel/manifold/factor.hpp"

namespace hamel {

template <class T>
using Vector2 = Eigen::Matrix<T, 2, 1>;
template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

// S x, the quarter turn of the plane; book (1.6).
template <class Derived>
Vector2<typename Derived::Scalar> quarter_turn(const Eigen::MatrixBase<Derived>& x) {
  return {-x(1), x(0)};
}

// x cross y; that of Eigen is in a header that takes half a second.
template <class A, class B>
Vector3<typename A::Scalar> cross(const Eigen::MatrixBase<A>& x, const Eigen::MatrixBase<B>& y) {
  return {x(1) * y(2) - x(2) * y(1), x(2) * y(0) - x(0) * y(2), x(0) * y(1) - x(1) * y(0)};
}

// book (1.8)
template <class Derived>
Matrix3<typename Derived::Scalar> hat(const Eigen::MatrixBase<Derived>& x) {
  using T = typename Derived::Scalar;
  Matrix3<T> result;
  result << T(0), -x(2), x(1),  //
      x(2), T(0), -x(0),        //
      -x(1), x(0), T(0);
  return result;
}

template <class Derived>
Vector3<typename Derived::Scalar> vee(const Eigen::MatrixBase<Derived>& matrix) {
  using T = typename Derived::Scalar;
  const Matrix3<T> A = matrix;
  return {T(0.5) * (A(2, 1) - A(1, 2)), T(0.5) * (A(0, 2) - A(2, 0)), T(0.5) * (A(1, 0) - A(0, 1))};
}

template <Number T>
T sinc(T x) {
  return x == T(0) ? T(1) : std::sin(x) / x;
}

// Stumpff's series c_k(s) = 1/k! - s/(k+2)! + s^2/(k+4)! - ..., to rounding for s < 1.
template <int k, Number T>
constexpr auto stumpff_coefficients = [] {
  std::array<T, sizeof(T) <= sizeof(double) ? 9 : 11> result{};
  T factorial = 1;
  for (int i = 2; i <= k; ++i) factorial *= T(i);
  int n = k;
  for (T& coefficient : result) {
    coefficient = 1 / factorial;
    factorial *= T((n + 1) * (n + 2));
    n += 2;
  }
  return result;
}();
template <int k, Number T>
T stumpff(T s) {
  constexpr auto& c = stumpff_coefficients<k, T>;
  T sum = c.back();
  for (std::size_t i = c.size() - 1; i-- > 0;) sum = c[i] - s * sum;
  return sum;
}

// sin(x) / x, (1 - cos x) / x^2 and (x - sin x) / x^3 of s = x^2: small turns need neither a root nor a sine.
template <Number T>
T sine_factor(T s) {
  if (!(s >= T(1))) return stumpff<1>(s);
  const T x = std::sqrt(s);
  return std::sin(x) / x;
}
template <Number T>
T versine_factor(T s) {
  if (!(s >= T(1))) return stumpff<2>(s);
  const T x = std::sqrt(s), half = std::sin(x / 2) / x;
  return 2 * half * half;
}
template <Number T>
T cubic_factor(T s) {
  if (!(s >= T(1))) return stumpff<3>(s);
  const T x = std::sqrt(s);
  return (x - std::sin(x)) / (s * x);
}

// F - I for the Cayley map F = (I - hat(xi)/2)^-1 (I + hat(xi)/2), a turn by 2 atan(|xi|/2) about xi.
// The book's (1.10) is this map at xi = -2 x.
template <class T>
Matrix3<T> cayley_minus_identity(const Vector3<T>& xi) {
  const Matrix3<T> X = hat(xi);
  const T scale = T(1) / (T(1) + xi.squaredNorm() * T(0.25));
  return (X + X * X * T(0.5)) * scale;
}

// exp(hat(x)) - I, Rodrigues; book (1.11) with (1.18), (1.19).
template <Number T>
Matrix3<T> exponential_minus_identity(const Vector3<T>& x) {
  const T s = x.squaredNorm();
  const Matrix3<T> X = hat(x);
  return X * sine_factor(s) + X * X * versine_factor(s);
}

// The unit quaternion (vector, scalar >= 0) of a rotation: accurate for every angle, as neither the trace alone (near
// a half turn) nor the symmetric part (near the identity) is.
template <Number T>
struct UnitQuaternion {
  Vector3<T> vector;
  T scalar;
};
template <Number T>
UnitQuaternion<T> quaternion_of(const Matrix3<T>& F);
extern template UnitQuaternion<double> quaternion_of(const Matrix3<double>&);
extern template UnitQuaternion<long double> quaternion_of(const Matrix3<long double>&);

// The xi of a Cayley map; none for a half turn (infinite then).
template <Number T>
Vector3<T> inverse_cayley(const Matrix3<T>& F) {
  const auto [vector, scalar] = quaternion_of(F);
  return vector * (T(2) / scalar);
}

// The shortest x with exp(hat(x)) = F; one of the two for a half turn.
template <Number T>
Vector3<T> rotation_logarithm(const Matrix3<T>& F) {
  const auto [vector, scalar] = quaternion_of(F);
  const T sine = vector.norm();
  const T angle = 2 * std::atan2(sine, scalar);
  return vector * (sine == T(0) ? T(2) : angle / sine);
}

// The integral of exp(s hat(x)) over 0 < s < 1: what a constant body velocity V moves is this times V.
template <Number T>
Matrix3<T> mean_rotation(const Vector3<T>& x) {
  const T s = x.squaredNorm();
  const Matrix3<T> X = hat(x);
  return Matrix3<T>::Identity() + X * versine_factor(s) + X * X * cubic_factor(s);
}

}  // namespace hamel
