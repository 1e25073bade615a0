// The folding rules of Graph::make. They keep one form of each expression:
//   signs move outwards through products, quotients and odd functions, and are absorbed by sums and differences;
//   a constant is the first factor of a product and the last term of a sum; other operands are ordered by id.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "hamel/graph/functions.hpp"

namespace hamel {

namespace {

[[noreturn]] void refuse_value(Op op, double a, double b) {
  const std::string arguments =
      arity(op) == 2 || op == Op::integer_power ? fmt::format("{}, {}", a, b) : fmt::format("{}", a);
  throw std::domain_error(fmt::format("{}({}) of constants has no finite value", name(op), arguments));
}

double finite_value(Op op, double a, double b = 0, double c = 0) {
  const double result = apply(op, a, b, c);
  if (!std::isfinite(result)) refuse_value(op, a, b);
  return result;
}

bool has_exact_reciprocal(double x) {
  int exponent = 0;
  return std::abs(std::frexp(x, &exponent)) == 0.5 && std::isnormal(x) && std::isnormal(1 / x);
}

bool has_symmetry(Op op, FunctionRow::Symmetry symmetry) {
  const FunctionRow* row = find_function(op);
  return row != nullptr && row->symmetry == symmetry;
}

}  // namespace

Expr Graph::make(Op op, Expr a, Expr b, Expr c) {
  require_own(a);
  require_own(b);
  require_own(c);
  return folded(op, a, b, c);
}

Expr Graph::folded(Op op, Expr a, Expr b, Expr c) {
  switch (op) {
    case Op::constant:
    case Op::variable:
      throw std::logic_error("constants and variables are made by constant() and variable()");
    case Op::add:
      return add(a, b);
    case Op::subtract:
      return subtract(a, b);
    case Op::multiply:
      return multiply(a, b);
    case Op::divide:
      return divide(a, b);
    case Op::negate:
      return negate(a);
    case Op::integer_power:
      if (!is_constant(b)) throw std::logic_error("the exponent of an integer power must be a constant");
      [[fallthrough]];
    case Op::power:
      return power(a, b);
    case Op::less:
    case Op::less_equal:
      return compare(op, a, b);
    case Op::select:
      return choose(a, b, c);
    default:
      return arity(op) == 1 ? function(op, a) : function(op, a, b);
  }
}

bool Graph::is_negative(Expr e) const { return nodes_[e.id_].op == Op::negate || (is_constant(e) && value(e) < 0); }

bool Graph::is_product_with_constant(Expr e) const {
  const Node& n = nodes_[e.id_];
  return n.op == Op::multiply && nodes_[n.a].op == Op::constant;
}

Expr Graph::add(Expr a, Expr b) {
  if (is_constant(a)) std::swap(a, b);
  if (b == Expr()) return a;
  if (is_constant(a)) return constant(finite_value(Op::add, value(a), value(b)));
  if (is_negative(b)) return subtract(a, negate(b));
  if (is_negative(a)) return subtract(b, negate(a));
  if (a == b) return multiply(constant(2), a);
  if (a.id_ > b.id_ && !is_constant(b)) std::swap(a, b);
  return intern(Op::add, a, b);
}

Expr Graph::subtract(Expr a, Expr b) {
  if (a == b) return {};
  if (b == Expr()) return a;
  if (a == Expr()) return negate(b);
  if (is_constant(a) && is_constant(b)) return constant(finite_value(Op::subtract, value(a), value(b)));
  if (is_negative(b)) return add(a, negate(b));
  if (is_negative(a)) return negate(add(negate(a), b));
  return intern(Op::subtract, a, b);
}

Expr Graph::negate(Expr a) {
  if (is_constant(a)) return constant(-value(a));
  const Node n = nodes_[a.id_];
  if (n.op == Op::negate) return expr(n.a);
  if (n.op == Op::subtract) return subtract(expr(n.b), expr(n.a));
  return intern(Op::negate, a);
}

Expr Graph::multiply(Expr a, Expr b) {
  if (is_constant(b)) std::swap(a, b);
  if (a == Expr() || b == Expr()) return {};
  if (is_negative(a) && is_negative(b)) return multiply(negate(a), negate(b));
  if (is_negative(a)) return negate(multiply(negate(a), b));
  if (is_negative(b)) return negate(multiply(a, negate(b)));
  if (is_constant(a)) return scale(a, b);
  if (a.id_ > b.id_) std::swap(a, b);
  return intern(Op::multiply, a, b);
}

// A positive number times a: numbers inside a product of a are merged with it.
Expr Graph::scale(Expr number, Expr a) {
  if (number.id_ == 1) return a;
  if (is_constant(a)) return constant(finite_value(Op::multiply, value(number), value(a)));
  const Node n = nodes_[a.id_];
  if (n.op == Op::multiply) {
    const Expr first = expr(n.a), second = expr(n.b);
    if (is_constant(first)) {
      const double merged = value(number) * value(first);
      if (std::isnormal(merged)) return scale(constant(merged), second);
    } else if (is_product_with_constant(first)) {
      return multiply(scale(number, first), second);
    } else if (is_product_with_constant(second)) {
      return multiply(first, scale(number, second));
    }
  }
  return intern(Op::multiply, number, a);
}

Expr Graph::divide(Expr a, Expr b) {
  if (b == Expr()) throw std::domain_error("division by the constant 0");
  if (a == Expr()) return {};
  if (is_constant(a) && is_constant(b)) return constant(finite_value(Op::divide, value(a), value(b)));
  if (is_negative(a) && is_negative(b)) return divide(negate(a), negate(b));
  if (is_negative(a)) return negate(divide(negate(a), b));
  if (is_negative(b)) return negate(divide(a, negate(b)));
  if (is_constant(b) && has_exact_reciprocal(value(b))) return multiply(constant(1 / value(b)), a);
  return intern(Op::divide, a, b);
}

Expr Graph::power(Expr base, Expr exponent) {
  if (!is_constant(exponent)) {
    return base.id_ == 1 ? base : intern(Op::power, base, exponent);
  }
  const double k = value(exponent);
  if (k == std::nearbyint(k) && std::abs(k) <= 1e9) return integer_power(base, static_cast<int>(k));
  if (is_constant(base)) return constant(finite_value(Op::power, value(base), k));
  if (k == 0.5) return function(Op::sqrt, base);
  if (k == -0.5) return divide(expr(1), function(Op::sqrt, base));
  return intern(Op::power, base, exponent);
}

Expr Graph::integer_power(Expr base, int exponent) {
  require_own(base);
  if (exponent == 0) return expr(1);
  if (is_constant(base)) return constant(finite_value(Op::integer_power, value(base), exponent));
  if (is_negative(base)) {
    const Expr positive = integer_power(negate(base), exponent);
    return exponent % 2 == 0 ? positive : negate(positive);
  }
  if (exponent == 1) return base;
  if (exponent == 2) return multiply(base, base);
  if (exponent == -1) return divide(expr(1), base);
  return intern({Op::integer_power, base.id_, static_cast<std::uint32_t>(exponent), 0});
}

Expr Graph::function(Op op, Expr a) {
  if (is_constant(a)) return constant(finite_value(op, value(a)));
  if (is_negative(a)) {
    if (has_symmetry(op, FunctionRow::Symmetry::odd)) return negate(function(op, negate(a)));
    if (has_symmetry(op, FunctionRow::Symmetry::even)) return function(op, negate(a));
  }
  return intern(op, a);
}

Expr Graph::function(Op op, Expr a, Expr b) {
  if (a == b && (op == Op::min || op == Op::max)) return a;
  if (is_constant(a) && is_constant(b)) return constant(finite_value(op, value(a), value(b)));
  if (a.id_ > b.id_ && has_symmetry(op, FunctionRow::Symmetry::commutes)) std::swap(a, b);
  return intern(op, a, b);
}

Expr Graph::compare(Op op, Expr a, Expr b) {
  if (a == b) return op == Op::less ? Expr() : expr(1);
  if (is_constant(a) && is_constant(b)) return constant(apply(op, value(a), value(b)));
  return intern(op, a, b);
}

Expr Graph::choose(Expr condition, Expr if_true, Expr if_false) {
  if (is_constant(condition)) return condition == Expr() ? if_false : if_true;
  if (if_true == if_false) return if_true;
  return intern(Op::select, condition, if_true, if_false);
}

}  // namespace hamel
