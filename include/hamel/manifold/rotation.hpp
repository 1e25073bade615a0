// Rotations of the plane and of space: S, hat, vee, Cayley, exponential and logarithm.
//
//   hat(x) y = x cross y, and vee takes the SKEW PART of a matrix back to a vector: vee(A) = vee((A - A^T) / 2).
//
// All of these are templates on the scalar and free of branches, except the logarithms, which are for numbers.
#pragma once

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

// (x - sin x) / x^3, where the difference cancels by its series.
template <Number T>
T cubic_sinc(T x) {
  if (std::abs(x) >= T(1)) return (x - std::sin(x)) / (x * x * x);
  T sum = 0, term = T(1) / T(6);
  for (int k = 0; k < 12; ++k) {
    sum += term;
    term *= -x * x / T((2 * k + 4) * (2 * k + 5));
  }
  return sum;
}

// F - I for the Cayley map F = (I - hat(xi)/2)^-1 (I + hat(xi)/2), a turn by 2 atan(|xi|/2) about xi.
// The book's (1.10) is this map at xi = -2 x.
template <class T>
Matrix3<T> cayley_minus_identity(const Vector3<T>& xi) {
  const Matrix3<T> X = hat(xi);
  return (X + X * X * T(0.5)) / (T(1) + xi.squaredNorm() * T(0.25));
}

// exp(hat(x)) - I, Rodrigues; book (1.11) with (1.18), (1.19).
template <Number T>
Matrix3<T> exponential_minus_identity(const Vector3<T>& x) {
  const T angle = x.norm(), half = sinc(angle / 2);
  const Matrix3<T> X = hat(x);
  return X * sinc(angle) + X * X * (half * half / 2);
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
  const T angle = x.norm(), half = sinc(angle / 2);
  const Matrix3<T> X = hat(x);
  return Matrix3<T>::Identity() + X * (half * half / 2) + X * X * cubic_sinc(angle);
}

}  // namespace hamel
