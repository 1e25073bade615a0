// What each operation does with numbers of any kind.
#pragma once

#include <cmath>
#include <stdexcept>

#include "hamel/graph/expr.hpp"

namespace hamel {

template <class Scalar>
Scalar apply_operation(Op op, const Scalar& a, const Scalar& b, const Scalar& c) {
  // Functions of standard types; those of others are found by their namespace.
  using std::acos, std::asin, std::atan2, std::cos, std::cosh, std::exp, std::fabs, std::log, std::pow, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh;
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
    case Op::abs:
      return fabs(a);
    case Op::power:
    case Op::integer_power:
      return pow(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::min:  // as fmin: a number where one of the two is
      return b < a || a != a ? b : a;
    case Op::max:
      return a < b || a != a ? b : a;
    case Op::less:
      return Scalar(a < b ? 1 : 0);
    case Op::less_equal:
      return Scalar(a <= b ? 1 : 0);
    case Op::select:
      return a != Scalar(0) ? b : c;
    case Op::sqrt:
      return sqrt(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::constant:
    case Op::variable:
      break;
  }
  throw std::logic_error("apply() takes operations: constants and variables have no arguments");
}

}  // namespace hamel
