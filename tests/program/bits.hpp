// The bits that a program must give, one operation after the other.
#pragma once

#include <cmath>
#include <vector>

#include "hamel/program/code.hpp"

namespace hamel::test {

inline bool rounds_once() {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#elif defined __FP_FAST_FMA
  return true;
#else
  return false;
#endif
}

inline double value_of(Op op, double a, double b, double c) {
  if (!rounds_once()) return apply(op, a, b, c);
  switch (op) {
    case Op::multiply_add:
      return std::fma(a, b, c);
    case Op::multiply_subtract:
      return std::fma(a, b, -c);
    case Op::subtract_multiply:
      return std::fma(-a, b, c);
    default:
      return apply(op, a, b, c);
  }
}

// The groups of inputs one after the other.
inline std::vector<double> bits_of(const Program& program, const std::vector<double>& inputs) {
  const Code& code = program.code();
  std::vector<double> values = code.constants;
  values.insert(values.end(), inputs.begin(), inputs.end());
  for (const Operation& operation : code.operations) {
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < operation.arity; ++k) x[k] = values[operation.argument[k]];
    values.push_back(value_of(operation.op, x[0], x[1], x[2]));
  }
  std::vector<double> outputs;
  for (const std::uint32_t value : code.outputs) outputs.push_back(values[value]);
  return outputs;
}

}  // namespace hamel::test
