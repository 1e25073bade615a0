#include <unordered_map>
#include <utility>
#include <vector>

#include "hamel/model/formula.hpp"

namespace hamel {

namespace {

using Node = Formula::Node;

bool is_constant_factor(const Formula& a) {
  return a.is_scalar() && !a.has_rates() && !a.depends_on(Role::coordinate) && !a.depends_on(Role::momentum) &&
         !a.depends_on(Role::input) && !a.depends_on(Role::time);
}

// Which arguments of a node are sums of their own.
std::vector<std::size_t> parts(const Node& node) {
  switch (node.kind) {
    case Kind::add:
    case Kind::subtract:
      return {0, 1};
    case Kind::negate:
      return {0};
    case Kind::multiply:
      if (is_constant_factor(node.args[0])) return {1};
      if (is_constant_factor(node.args[1])) return {0};
      return {};
    case Kind::divide:
      if (is_constant_factor(node.args[1])) return {0};
      return {};
    default:
      return {};
  }
}

Formula factor_of(std::size_t part, const Node& node, const Formula& factor) {
  switch (node.kind) {
    case Kind::negate:
      return -factor;
    case Kind::subtract:
      return part == 0 ? factor : -factor;
    case Kind::multiply:
      return factor * node.args[1 - part];
    case Kind::divide:
      return factor / node.args[1];
    default:
      return factor;
  }
}

using Counts = std::unordered_map<const Node*, int>;

// How often each partial sum is used.
Counts count_uses(const std::vector<Formula>& sums) {
  Counts uses;
  std::vector<const Node*> pending;
  for (const Formula& sum : sums) pending.push_back(&sum.node());
  while (!pending.empty()) {
    const Node* node = pending.back();
    pending.pop_back();
    if (++uses[node] > 1) continue;
    for (const std::size_t k : parts(*node)) pending.push_back(&node->args[k].node());
  }
  return uses;
}

std::vector<Formula> split(const Formula& sum, const Counts& uses) {
  struct Scaled {
    Formula factor, formula;
  };
  std::vector<Formula> terms;
  std::vector<Scaled> pending{{1.0, sum}};  // the next one is at the back
  while (!pending.empty()) {
    const Scaled next = std::move(pending.back());
    pending.pop_back();
    const Node& node = next.formula.node();
    const std::vector<std::size_t> inner = uses.at(&node) > 1 ? std::vector<std::size_t>{} : parts(node);
    for (auto k = inner.rbegin(); k != inner.rend(); ++k)
      pending.push_back({factor_of(*k, node, next.factor), node.args[*k]});
    if (inner.empty() && !next.formula.is_zero()) terms.push_back(next.factor * next.formula);
  }
  return terms.size() == 1 ? std::vector<Formula>{sum} : terms;
}

}  // namespace

std::vector<Formula> summands(const std::vector<Formula>& sums) {
  const Counts uses = count_uses(sums);
  std::vector<Formula> terms;
  for (const Formula& sum : sums)
    for (Formula& term : split(sum, uses)) terms.push_back(std::move(term));
  return terms;
}

}  // namespace hamel
