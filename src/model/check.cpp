// What only the whole model can tell.
#include <unordered_set>

#include "hamel/model/model.hpp"
#include "model/refuse.hpp"

namespace hamel {

namespace {

// Marks the coordinates that formulas contain, or whose rates they contain. Every node is visited once.
class CoordinateSearch {
 public:
  CoordinateSearch(Role role, std::size_t coordinates) : role_(role), found_(coordinates, false) {}

  void visit(const std::vector<Formula>& formulas) {
    for (const Formula& formula : formulas) visit(formula);
  }

  void visit(const Formula& formula) {
    std::vector<const Formula::Node*> pending{&formula.node()};
    while (!pending.empty()) {
      const Formula::Node* node = pending.back();
      pending.pop_back();
      if (!seen_.insert(node).second) continue;
      const auto slot = static_cast<std::size_t>(node->symbol.slot);
      if (node->kind == Kind::symbol && node->symbol.role == role_ && slot < found_.size()) found_[slot] = true;
      for (const Formula& arg : node->args) pending.push_back(&arg.node());
    }
  }

  bool found(std::size_t coordinate) const { return found_[coordinate]; }

 private:
  Role role_;
  std::vector<bool> found_;
  std::unordered_set<const Formula::Node*> seen_;
};

// The arguments of all rates and angular velocities in these formulas.
std::vector<Formula> moving_parts(const std::vector<Formula>& formulas) {
  std::vector<Formula> parts, pending = formulas;
  std::unordered_set<const Formula::Node*> seen;
  while (!pending.empty()) {
    const Formula formula = std::move(pending.back());
    pending.pop_back();
    if (!formula.has_rates() || !seen.insert(&formula.node()).second) continue;
    const Kind kind = formula.node().kind;
    auto& next = kind == Kind::rate || kind == Kind::angular_velocity ? parts : pending;
    next.insert(next.end(), formula.node().args.begin(), formula.node().args.end());
  }
  return parts;
}

void check_inertia(const Model& model) {
  const std::size_t count = model.coordinates().size();
  CoordinateSearch rates(Role::coordinate, count), constrained(Role::coordinate, count);
  rates.visit(moving_parts(model.kinetic_terms()));
  rates.visit(moving_parts(model.lagrangian_terms()));
  for (const Model::Named& constraint : model.constraints()) constrained.visit(constraint.formula);
  for (std::size_t k = 0; k < count; ++k)
    if (!rates.found(k) && !constrained.found(k)) {
      const std::string& name = model.coordinates()[k].name;
      const Formula q = Formula::symbol({Role::coordinate, name, static_cast<int>(k)}, 1, 1);
      refuse(
          "coordinate {} has no inertia: its rate {} appears in no kinetic energy or Lagrangian; add a kinetic term or "
          "constrain it away",
          name, rate(q).to_string());
    }
}

void check_no_momenta(const Model& model) {
  for (std::size_t k = 0; k < model.coordinates().size(); ++k)
    if (model.uses_momentum(static_cast<int>(k)))
      refuse("the momentum of {} is used, but model \"{}\" has no Hamiltonian", model.coordinates()[k].name,
             model.name());
}

void check_momenta(const Model& model) {
  CoordinateSearch momenta(Role::momentum, model.coordinates().size());
  momenta.visit(model.hamiltonian_terms());
  for (std::size_t k = 0; k < model.coordinates().size(); ++k)
    if (!momenta.found(k))
      refuse("coordinate {0} cannot move: its momentum appears in no term of the Hamiltonian; use momentum({0})",
             model.coordinates()[k].name);
}

void check_field(const Model& model) {
  const auto refuse_beside = [&](const char* what) {
    refuse("model \"{}\" has a field, which says how everything moves, and {}: a model has one or the other",
           model.name(), what);
  };
  for (const auto* energies :
       {&model.kinetic_terms(), &model.potential_terms(), &model.lagrangian_terms(), &model.hamiltonian_terms()})
    if (!energies->empty()) refuse_beside("energies");
  if (!model.forces().empty()) refuse_beside("forces");
  if (!model.dissipation_terms().empty()) refuse_beside("dissipation");
  for (std::size_t k = 0; k < model.coordinates().size(); ++k) {
    const bool said =
        k < model.field().size() && (model.field()[k].rate || model.field()[k].omega || model.field()[k].velocity);
    if (!said) refuse("the field does not say how {0} moves: give its rate {0}'", model.coordinates()[k].name);
  }
}

}  // namespace

void check_complete(const Model& model) {
  if (model.coordinates().empty()) refuse("model \"{}\" has no coordinates", model.name());
  if (!model.has_field() && !model.hamiltonian_terms().empty()) return check_momenta(model);
  check_no_momenta(model);
  if (model.has_field()) return check_field(model);
  check_inertia(model);
}

}  // namespace hamel
