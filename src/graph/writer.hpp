// Writes one formula, in any notation, with as few parentheses as the grammar allows and without recursion.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "graph/node_set.hpp"
#include "hamel/graph/print.hpp"

namespace hamel {

// The order in which people expect operands: that of the first variable in each. (The ids of nodes depend on the
// order in which a compiler evaluates arguments.)
class ReadingOrder {
 public:
  ReadingOrder(const Graph& graph, std::span<const Expr> roots);

  const NodeSet& reached() const { return reached_; }
  std::uint32_t first_variable(std::uint32_t id) const { return first_variable_[reached_.position(id)]; }

 private:
  NodeSet reached_;
  std::vector<std::uint32_t> first_variable_;  // by position in reached; none where there is no variable
};

struct Names {
  const NodeSet& nodes;
  std::vector<std::string> names;  // by position in nodes
};

// The formula of a node in terms of what is named; or, by name, the name of the node itself where it has one.
enum class Root { formula, by_name };
std::string written(const Graph& graph, Notation notation, const ReadingOrder& order, const Names& names,
                    std::uint32_t node, Root root);

constexpr int longest_product = 16;  // an integer power up to this is a product in C

inline bool is_product_in_c(const Node& n) {
  return n.op == Op::integer_power && std::abs(static_cast<std::int32_t>(n.b)) <= longest_product;
}

inline bool is_square(const Node& n) { return n.op == Op::multiply && n.a == n.b; }

// Calls visit(argument, how often the formula of the node writes it).
template <class Visit>
void for_each_written(const Node& n, Notation notation, Visit visit) {
  const int count = arity(n.op);
  if (n.op == Op::integer_power && notation == Notation::c && is_product_in_c(n)) {
    return visit(n.a, std::abs(static_cast<std::int32_t>(n.b)));
  }
  if (is_square(n) && notation != Notation::c) return visit(n.a, 1);
  if (count > 0) visit(n.a, 1);
  if (count > 1) visit(n.b, 1);
  if (count > 2) visit(n.c, 1);
}

}  // namespace hamel
