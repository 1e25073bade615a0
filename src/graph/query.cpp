// What an expression depends on, what it is with something else put in, and its value.
#include <fmt/format.h>

#include <stdexcept>

#include "graph/evaluate.hpp"
#include "graph/node_set.hpp"
#include "hamel/graph/differentiate.hpp"

namespace hamel {

std::vector<std::uint32_t> reachable(std::span<const Expr> roots) {
  const Graph& graph = Graph::current();
  NodeSet reached(graph);
  reached.insert_reachable(graph, roots);
  reached.sort();
  return reached.ids();
}

std::vector<Expr> dependencies(std::span<const Expr> roots) {
  const Graph& graph = Graph::current();
  std::vector<Expr> result;
  for (const std::uint32_t id : reachable(roots)) {
    if (graph.node(id).op == Op::variable) result.push_back(graph.expr(id));
  }
  return result;
}

namespace {

Expr remake(Graph& graph, const Node& node, Expr a, Expr b, Expr c) {
  if (node.op == Op::integer_power) return graph.integer_power(a, static_cast<std::int32_t>(node.b));
  return graph.make(node.op, a, b, c);
}

// Nodes whose arguments stay are kept as they are.
std::vector<Expr> rebuilt(std::span<const Expr> f, const NodeSet& replaced, std::span<const Expr> replacement) {
  Graph& graph = Graph::current();
  NodeSet reached(graph);
  reached.insert_reachable(graph, f, [&](std::uint32_t id) { return replaced.contains(id); });
  reached.sort();
  std::vector<Expr> image;
  image.reserve(reached.size());
  const auto image_of = [&](std::uint32_t id) { return image[reached.position(id)]; };
  for (const std::uint32_t id : reached.ids()) {
    if (replaced.contains(id)) {
      image.push_back(replacement[replaced.position(id)]);
      continue;
    }
    const Node n = graph.node(id);
    const int count = arity(n.op);
    const Expr a = count > 0 ? image_of(n.a) : Expr(), b = count > 1 ? image_of(n.b) : Expr(),
               c = count > 2 ? image_of(n.c) : Expr();
    const bool stays = (count < 1 || a.id() == n.a) && (count < 2 || b.id() == n.b) && (count < 3 || c.id() == n.c);
    image.push_back(stays ? graph.expr(id) : remake(graph, n, a, b, c));
  }
  std::vector<Expr> result;
  for (const Expr e : f) result.push_back(image_of(e.id()));
  return result;
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> f, const std::unordered_map<std::uint32_t, Expr>& replacement) {
  const Graph& graph = Graph::current();
  NodeSet replaced(graph);
  std::vector<Expr> by;
  for (const auto& [id, e] : replacement) {
    if (id >= graph.size()) throw std::invalid_argument(fmt::format("substitute: there is no node {}", id));
    replaced.insert(id);
    by.push_back(e);
  }
  return rebuilt(f, replaced, by);
}

namespace {

// By position in reached: whether the node depends on the constant variables only (or on nothing).
std::vector<bool> constant_during_run(const Graph& graph, const NodeSet& reached, const NodeSet& constant_variables) {
  std::vector<bool> is_constant(reached.size());
  const auto holds = [&](std::uint32_t id) { return is_constant[reached.position(id)]; };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t id = reached.ids()[i];
    const Node& n = graph.node(id);
    const int count = arity(n.op);
    is_constant[i] = n.op == Op::variable
                         ? constant_variables.contains(id)
                         : (count < 1 || holds(n.a)) && (count < 2 || holds(n.b)) && (count < 3 || holds(n.c));
  }
  return is_constant;
}

}  // namespace

Hoisted hoist(std::span<const Expr> outputs, std::span<const Expr> constant_variables) {
  Graph& graph = Graph::current();
  NodeSet fixed(graph), reached(graph), wanted(graph);
  for (const Expr v : constant_variables) {
    if (graph.node(v).op != Op::variable)
      throw std::invalid_argument("hoist: what is constant must be given as variables");
    fixed.insert(v.id());
  }
  reached.insert_reachable(graph, outputs);
  reached.sort();
  const std::vector<bool> is_constant = constant_during_run(graph, reached, fixed);
  const auto want = [&](std::uint32_t id) {
    if (is_constant[reached.position(id)] && arity(graph.node(id).op) > 0) wanted.insert(id);
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (is_constant[i]) continue;
    const Node& n = graph.node(reached.ids()[i]);
    const int count = arity(n.op);
    if (count > 0) want(n.a);
    if (count > 1) want(n.b);
    if (count > 2) want(n.c);
  }
  for (const Expr f : outputs) want(f.id());
  wanted.sort();

  Hoisted result;
  for (const std::uint32_t id : wanted.ids()) {
    result.values.push_back(graph.expr(id));
    result.variables.push_back(graph.variable(fmt::format("hoisted[{}]", result.variables.size())));
  }
  result.outputs = rebuilt(outputs, wanted, result.variables);
  return result;
}

std::vector<double> evaluate(std::span<const Expr> f, std::span<const Expr> x, std::span<const double> values) {
  return evaluate_as(f, x, values);
}

}  // namespace hamel
