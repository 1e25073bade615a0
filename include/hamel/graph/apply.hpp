// What each operation does with numbers of any kind.
#pragma once

#include <cmath>
#include <stdexcept>

#include "hamel/graph/expr.hpp"
#include "hamel/graph/numeric.hpp"

namespace hamel {

inline double apply_function(Op op, double a, double b) {
  switch (op) {
#define FUNCTION(name, arity, value, ...) \
  case Op::name:                          \
    return value;
#include "hamel/graph/functions.def"
    default:
      throw std::logic_error("apply() takes operations: constants and variables have no arguments");
  }
}

// Of wider numbers, only as good as of double, unless their namespace has better ones.
template <class Scalar>
Scalar apply_function(Op op, const Scalar& a, const Scalar& b) {
  return apply_function(op, static_cast<double>(a), static_cast<double>(b));
}

template <class Scalar>
Scalar apply_operation(Op op, const Scalar& a, const Scalar& b, const Scalar& c) {
  using std::pow;  // of double; that of others is found by their namespace
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::negate:
      return -a;
    case Op::power:
    case Op::integer_power:
      return pow(a, b);
    case Op::less:
      return Scalar(a < b ? 1 : 0);
    case Op::less_equal:
      return Scalar(a <= b ? 1 : 0);
    case Op::select:
      return a != Scalar(0) ? b : c;
    case Op::multiply_add:
      return a * b + c;
    case Op::multiply_subtract:
      return a * b - c;
    case Op::subtract_multiply:
      return c - a * b;
    default:
      return apply_function(op, a, b);
  }
}

}  // namespace hamel
