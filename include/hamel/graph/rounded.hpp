// Numbers that know how far rounding may have moved them.
//
// The error of a sum is that of its terms, so it stays where the terms cancel: |value| <= n * epsilon * error says that
// nothing but rounding is left. To first order, and in units of epsilon: neither depends on the units of the model.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

struct Rounded {
  Rounded() = default;
  explicit Rounded(double x) : value(x), error(std::abs(x)) {}
  Rounded(double x, double uncertainty) : value(x), error(uncertainty) {}

  double value = 0, error = 0;
};

Rounded operator+(const Rounded& a, const Rounded& b);
Rounded operator-(const Rounded& a, const Rounded& b);
Rounded operator-(const Rounded& a);
Rounded operator*(const Rounded& a, const Rounded& b);
Rounded operator/(const Rounded& a, const Rounded& b);
bool operator<(const Rounded& a, const Rounded& b);
bool operator<=(const Rounded& a, const Rounded& b);
bool operator!=(const Rounded& a, const Rounded& b);
Rounded pow(const Rounded& a, const Rounded& b);
Rounded apply_function(Op op, const Rounded& a, const Rounded& b);  // of functions.def

// Is the difference of two numbers no more than what a few operations lose?
bool agree(const Rounded& a, const Rounded& b);

// As evaluate of numbers does, node by node.
std::vector<Rounded> evaluate(std::span<const Expr> f, std::span<const Expr> x, std::span<const Rounded> values);

}  // namespace hamel
