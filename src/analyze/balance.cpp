#include "hamel/analyze/balance.hpp"

#include <cmath>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/derive/projection.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

// Of the momenta of T*Q alone.
Exprs on_tangent_momenta(const Model& model, const LoweredModel& lowered) {
  if (lowered.hamiltonian.empty()) return {};
  std::unordered_map<std::uint32_t, Expr> momenta;
  const Exprs tangent = tangent_part(model, lowered, lowered.mu);
  for (std::size_t i = 0; i < tangent.size(); ++i) momenta[lowered.mu[i].id()] = tangent[i];
  return substitute(lowered.hamiltonian, momenta);
}

// What drives a system at rest: L_q + f - L_vt, or f - d/dq H(q, P mu), or the field; v is put to 0 when it is run.
Exprs driving_forces(const Model& model, const LoweredModel& lowered) {
  if (!lowered.field.empty()) return lowered.field;
  Expr L;
  for (const Expr term : lowered.kinetic) L += term;
  for (const Expr term : lowered.lagrangian) L += term;
  for (const Expr term : lowered.potential) L -= term;
  for (const Expr term : on_tangent_momenta(model, lowered)) L -= term;
  Exprs force = gradient(L, lowered.q);
  const Exprs momentum_rate = gradient(gradient(L, std::vector{lowered.t}).front(), lowered.v);
  const Exprs applied = applied_force(lowered.forces, lowered.rayleigh, lowered.v);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] += applied[i] - momentum_rate[i];
  return force;
}

}  // namespace

Balance::Balance(const System& system) : system_(system), parameters_(parameter_values(system.model())) {
  const Sheet sheet(system.model());
  const LoweredModel& lowered = sheet.lowered;
  Exprs multipliers, reaction(lowered.q.size());
  for (const Expr c : lowered.constraints) {
    multipliers.push_back(Graph::current().variable("lambda"));
    const Exprs normal = gradient(c, lowered.q);
    for (std::size_t i = 0; i < reaction.size(); ++i) reaction[i] -= multipliers.back() * normal[i];
  }
  program_ =
      Program("balance", {lowered.q, lowered.v, lowered.mu, lowered.u, lowered.parameters, {lowered.t}, multipliers},
              {driving_forces(system.model(), lowered), reaction});
}

// With every number that enters changed by a fraction, up or down as the draw has it.
Balance::Forces Balance::forces(double scatter, unsigned draw, const State& state, const VectorXd& mu,
                                const VectorXd& multipliers) const {
  Random random(draw);
  const auto scattered = [&](const VectorXd& x) {
    VectorXd result = x;
    for (double& value : result) value *= 1 + (random() % 2 == 0 ? -scatter : scatter);
    return result;
  };
  const VectorXd q = scattered(state.q), parameters = scattered(parameters_), none = VectorXd::Zero(state.q.size());
  const VectorXd inputs = VectorXd::Zero(system_.inputs());
  Forces result{VectorXd(q.size()), VectorXd(q.size())};
  VectorXd scratch(static_cast<Eigen::Index>(program_.scratch_size()));
  const double* in[] = {q.data(),          none.data(), mu.data(),         inputs.data(),
                        parameters.data(), &state.t,    multipliers.data()};
  double* out[] = {result.applied.data(), result.reaction.data()};
  program_.run(in, out, scratch.data());
  return result;
}

Balance::Finding Balance::at(const State& state) const {
  constexpr double scatter = 1e-6;
  constexpr unsigned draws = 8;  // in one of them what is changed may cancel
  Workspace w(system_);
  VectorXd motion(state.q.size()), mu;
  if (!system_.has_energies()) {
    system_.field(w, state.t, state.q, motion);
  } else {
    system_.acceleration(w, state.t, state.q, state.v, motion);
    mu.resize(state.q.size());
    if (system_.has_hamiltonian()) system_.momentum(w, state.t, state.q, state.v, mu);
  }
  const Forces exact = forces(0, 0, state, mu, w.multipliers);
  const VectorXd whole = exact.applied + exact.reaction;
  VectorXd spread = VectorXd::Zero(whole.size());
  for (unsigned draw = 1; draw <= draws; ++draw) {
    const Forces more = forces(scatter, draw, state, mu, w.multipliers);
    const Forces less = forces(-scatter, draw, state, mu, w.multipliers);
    const VectorXd change = (more.applied + more.reaction - less.applied - less.reaction) / (2 * scatter);
    spread = spread.cwiseMax(change.cwiseAbs());
  }
  if (!whole.allFinite()) return {motion.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::infinity()};
  VectorXd left(whole.size());
  system_.space().tangent_project(state.q, whole, left);
  double worst = 0;
  const Geometry& geometry = system_.geometry();
  for (int k = 0; k < geometry.factors(); ++k) {
    const auto part = Eigen::seq(geometry.offset(k), geometry.offset(k + 1) - 1);
    const double size = exact.applied(part).norm() + exact.reaction(part).norm() +
                        (spread(part).allFinite() ? spread(part).norm() : 0);  // asin(1) has none
    if (!left(part).isZero(0)) worst = std::max(worst, left(part).norm() / size);
  }
  return {motion.lpNorm<Eigen::Infinity>(), worst};
}

}  // namespace hamel
