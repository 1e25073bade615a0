#include "hamel/symmetry/overlooked.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "hamel/graph/functions.hpp"
#include "hamel/mechanics/dynamics.hpp"

namespace hamel {
namespace {

bool moves(const Formula& formula) {
  return formula.depends_on(Role::coordinate) || formula.depends_on(Role::momentum) || formula.has_rates();
}

bool may_jump(const Formula& formula) {
  const Formula::Node& node = formula.node();
  if (node.kind == Kind::less || node.kind == Kind::less_equal || node.kind == Kind::select) return true;
  return node.kind == Kind::function && find_function(node.function)->shape == FunctionRow::Shape::jumps;
}

// The outermost ones: what a select chooses by is part of it.
void add_jumps(const Formula& formula, std::set<const Formula::Node*>& seen, std::vector<std::string>& jumps) {
  if (!moves(formula) || !seen.insert(&formula.node()).second) return;
  if (may_jump(formula)) {
    const std::string text = formula.brief();
    if (std::find(jumps.begin(), jumps.end(), text) == jumps.end()) jumps.push_back(text);
    return;
  }
  for (const Formula& argument : formula.node().args) add_jumps(argument, seen, jumps);
}

VectorXd turned(const VectorXd& x, int i, int j, double angle) {
  VectorXd result = x;
  result(i) = std::cos(angle) * x(i) - std::sin(angle) * x(j);
  result(j) = std::sin(angle) * x(i) + std::cos(angle) * x(j);
  return result;
}

bool keeps_energy(const System& system, Workspace& w, int i, int j) {
  constexpr int states = 8;
  constexpr double rounding = 1e-11;
  Random random(3);
  std::uniform_real_distribution<double> any_angle(0.3, 2.8);
  for (int k = 0; k < states; ++k) {
    const VectorXd q = system.space().random_point(random), v = system.space().random_tangent(q, random);
    const double angle = any_angle(random);
    const Energy before = system.energy(w, 0.3, q, v);
    const Energy after = system.energy(w, 0.3, turned(q, i, j, angle), turned(v, i, j, angle));
    const double size = std::abs(before.kinetic) + std::abs(before.potential) + std::abs(before.total);
    if (!(std::abs(after.total - before.total) <= rounding * size)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> possible_jumps(const Model& model) {
  std::set<const Formula::Node*> seen;
  std::vector<std::string> jumps;
  for (const auto* terms :
       {&model.kinetic_terms(), &model.potential_terms(), &model.lagrangian_terms(), &model.hamiltonian_terms()})
    for (const Formula& term : *terms) add_jumps(term, seen, jumps);
  return jumps;
}

std::vector<std::pair<std::string, std::string>> turned_pairs(const System& system) {
  constexpr std::size_t few = 12;
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto& coordinates = system.model().coordinates();
  if (!system.has_energies() || system.constraints() > 0 || coordinates.size() > few) return pairs;
  Workspace w(system);
  std::vector<std::pair<std::string, int>> scalars;
  int begin = 0;
  for (const auto& [name, space] : coordinates) {
    if (space.is_flat() && space.dimension() == 1) scalars.emplace_back(name, begin);
    begin += space.ambient();
  }
  for (std::size_t i = 0; i < scalars.size(); ++i)
    for (std::size_t j = i + 1; j < scalars.size(); ++j)
      if (keeps_energy(system, w, scalars[i].second, scalars[j].second))
        pairs.emplace_back(scalars[i].first, scalars[j].first);
  return pairs;
}

}  // namespace hamel
