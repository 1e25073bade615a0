#include "hamel/graph/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <stdexcept>

#include "graph/node_set.hpp"
#include "graph/notation.hpp"
#include "graph/writer.hpp"

namespace hamel {

namespace {

constexpr double largest_formula = 1e7;  // parts, after writing out what is shared
constexpr double longest_on_a_stream = 1e4;
constexpr int deepest_formula = 100;  // nodes below each other, before print_shared gives a name

// How many parts the formula has when all that is shared is written out.
double written_size(const Graph& graph, const NodeSet& reached, Notation notation) {
  std::vector<double> size(reached.size(), 1.0);
  for (std::size_t i = 0; i < size.size(); ++i) {
    for_each_written(graph.node(reached.ids()[i]), notation,
                     [&](std::uint32_t argument, int times) { size[i] += times * size[reached.position(argument)]; });
  }
  return size.back();
}

// Named: what is written more than once and is more than a signed number or variable, and what is very deep.
void choose_named(const Graph& graph, std::span<const Expr> f, Notation notation, const NodeSet& reached,
                  NodeSet& named) {
  std::vector<int> uses(reached.size()), depth(reached.size());
  for (const Expr e : f) ++uses[reached.position(e.id())];
  for (const std::uint32_t id : reached.ids()) {
    for_each_written(graph.node(id), notation,
                     [&](std::uint32_t argument, int times) { uses[reached.position(argument)] += times; });
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Node& n = graph.node(reached.ids()[i]);
    if (arity(n.op) == 0 || (n.op == Op::negate && arity(graph.node(n.a).op) == 0)) continue;
    for_each_written(n, notation, [&](std::uint32_t argument, int) {
      depth[i] = std::max(depth[i], 1 + depth[reached.position(argument)]);
    });
    if (uses[i] > 1 || depth[i] > deepest_formula) {
      named.insert(reached.ids()[i]);
      depth[i] = 0;
    }
  }
}

// The prefix, longer where a variable has such a name already.
std::string free_prefix(const Graph& graph, const NodeSet& reached, std::string prefix) {
  const auto is_taken = [&](std::uint32_t id) {
    if (graph.node(id).op != Op::variable) return false;
    const std::string& variable = graph.variable_name(id);
    return variable.size() > prefix.size() && variable.starts_with(prefix) &&
           std::all_of(variable.begin() + static_cast<std::ptrdiff_t>(prefix.size()), variable.end(),
                       [](unsigned char c) { return std::isdigit(c); });
  };
  while (std::any_of(reached.ids().begin(), reached.ids().end(), is_taken)) prefix += prefix;
  return prefix;
}

}  // namespace

std::string print(Expr f, Notation notation) {
  const Graph& graph = Graph::current();
  const ReadingOrder order(graph, {&f, 1});
  const double size = written_size(graph, order.reached(), notation);
  if (size > largest_formula) {
    throw std::length_error(fmt::format(
        "the formula has {:.3g} parts when written out: use print_shared, which names what is shared", size));
  }
  const NodeSet nothing(graph);
  return written(graph, notation, order, {nothing, {}}, f.id(), Root::formula);
}

std::ostream& operator<<(std::ostream& out, Expr e) {
  const Graph& graph = Graph::current();
  NodeSet reached(graph);
  reached.insert_reachable(graph, {&e, 1});
  reached.sort();
  if (written_size(graph, reached, Notation::text) > longest_on_a_stream) return out << "node " << e.id();
  return out << print(e);
}

Listing print_shared(std::span<const Expr> f, Notation notation, const std::string& prefix) {
  const Graph& graph = Graph::current();
  const ReadingOrder order(graph, f);
  NodeSet named(graph);
  choose_named(graph, f, notation, order.reached(), named);

  Names names{named, {}};
  const std::string stem = free_prefix(graph, order.reached(), prefix);
  for (std::size_t i = 0; i < named.size(); ++i) {
    names.names.push_back(printed_name(fmt::format("{}{}", stem, i + 1), notation));
  }
  Listing listing;
  for (std::size_t i = 0; i < named.size(); ++i) {
    listing.shared.emplace_back(names.names[i], written(graph, notation, order, names, named.ids()[i], Root::formula));
  }
  for (const Expr e : f) listing.formulas.push_back(written(graph, notation, order, names, e.id(), Root::by_name));
  return listing;
}

}  // namespace hamel
