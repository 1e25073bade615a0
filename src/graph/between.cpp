#include "graph/between.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace hamel {

namespace {

void insert_variables(const Graph& graph, std::span<const Expr> variables, NodeSet& set) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (graph.node(variables[i]).op == Op::constant) {
      throw std::invalid_argument(fmt::format("derivative with respect to the constant {} (variable number {})",
                                              graph.constant_value(variables[i].id()), i));
    }
    if (!set.insert(variables[i].id())) {
      throw std::invalid_argument(fmt::format("variable number {} of a derivative is listed twice", i));
    }
  }
}

}  // namespace

Between::Between(const Graph& graph, std::span<const Expr> outputs, std::span<const Expr> variables) {
  NodeSet independent(graph), reached(graph), active(graph);
  insert_variables(graph, variables, independent);
  reached.insert_reachable(graph, outputs, [&](std::uint32_t id) { return independent.contains(id); });
  reached.sort();

  for (const std::uint32_t id : reached.ids()) {
    const std::uint32_t column = independent.position(id);
    Arguments arguments{none, none, none};
    if (column == none) {
      const Node& n = graph.node(id);
      const int count = arity(n.op);
      if (count > 0) arguments[0] = active.position(n.a);
      if (count > 1) arguments[1] = active.position(n.b);
      if (count > 2) arguments[2] = active.position(n.c);
      if (arguments == Arguments{none, none, none}) continue;
    }
    active.insert(id);
    columns_.push_back(column);
    arguments_.push_back(arguments);
  }
  ids_ = active.ids();
  for (const Expr f : outputs) outputs_.push_back(active.position(f.id()));
  for (const Expr x : variables) variables_.push_back(active.position(x.id()));
}

}  // namespace hamel
