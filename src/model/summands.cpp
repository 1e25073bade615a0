#include <utility>
#include <vector>

#include "hamel/model/formula.hpp"

namespace hamel {

namespace {

struct Scaled {
  Formula factor, formula;
};

bool is_constant_factor(const Formula& a) {
  return a.is_scalar() && !a.has_rates() && !a.depends_on(Role::coordinate) && !a.depends_on(Role::momentum) &&
         !a.depends_on(Role::input) && !a.depends_on(Role::time);
}

}  // namespace

std::vector<Formula> summands(const Formula& sum) {
  std::vector<Formula> terms;
  std::vector<Scaled> pending{{1.0, sum}};  // the next term is at the back
  while (!pending.empty()) {
    const Scaled next = std::move(pending.back());
    pending.pop_back();
    const Formula::Node& node = next.formula.node();
    const auto visit = [&](const Formula& factor, const Formula& part) { pending.push_back({factor, part}); };
    if (node.kind == Kind::add) {
      visit(next.factor, node.args[1]);
      visit(next.factor, node.args[0]);
    } else if (node.kind == Kind::subtract) {
      visit(-next.factor, node.args[1]);
      visit(next.factor, node.args[0]);
    } else if (node.kind == Kind::negate) {
      visit(-next.factor, node.args[0]);
    } else if (node.kind == Kind::multiply && is_constant_factor(node.args[0])) {
      visit(next.factor * node.args[0], node.args[1]);
    } else if (node.kind == Kind::multiply && is_constant_factor(node.args[1])) {
      visit(next.factor * node.args[1], node.args[0]);
    } else if (node.kind == Kind::divide && is_constant_factor(node.args[1])) {
      visit(next.factor / node.args[1], node.args[0]);
    } else if (!next.formula.is_zero()) {
      terms.push_back(next.factor * next.formula);
    }
  }
  return terms.size() == 1 ? std::vector<Formula>{sum} : terms;
}

}  // namespace hamel
