#include "hamel/model/lower.hpp"

#include <fmt/format.h>

#include <atomic>

#include "model/lowering.hpp"

namespace hamel {

namespace {

// One variable per entry, with the name that the entry has in print: "m", "q[1].x", "R'[0,2]".
void add_variables(std::vector<Expr>& variables, const Formula& symbol) {
  for (int j = 0; j < symbol.cols(); ++j)
    for (int i = 0; i < symbol.rows(); ++i) variables.push_back(Graph::current().variable(symbol(i, j).to_string()));
}

void add_coordinates(const Model& model, LoweredModel& lowered) {
  for (std::size_t k = 0; k < model.coordinates().size(); ++k) {
    const Formula q = model.coordinate(k);
    lowered.offsets.push_back(static_cast<int>(lowered.q.size()));
    add_variables(lowered.q, q);
    add_variables(lowered.v, rate(q));
    if (!model.hamiltonian_terms().empty())
      add_variables(lowered.mu, Formula::symbol({.role = Role::momentum,
                                                 .name = "mu_" + model.coordinates()[k].name,
                                                 .slot = 0,
                                                 .first_index = model.first_index()},
                                                q.rows(), q.cols()));
  }
  lowered.offsets.push_back(static_cast<int>(lowered.q.size()));
  for (std::size_t i = 0; i < lowered.q.size(); ++i) lowered.rate.set_rate(lowered.q[i], lowered.v[i]);
}

LoweredModel with_variables(const Model& model) {
  LoweredModel lowered;
  add_coordinates(model, lowered);
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (!model.follows_law(k)) add_variables(lowered.u, model.input_symbol(k));
  for (const Parameter& parameter : model.parameters()) {
    const auto rows = static_cast<int>(parameter.value.rows()), cols = static_cast<int>(parameter.value.cols());
    add_variables(lowered.parameters,
                  Formula::symbol(
                      {.role = Role::parameter, .name = parameter.name, .slot = 0, .first_index = model.first_index()},
                      rows, cols));
  }
  lowered.t = Graph::current().variable("t");
  lowered.rate.set_rate(lowered.t, 1);
  return lowered;
}

std::vector<Expr> energy_terms(Lowering& lowering, const std::vector<Formula>& energies) {
  std::vector<Expr> terms;
  for (const Formula& term : summands(energies)) terms.push_back(lowering.energy(term));
  std::erase(terms, Expr());
  return terms;
}

void add_forces(const Model& model, Lowering& lowering, LoweredModel& lowered) {
  for (const Model::Applied& applied : model.forces()) {
    const MatrixXe force = lowering.matrix(applied.force), rate = lowering.matrix(applied.rate);
    for (Eigen::Index k = 0; k < force.size(); ++k)
      if (!force(k).is_constant(0)) lowered.forces.emplace_back(force(k), rate(k));
  }
}

// q' = B(q) xi for quasi-velocities xi.
VectorXe prescribed_rate(const Model::Prescribed& given, const Coordinate& coordinate, const VectorXe& q,
                         Lowering& lowering) {
  if (given.rate) return lowering.matrix(*given.rate).reshaped();
  const Manifold& space = coordinate.space;
  VectorXe xi = VectorXe::Constant(space.rates(), Expr());
  if (given.omega) xi.head(given.omega->rows()) = lowering.matrix(*given.omega);
  VectorXe rate = space.basis(q) * xi;
  if (given.velocity) rate.tail(3) = lowering.matrix(*given.velocity);
  return rate;
}

void add_field(const Model& model, Lowering& lowering, LoweredModel& lowered) {
  for (std::size_t k = 0; k < model.field().size(); ++k) {
    const Coordinate& coordinate = model.coordinates()[k];
    const Eigen::Map<const VectorXe> q(lowered.q.data() + lowered.offsets[k], coordinate.space.ambient());
    const VectorXe rate = prescribed_rate(model.field()[k], coordinate, q, lowering);
    lowered.field.insert(lowered.field.end(), rate.begin(), rate.end());
  }
}

void add_constraints(const Model& model, Lowering& lowering, LoweredModel& lowered) {
  for (const Model::Named& constraint : model.constraints()) {
    const MatrixXe zero = lowering.matrix(constraint.formula);
    for (Eigen::Index k = 0; k < zero.size(); ++k) {
      lowered.constraints.push_back(zero(k));
      lowered.constraint_names.push_back(
          zero.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, k + model.first_index()));
    }
  }
}

}  // namespace

namespace {

std::atomic<std::size_t> lowered_so_far = 0;

}  // namespace

std::size_t lowered_models() { return lowered_so_far; }

LoweredModel lower(const Model& model) {
  ++lowered_so_far;
  check_complete(model);
  LoweredModel lowered = with_variables(model);
  Lowering lowering(model, lowered);
  for (const Model::Named& point : model.points()) lowered.points.push_back(lowering.matrix(point.formula));
  lowered.kinetic = energy_terms(lowering, model.kinetic_terms());
  lowered.potential = energy_terms(lowering, model.potential_terms());
  lowered.lagrangian = energy_terms(lowering, model.lagrangian_terms());
  lowered.hamiltonian = energy_terms(lowering, model.hamiltonian_terms());
  add_field(model, lowering, lowered);
  add_forces(model, lowering, lowered);
  for (const Formula& rayleigh : model.dissipation_terms()) lowered.rayleigh += lowering.energy(rayleigh);
  add_constraints(model, lowering, lowered);
  return lowered;
}

MatrixXe lower(const Formula& formula, const Model& model, LoweredModel& lowered) {
  return Lowering(model, lowered).matrix(formula);
}

std::vector<MatrixXe> lower(const std::vector<Formula>& formulas, const Model& model, LoweredModel& lowered) {
  Lowering lowering(model, lowered);
  std::vector<MatrixXe> result;
  for (const Formula& formula : formulas) result.push_back(lowering.matrix(formula));
  return result;
}

Eigen::VectorXd parameter_values(const Model& model) {
  Eigen::Index size = 0;
  for (const Parameter& parameter : model.parameters()) size += parameter.value.size();
  Eigen::VectorXd values(size);
  Eigen::Index next = 0;
  for (const Parameter& parameter : model.parameters()) {
    values.segment(next, parameter.value.size()) = parameter.value.reshaped();
    next += parameter.value.size();
  }
  return values;
}

}  // namespace hamel
