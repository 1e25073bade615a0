// Numbers of 113 bits, for orders that long double is too short to see. Transcendental functions are only as good as
// those of double: the systems that are tested need none.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <compare>
#include <limits>

#include "hamel/graph/expr.hpp"

namespace hamel::test {

__extension__ typedef __float128 Float128;

struct Quad {
  Float128 value = 0;
  Quad() = default;
  template <class T>
  requires std::is_arithmetic_v<T> Quad(T x) : value(x) {}
  explicit Quad(Float128 x, int) : value(x) {}
  explicit operator double() const { return static_cast<double>(value); }
  explicit operator long double() const { return static_cast<long double>(value); }

  Quad operator-() const { return Quad(-value, 0); }
  Quad& operator+=(const Quad& b) { return value += b.value, *this; }
  Quad& operator-=(const Quad& b) { return value -= b.value, *this; }
  Quad& operator*=(const Quad& b) { return value *= b.value, *this; }
  Quad& operator/=(const Quad& b) { return value /= b.value, *this; }
  friend Quad operator+(Quad a, const Quad& b) { return a += b; }
  friend Quad operator-(Quad a, const Quad& b) { return a -= b; }
  friend Quad operator*(Quad a, const Quad& b) { return a *= b; }
  friend Quad operator/(Quad a, const Quad& b) { return a /= b; }
  friend bool operator==(const Quad& a, const Quad& b) { return a.value == b.value; }
  friend std::partial_ordering operator<=>(const Quad& a, const Quad& b) {
    return a.value < b.value    ? std::partial_ordering::less
           : a.value > b.value  ? std::partial_ordering::greater
           : a.value == b.value ? std::partial_ordering::equivalent
                                : std::partial_ordering::unordered;
  }
};

inline Quad fabs(const Quad& x) { return x < Quad(0) ? -x : x; }
inline Quad abs(const Quad& x) { return fabs(x); }
inline bool isinf(const Quad& x) { return std::isinf(static_cast<double>(x)); }
inline Quad sqrt(const Quad& x) {
  if (!(x > Quad(0))) return x;
  Quad root = std::sqrt(static_cast<long double>(x));
  for (int k = 0; k < 2; ++k) root = (root + x / root) / 2;
  return root;
}
inline Quad pow(const Quad& x, const Quad& y) {
  return std::pow(static_cast<long double>(x), static_cast<long double>(y));
}
inline Quad apply_function(Op op, const Quad& a, const Quad& b) {
  return op == Op::sqrt  ? sqrt(a)
         : op == Op::abs ? fabs(a)
                         : Quad(apply(op, static_cast<double>(a), static_cast<double>(b)));
}

}  // namespace hamel::test

template <>
struct std::numeric_limits<hamel::test::Quad> {
  static constexpr bool is_specialized = true, is_integer = false, is_signed = true;
  static hamel::test::Quad epsilon() { return hamel::test::Quad(0x1p-112); }
  static hamel::test::Quad infinity() { return hamel::test::Quad(std::numeric_limits<double>::infinity()); }
};

template <>
struct Eigen::NumTraits<hamel::test::Quad> : Eigen::GenericNumTraits<hamel::test::Quad> {
  using Real = hamel::test::Quad;
  using NonInteger = hamel::test::Quad;
  using Nested = hamel::test::Quad;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 10,
    MulCost = 20
  };
};
