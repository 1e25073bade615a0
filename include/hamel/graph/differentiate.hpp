// Exact derivatives by rules on the graph, and the questions one asks of a graph: what does it depend on,
// what is it with something else put in, what is its value.
//
// All of these visit only the nodes that the given expressions reach, each once, in order of ids.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

struct Entry {
  int row, col;
  Expr value;
};
using SparseEntries = std::vector<Entry>;  // sorted by row, then column; no structural zeros

// df/dx_i, by one reverse sweep.
std::vector<Expr> gradient(Expr f, std::span<const Expr> x);

// The structurally non-zero df_i/dx_j. Cost: the sum over i of what f_i reaches.
SparseEntries jacobian(std::span<const Expr> f, std::span<const Expr> x);

// The structurally non-zero d2f/dx_i dx_j (both triangles).
SparseEntries hessian(Expr f, std::span<const Expr> x);

// sum_j df_i/dx_j v_j, by one forward sweep over all f at once.
std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> v);

// Total time derivatives along the motion: each variable has a known rate (time itself has rate 1). Rates are
// remembered: asking for x and later for something built from x gives nodes that share the rate of x.
class TimeDerivative {
 public:
  void set_rate(Expr variable, Expr rate);
  Expr operator()(Expr f);  // variables without a rate are constant in time
  // The rate of an intermediate node, where one was computed; null otherwise.
  const Expr* find(Expr f) const;

 private:
  std::unordered_map<std::uint32_t, Expr> rates_;
};

// Ids of all nodes that the roots reach, ascending: a topological order.
std::vector<std::uint32_t> reachable(std::span<const Expr> roots);

// The variables among them.
std::vector<Expr> dependencies(std::span<const Expr> roots);

// The same expressions with nodes (not only variables) replaced.
std::vector<Expr> substitute(std::span<const Expr> f, const std::unordered_map<std::uint32_t, Expr>& replacement);

// Splits off what is constant during a run: every maximal subexpression of the outputs that depends on the
// given variables only, and is more than a number or one of those variables, becomes a new variable.
struct Hoisted {
  std::vector<Expr> outputs;    // in terms of the new variables (and the given ones)
  std::vector<Expr> variables;  // the new variables
  std::vector<Expr> values;     // what each stands for
};
Hoisted hoist(std::span<const Expr> outputs, std::span<const Expr> constant_variables);

// Numerical values, node by node; for tests and for one-off questions. Programs are for work.
std::vector<double> evaluate(std::span<const Expr> f, std::span<const Expr> x, std::span<const double> values);

}  // namespace hamel
