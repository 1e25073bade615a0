#include "hamel/derive/energies.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/derive/expressions.hpp"

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
