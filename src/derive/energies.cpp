#include "hamel/derive/energies.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/model/index.hpp"

namespace hamel {

namespace {

bool depends_on(std::span<const Expr> expressions, Expr variable) {
  for (const Expr e : dependencies(expressions))
    if (e == variable) return true;
  return false;
}

Expr lagrangian(const LoweredModel& lowered) {
  return sum(lowered.kinetic) - sum(lowered.potential) + sum(lowered.lagrangian);
}

// force . rate, minus the dissipation's dR/dv . v
Expr power(const LoweredModel& lowered) {
  Expr result;
  for (const auto& [force, rate] : lowered.forces) result += force * rate;
  const Exprs damping = gradient(lowered.rayleigh, lowered.v);
  for (std::size_t i = 0; i < lowered.v.size(); ++i) result -= damping[i] * lowered.v[i];
  return result;
}

}  // namespace

EnergyKernels energy_kernels(const LoweredModel& lowered, const Parameters& parameters) {
  const Exprs &q = lowered.q, &v = lowered.v, &u = lowered.u;
  const Expr L = lagrangian(lowered), work = power(lowered);
  const Exprs p = gradient(L, v);
  Expr total = -L;
  for (std::size_t i = 0; i < v.size(); ++i) total += v[i] * p[i];
  EnergyKernels result;
  result.energy = Kernel("energy", {q, v, u, {lowered.t}},
                         {{sum(lowered.kinetic), sum(lowered.potential), total, work}}, parameters);
  result.momentum = Kernel("momentum", {q, v, {lowered.t}}, {p}, parameters);
  const Exprs force = sums(gradient(L, q), applied_force(lowered.forces, lowered.rayleigh, v));
  result.force = Kernel("force", {q, v, u, {lowered.t}}, {force}, parameters);
  return result;
}

void EnergyKernels::set_parameters(In values) {
  for (Kernel* kernel : {&energy, &momentum, &force}) kernel->set_parameters(values);
}

Kernel power_kernel(const LoweredModel& lowered, const Parameters& parameters) {
  return {"power", {lowered.q, lowered.v, lowered.u, {lowered.t}}, {{power(lowered)}}, parameters};
}

ConstraintKernel constraint_kernel(const LoweredModel& lowered, const Parameters& parameters) {
  const Exprs &c = lowered.constraints, &q = lowered.q;
  Exprs slopes;
  std::vector<linear::SparseRows::Place> places;
  for (const auto& [row, column, value] : jacobian(c, q)) {
    places.push_back({row, column});
    slopes.push_back(value);
  }
  return {{"constraint", {q}, {c, slopes}, parameters},
          {static_cast<Eigen::Index>(c.size()), static_cast<Eigen::Index>(q.size()), places}};
}

bool is_conservative(const LoweredModel& lowered) {
  Exprs all = {lagrangian(lowered), sum(lowered.hamiltonian)};
  all.insert(all.end(), lowered.constraints.begin(), lowered.constraints.end());
  return lowered.field.empty() && !depends_on(all, lowered.t) && lowered.forces.empty() &&
         lowered.rayleigh.is_constant(0);
}

std::vector<std::pair<Expr, Expr>> held_forces(const Model& model, const LoweredModel& lowered,
                                               const VectorXd& inputs) {
  std::unordered_map<std::uint32_t, Expr> constants;
  int next = 0;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    if (model.follows_law(k)) continue;
    const bool is_sampled = model.inputs()[k].law && model.sample() > 0;
    for (int i = 0; i < model.inputs()[k].size; ++i, ++next)
      if (!is_sampled) constants[lowered.u[at(next)].id()] = inputs.size() == 0 ? 0 : inputs(next);
  }
  Exprs forces;
  for (const auto& applied : lowered.forces) forces.push_back(applied.first);
  forces = substitute(forces, constants);
  std::vector<std::pair<Expr, Expr>> left;
  for (std::size_t k = 0; k < forces.size(); ++k)
    if (!forces[k].is_constant(0)) left.emplace_back(forces[k], lowered.forces[k].second);
  return left;
}

bool is_conservative_without_inputs(const Model& model) {
  Sheet sheet(model);
  sheet.lowered.forces = held_forces(model, sheet.lowered);
  return is_conservative(sheet.lowered);
}

void refuse_moving_constraints(const LoweredModel& lowered) {
  if (!depends_on(lowered.constraints, lowered.t)) return;
  std::size_t k = 0;
  while (!depends_on({&lowered.constraints[k], 1}, lowered.t)) ++k;
  throw std::invalid_argument(
      fmt::format("constraint {} depends on time: only constraints between coordinates are supported; make what moves "
                  "a coordinate, or write the energies in coordinates that move along",
                  lowered.constraint_names[k]));
}

}  // namespace hamel
