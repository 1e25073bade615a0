// The values of expressions, in numbers of any kind.
#pragma once

#include <fmt/format.h>

#include <span>
#include <stdexcept>
#include <vector>

#include "graph/node_set.hpp"
#include "hamel/graph/apply.hpp"

namespace hamel {

template <class Scalar>
std::vector<Scalar> evaluate_as(std::span<const Expr> f, std::span<const Expr> x, std::span<const Scalar> values) {
  if (x.size() != values.size()) {
    throw std::invalid_argument(fmt::format("evaluate: {} variables but {} values", x.size(), values.size()));
  }
  const Graph& graph = Graph::current();
  NodeSet given(graph), reached(graph);
  for (std::size_t i = 0; i < x.size(); ++i) {
    graph.node(x[i]);
    if (!given.insert(x[i].id())) throw std::invalid_argument(fmt::format("evaluate: variable {} is given twice", i));
  }
  reached.insert_reachable(graph, f, [&](std::uint32_t id) { return given.contains(id); });
  reached.sort();
  std::vector<Scalar> value(reached.size());
  const auto value_of = [&](std::uint32_t id) { return value[reached.position(id)]; };
  const auto compute = [&](std::uint32_t id) {
    if (given.contains(id)) return values[given.position(id)];
    const Node& n = graph.node(id);
    const int count = arity(n.op);
    if (n.op == Op::constant) return Scalar(graph.constant_value(id));
    if (n.op == Op::variable) {
      throw std::invalid_argument(fmt::format("evaluate: the variable {} has no value", graph.variable_name(id)));
    }
    if (n.op == Op::integer_power)
      return apply_operation(n.op, value_of(n.a), Scalar(static_cast<std::int32_t>(n.b)), Scalar(0));
    return apply_operation(n.op, value_of(n.a), count > 1 ? value_of(n.b) : Scalar(0),
                           count > 2 ? value_of(n.c) : Scalar(0));
  };
  for (std::size_t i = 0; i < reached.size(); ++i) value[i] = compute(reached.ids()[i]);
  std::vector<Scalar> result;
  for (const Expr e : f) result.push_back(value_of(e.id()));
  return result;
}

}  // namespace hamel
