#include "graph/rounded.hpp"

#include <limits>

#include "graph/evaluate.hpp"

namespace hamel {
namespace {

// The result of an operation has its own rounding, and the errors of its arguments times its slopes.
Rounded result(double value, double carried) { return {value, std::abs(value) + carried}; }
Rounded result(double value, double slope, const Rounded& a) { return result(value, std::abs(slope) * a.error); }

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

Rounded fabs(const Rounded& a) { return {std::fabs(a.value), a.error}; }
Rounded pow(const Rounded& a, const Rounded& b) {
  const double value = std::pow(a.value, b.value), slope = b.value * std::pow(a.value, b.value - 1);
  const bool is_integer = b.value == std::nearbyint(b.value);
  const double of_exponent = is_integer ? 0 : std::abs(value * std::log(a.value)) * b.error;
  return result(value, std::abs(slope) * a.error + of_exponent);
}
Rounded atan2(const Rounded& y, const Rounded& x) {
  const double square = x.value * x.value + y.value * y.value;
  return result(std::atan2(y.value, x.value), (std::abs(x.value) * y.error + std::abs(y.value) * x.error) / square);
}
Rounded sqrt(const Rounded& a) {
  const double root = std::sqrt(a.value);
  return result(root, 0.5 / root, a);
}
Rounded exp(const Rounded& a) { return result(std::exp(a.value), std::exp(a.value), a); }
Rounded log(const Rounded& a) { return result(std::log(a.value), 1 / a.value, a); }
Rounded sin(const Rounded& a) { return result(std::sin(a.value), std::cos(a.value), a); }
Rounded cos(const Rounded& a) { return result(std::cos(a.value), std::sin(a.value), a); }
Rounded tan(const Rounded& a) {
  const double value = std::tan(a.value);
  return result(value, 1 + value * value, a);
}
Rounded asin(const Rounded& a) { return result(std::asin(a.value), 1 / std::sqrt(1 - a.value * a.value), a); }
Rounded acos(const Rounded& a) { return result(std::acos(a.value), 1 / std::sqrt(1 - a.value * a.value), a); }
Rounded sinh(const Rounded& a) { return result(std::sinh(a.value), std::cosh(a.value), a); }
Rounded cosh(const Rounded& a) { return result(std::cosh(a.value), std::sinh(a.value), a); }
Rounded tanh(const Rounded& a) {
  const double value = std::tanh(a.value);
  return result(value, 1 - value * value, a);
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
