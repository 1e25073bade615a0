// A program in any arithmetic: a template on the scalar, for what doubles cannot see. Simple and slow.
#pragma once

#include <cmath>
#include <vector>

#include "program/tape.hpp"

namespace hamel {

template <class Scalar>
Scalar apply(Op op, const Scalar& a, const Scalar& b, const Scalar& c) {
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
      return pow(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::min:
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
    default:
      __builtin_unreachable();  // code has no other operations
  }
}

template <class Scalar>
void evaluate(const Program& program, const Scalar* const* in, Scalar* const* out) {
  const Code& code = program.tape().code;
  std::vector<Scalar> values(code.constants.begin(), code.constants.end());
  values.reserve(code.values());
  for (const std::uint32_t size : code.input_sizes) {
    values.insert(values.end(), *in, *in + size);
    ++in;
  }
  const auto argument = [&](const Operation& operation, std::size_t k) {
    return k < operation.arity ? values[operation.argument[k]] : Scalar(0);
  };
  for (const Operation& operation : code.operations)
    values.push_back(apply(operation.op, argument(operation, 0), argument(operation, 1), argument(operation, 2)));
  auto next = code.outputs.begin();
  for (const std::uint32_t size : code.output_sizes) {
    for (std::uint32_t i = 0; i < size; ++i) (*out)[i] = values[*next++];
    ++out;
  }
}

}  // namespace hamel
