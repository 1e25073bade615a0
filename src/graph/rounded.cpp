#include "hamel/graph/rounded.hpp"

#include <limits>

#include "graph/evaluate.hpp"

namespace hamel {
namespace {

// The result of an operation has its own rounding, and the errors of its arguments times its slopes.
Rounded result(double value, double carried) { return {value, std::abs(value) + carried}; }

}  // namespace

Rounded operator+(const Rounded& a, const Rounded& b) { return result(a.value + b.value, a.error + b.error); }
Rounded operator-(const Rounded& a, const Rounded& b) { return result(a.value - b.value, a.error + b.error); }
Rounded operator-(const Rounded& a) { return {-a.value, a.error}; }
Rounded operator*(const Rounded& a, const Rounded& b) {
  return result(a.value * b.value, std::abs(a.value) * b.error + std::abs(b.value) * a.error);
}
Rounded operator/(const Rounded& a, const Rounded& b) {
  const double ratio = a.value / b.value;
  return result(ratio, (a.error + std::abs(ratio) * b.error) / std::abs(b.value));
}
bool operator<(const Rounded& a, const Rounded& b) { return a.value < b.value; }
bool operator<=(const Rounded& a, const Rounded& b) { return a.value <= b.value; }
bool operator!=(const Rounded& a, const Rounded& b) { return a.value != b.value; }

Rounded pow(const Rounded& a, const Rounded& b) {
  const double value = std::pow(a.value, b.value), slope = b.value * std::pow(a.value, b.value - 1);
  const bool is_integer = b.value == std::nearbyint(b.value);
  const double of_exponent = is_integer ? 0 : std::abs(value * std::log(a.value)) * b.error;
  return result(value, std::abs(slope) * a.error + of_exponent);
}
namespace numeric {
namespace {

struct Slopes {
  double a, b;
};

Slopes slopes(Op op, double a, double b, double y) {
  constexpr double d = 1;
  switch (op) {
#define FUNCTION(name, arity, value, da, db, ...) \
  case Op::name:                                  \
    return {da, db};
#include "hamel/graph/functions.def"
    default:
      return {};
  }
}

}  // namespace
}  // namespace numeric

Rounded apply_function(Op op, const Rounded& a, const Rounded& b) {
  const double value = apply(op, a.value, b.value);
  const auto [by_a, by_b] = numeric::slopes(op, a.value, b.value, value);
  const double of_b = arity(op) > 1 ? std::abs(by_b) * b.error : 0;
  return result(value, std::abs(by_a) * a.error + of_b);
}

bool agree(const Rounded& a, const Rounded& b) {
  constexpr double few = 64;
  const double error = few * std::numeric_limits<double>::epsilon() * std::max(a.error, b.error);
  return std::isfinite(error) && std::abs(a.value - b.value) <= error;
}

std::vector<Rounded> evaluate(std::span<const Expr> f, std::span<const Expr> x, std::span<const Rounded> values) {
  return evaluate_as(f, x, values);
}

}  // namespace hamel
