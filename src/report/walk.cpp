#include "report/walk.hpp"

#include <set>

namespace hamel {

namespace {

using FormulaNode = Formula::Node;

bool is_position(const Formula& a) { return a.is_vector() && (a.rows() == 2 || a.rows() == 3) && !a.has_rates(); }

bool is_direction(const Formula& a) {
  const FormulaNode& node = a.node();
  return node.kind == Kind::symbol &&
         (node.symbol.turning() == Turning::plane || node.symbol.turning() == Turning::direction);
}

// Calls see(node) for every node, each once; it says whether to look inside.
template <class See>
void walk(const std::vector<Formula>& roots, const See& see) {
  std::set<const FormulaNode*> seen;
  std::vector<const FormulaNode*> pending;
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) pending.push_back(&root->node());
  while (!pending.empty()) {
    const FormulaNode* node = pending.back();
    pending.pop_back();
    if (!seen.insert(node).second || !see(*node)) continue;
    for (auto arg = node->args.rbegin(); arg != node->args.rend(); ++arg) pending.push_back(&arg->node());
  }
}

// Where a norm is no spring: denominators, negative powers, and functions that decay.
bool is_far_field(const FormulaNode& node) {
  if (node.kind == Kind::divide) return node.args[1].depends_on(Role::coordinate);
  if (node.kind == Kind::power) return !node.args[1].is_number() || node.args[1].node().value(0, 0) < 0;
  return node.kind == Kind::function && (node.function == "exp" || node.function == "log");
}

bool is_norm(const FormulaNode& node) {
  if (node.kind == Kind::dot) return &node.args[0].node() == &node.args[1].node();
  return node.kind == Kind::norm || node.kind == Kind::squared_norm;
}

bool is_square(const FormulaNode& node) {
  if (node.kind != Kind::power && node.kind != Kind::multiply) return false;
  const Formula &a = node.args[0], &b = node.args[1];
  if (!a.is_scalar() || !a.depends_on(Role::coordinate) || a.has_rates()) return false;
  return node.kind == Kind::multiply ? &a.node() == &b.node() : b.is_number() && b.node().value(0, 0) == 2;
}

std::pair<Formula, Formula> ends_of(const Formula& difference) {
  const FormulaNode& node = difference.node();
  if (node.kind == Kind::subtract) return {node.args[0], node.args[1]};
  return {difference, Formula(Eigen::MatrixXd::Zero(difference.rows(), 1).eval())};
}

}  // namespace

std::vector<Formula> moving_points(const Model& model) {
  std::vector<Formula> points;
  std::vector<Formula> energies = model.kinetic_terms();
  energies.insert(energies.end(), model.lagrangian_terms().begin(), model.lagrangian_terms().end());
  walk(energies, [&](const FormulaNode& node) {
    if (node.kind != Kind::rate) return true;
    const Formula& x = node.args[0];
    if (is_position(x) && !is_direction(x)) points.push_back(x);
    return false;
  });
  return points;
}

std::vector<Formula> potential_energies(const Model& model) {
  std::vector<Formula> terms = model.potential_terms();
  for (const Formula& term : model.lagrangian_terms()) terms.push_back(-term);
  terms.insert(terms.end(), model.hamiltonian_terms().begin(), model.hamiltonian_terms().end());
  return terms;
}

std::vector<DistanceEnergy> distance_energies(const Model& model) {
  std::vector<DistanceEnergy> found;
  for (const Formula& energy : summands(potential_energies(model)))
    walk({energy}, [&](const FormulaNode& node) {
      if (is_far_field(node)) return false;
      if (!is_norm(node) || !is_position(node.args[0])) return true;
      const auto [from, to] = ends_of(node.args[0]);
      found.push_back({energy, from, to});
      return false;
    });
  return found;
}

std::vector<SquareEnergy> square_energies(const Model& model) {
  std::vector<SquareEnergy> found;
  for (const Formula& energy : summands(potential_energies(model)))
    walk({energy}, [&](const FormulaNode& node) {
      if (is_far_field(node)) return false;
      if (is_square(node)) found.push_back({energy, node.args[0]});
      return true;
    });
  return found;
}

}  // namespace hamel
