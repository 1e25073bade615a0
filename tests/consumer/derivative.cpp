// A user's first program: a formula, its exact derivative, and a number.
#include <array>
#include <cmath>
#include <cstdlib>
#include <hamel/graph/differentiate.hpp>
#include <hamel/graph/expr.hpp>
#include <hamel/graph/print.hpp>
#include <iostream>

int main() {
  hamel::Graph graph;
  const hamel::Graph::Scope scope(graph);
  const std::array x{graph.variable("x")};
  const hamel::Expr f = x[0] * sin(x[0]);

  const std::vector<hamel::Expr> derivative = hamel::gradient(f, x);
  const double value = hamel::evaluate(derivative, x, std::array{2.0})[0];
  std::cout << "d/dx " << print(f) << " = " << print(derivative[0]) << ", " << value << " at x = 2\n";

  const double expected = std::sin(2.0) + 2.0 * std::cos(2.0);
  return std::abs(value - expected) < 1e-15 ? EXIT_SUCCESS : EXIT_FAILURE;
}
