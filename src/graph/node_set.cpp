#include "graph/node_set.hpp"

#include <algorithm>
#include <utility>

namespace hamel {

namespace {

// Tables not in use; every entry of each is zero.
thread_local std::vector<std::vector<std::uint32_t>> idle_tables;

}  // namespace

NodeSet::NodeSet(const Graph& graph) {
  if (!idle_tables.empty()) {
    table_ = std::move(idle_tables.back());
    idle_tables.pop_back();
  }
  if (table_.size() < graph.size()) table_.resize(std::max(graph.size(), 2 * table_.size()));
}

NodeSet::~NodeSet() {
  for (const std::uint32_t id : ids_) table_[id] = 0;
  idle_tables.push_back(std::move(table_));
}

void NodeSet::sort() {
  if (ids_.empty()) return;
  const auto [low, high] = std::minmax_element(ids_.begin(), ids_.end());
  const std::uint32_t first = *low, last = *high;
  if (last - first < 16 * ids_.size()) {
    ids_.clear();
    for (std::uint32_t id = first; id <= last; ++id) {
      if (table_[id] != 0) ids_.push_back(id);
    }
  } else {
    std::sort(ids_.begin(), ids_.end());
  }
  for (std::size_t i = 0; i < ids_.size(); ++i) table_[ids_[i]] = static_cast<std::uint32_t>(i + 1);
}

void NodeSet::insert_reachable(const Graph& graph, std::span<const Expr> roots) {
  insert_reachable(graph, roots, [](std::uint32_t) { return false; });
}

}  // namespace hamel
