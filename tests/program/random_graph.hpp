// Random expressions over all operations but integer powers, kept within the domains of the functions.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel::test {

inline const std::vector<Op> exact_operations = {Op::add,    Op::subtract, Op::multiply,   Op::divide,
                                                 Op::negate, Op::sqrt,     Op::abs,        Op::min,
                                                 Op::max,    Op::less,     Op::less_equal, Op::select};
inline const std::vector<Op> library_operations = {Op::power, Op::exp,  Op::log,   Op::sin,  Op::cos,  Op::tan,
                                                   Op::asin,  Op::acos, Op::atan2, Op::sinh, Op::cosh, Op::tanh};

// One more expression from three given ones; the arguments are first brought into the domain of the operation.
inline Expr grow(Op op, Expr a, Expr b, Expr c) {
  const Expr positive = abs(a) + 0.5, bounded = a / (abs(a) + 1);
  switch (op) {
    case Op::divide:
      return a / (abs(b) + 1);
    case Op::sqrt:
      return sqrt(positive);
    case Op::log:
      return log(positive);
    case Op::power:
      return pow(positive, b / (abs(b) + 1));
    case Op::exp:
      return exp(bounded);
    case Op::asin:
      return asin(bounded);
    case Op::acos:
      return acos(bounded);
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
      return Graph::current().make(op, bounded);
    case Op::multiply:
      return bounded * b;
    default:
      return Graph::current().make(op, a, b, c);
  }
}

inline std::vector<Expr> random_expressions(const std::vector<Expr>& variables, const std::vector<Op>& operations,
                                            int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t size) { return std::uniform_int_distribution<std::size_t>(0, size - 1)(random); };
  std::vector<Expr> pool = variables;
  pool.insert(pool.end(), {Expr(0.75), Expr(-3), Expr(1e-3)});
  for (int i = 0; i < count; ++i) {
    const auto any = [&] {
      return pool[pick(2) == 0 ? pick(pool.size()) : pool.size() - 1 - pick(std::min<std::size_t>(pool.size(), 8))];
    };
    pool.push_back(grow(operations[pick(operations.size())], any(), any(), any()));
  }
  return pool;
}

inline std::vector<double> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-2, 2);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = uniform(random);
  return numbers;
}

}  // namespace hamel::test
