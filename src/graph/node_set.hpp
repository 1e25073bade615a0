// A set of node ids, each with its position in the set. Making, filling and clearing one costs what it holds, not
// the size of the graph: the table behind it is lent by the thread and handed back clean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hamel/graph/expr.hpp"

namespace hamel {

class NodeSet {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  explicit NodeSet(const Graph& graph);
  ~NodeSet();
  NodeSet(const NodeSet&) = delete;
  NodeSet& operator=(const NodeSet&) = delete;

  bool contains(std::uint32_t id) const { return table_[id] != 0; }
  std::uint32_t position(std::uint32_t id) const { return table_[id] - 1; }  // none where absent
  bool insert(std::uint32_t id) {                                            // false where already present
    if (table_[id] != 0) return false;
    ids_.push_back(id);
    table_[id] = static_cast<std::uint32_t>(ids_.size());
    return true;
  }
  void sort();  // positions become the ascending order of ids

  // Adds the roots and all that they reach, not looking below the nodes where is_boundary(id).
  template <class IsBoundary>
  void insert_reachable(const Graph& graph, std::span<const Expr> roots, IsBoundary is_boundary);
  void insert_reachable(const Graph& graph, std::span<const Expr> roots);

  std::size_t size() const { return ids_.size(); }
  const std::vector<std::uint32_t>& ids() const { return ids_; }

 private:
  std::vector<std::uint32_t> table_;  // position + 1 by id; 0 where absent
  std::vector<std::uint32_t> ids_;
};

template <class IsBoundary>
void NodeSet::insert_reachable(const Graph& graph, std::span<const Expr> roots, IsBoundary is_boundary) {
  std::size_t next = ids_.size();
  for (const Expr root : roots) {
    graph.node(root);
    insert(root.id());
  }
  for (; next < ids_.size(); ++next) {
    const std::uint32_t id = ids_[next];
    if (is_boundary(id)) continue;
    const Node& n = graph.node(id);
    const int count = arity(n.op);
    if (count > 0) insert(n.a);
    if (count > 1) insert(n.b);
    if (count > 2) insert(n.c);
  }
}

}  // namespace hamel
