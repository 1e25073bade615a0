#include "hamel/derive/projection.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/derive/energies.hpp"
#include "hamel/model/index.hpp"

namespace hamel {
namespace {

// (d y / dq)^T x
Exprs transposed_derivative(const Exprs& y, const Exprs& q, const Exprs& x) {
  const Exprs frozen = Graph::current().variables("x", static_cast<int>(x.size()));
  Expr pairing;
  std::unordered_map<std::uint32_t, Expr> values;
  for (std::size_t i = 0; i < x.size(); ++i) {
    pairing += y[i] * frozen[i];
    values[frozen[i].id()] = x[i];
  }
  return substitute(gradient(pairing, q), values);
}

Expr hamiltonian_at(const LoweredModel& lowered, const Exprs& mu) {
  std::unordered_map<std::uint32_t, Expr> values;
  for (std::size_t i = 0; i < mu.size(); ++i) values[lowered.mu[i].id()] = mu[i];
  return substitute({{sum(lowered.hamiltonian)}}, values).front();
}

// P mu, where P is a projection beside the manifold as well if one constraint makes it: x - c' (c' x) / (c' c').
Exprs projected_momentum(const Model& model, const LoweredModel& lowered) {
  Exprs result = tangent_part(model, lowered, lowered.mu);
  for (std::size_t k = 0; k < model.coordinates().size(); ++k) {
    const Manifold& space = model.coordinates()[k].space;
    const int begin = lowered.offsets[k], n = space.ambient();
    if (space.dimension() != n - 1 || !space.has_constraint_formula()) continue;
    const Eigen::Map<const VectorXe> q(lowered.q.data() + begin, n), mu(lowered.mu.data() + begin, n);
    const VectorXe c = space.constraints(q);
    const Exprs slope = gradient(c(0), {lowered.q.data() + begin, at(n)});
    const Eigen::Map<const VectorXe> normal(slope.data(), n);
    const VectorXe tangent = mu - normal * (normal.dot(mu) / normal.squaredNorm());
    std::copy(tangent.begin(), tangent.end(), result.begin() + begin);
  }
  return result;
}

// K = H(q, P mu) + { H(q, n) + H(q, -n) } / 2 - H(q, 0),     n = mu - P mu.
// H itself maximizes mu.v - H over momenta that are not tangent, too: where H_mu of a tangent momentum is not
// tangent, that is another Lagrangian. Where |mu|^2 is all that H knows of mu, K is H.
Expr split_hamiltonian(const Model& model, const LoweredModel& lowered) {
  const Exprs tangent = projected_momentum(model, lowered), nothing(tangent.size());
  Exprs normal, opposite;
  for (std::size_t i = 0; i < tangent.size(); ++i) {
    normal.push_back(lowered.mu[i] - tangent[i]);
    opposite.push_back(tangent[i] - lowered.mu[i]);
  }
  if (std::all_of(normal.begin(), normal.end(), [](const Expr& n) { return n.is_constant(0); }))
    return sum(lowered.hamiltonian);
  return hamiltonian_at(lowered, tangent) +
         (hamiltonian_at(lowered, normal) + hamiltonian_at(lowered, opposite)) / 2.0 - hamiltonian_at(lowered, nothing);
}

}  // namespace

Exprs tangent_part(const Model& model, const LoweredModel& lowered, const Exprs& x) {
  Exprs result;
  for (std::size_t c = 0; c < model.coordinates().size(); ++c) {
    const auto& [name, space] = model.coordinates()[c];
    if (!space.has_formulas())
      throw std::invalid_argument(fmt::format(
          "the tangent projection of {} is needed as a formula, which {} does not offer", name, space.name()));
    const int begin = lowered.offsets[c], n = space.ambient();
    const Eigen::Map<const VectorXe> q(lowered.q.data() + begin, n), y(x.data() + begin, n);
    const VectorXe projected = space.tangent_project(q, y);
    result.insert(result.end(), projected.begin(), projected.end());
  }
  return result;
}

HamiltonianFlow hamiltonian_flow(const Model& model, const LoweredModel& lowered) {
  const Exprs& q = lowered.q;
  const Expr H = sum(lowered.hamiltonian);
  const Exprs H_q = gradient(H, q), H_mu = gradient(H, lowered.mu);
  HamiltonianFlow flow;
  flow.velocity = tangent_part(model, lowered, H_mu);

  std::unordered_map<std::uint32_t, Expr> along_motion;
  for (std::size_t i = 0; i < q.size(); ++i) along_motion[lowered.v[i].id()] = flow.velocity[i];
  const Exprs force = substitute(applied_force(lowered.forces, lowered.rayleigh, lowered.v), along_motion);

  // with D = d(P mu)/dq
  const Exprs P_mu = tangent_part(model, lowered, lowered.mu);
  const Exprs first = transposed_derivative(P_mu, q, flow.velocity), second = transposed_derivative(P_mu, q, H_mu);
  Exprs inner(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) inner[i] = first[i] - second[i] - H_q[i] + force[i];
  flow.momentum_rate = tangent_part(model, lowered, inner);
  const Exprs along = directional_derivative(P_mu, q, flow.velocity);
  for (std::size_t i = 0; i < q.size(); ++i) flow.momentum_rate[i] += along[i];
  return flow;
}

ProjectionKernels projection_kernels(const Model& model, const LoweredModel& lowered, const Parameters& parameters) {
  if (!lowered.constraints.empty())
    throw std::invalid_argument(
        "holonomic constraints with a Hamiltonian are not supported: give a Lagrangian, or the constraint as an "
        "embedded manifold");
  const Exprs &q = lowered.q, &mu = lowered.mu, &u = lowered.u;
  const int a = static_cast<int>(q.size());
  const Expr t = lowered.t, H = sum(lowered.hamiltonian);
  const Exprs H_mu = gradient(H, mu);
  const auto [velocity, momentum_rate] = hamiltonian_flow(model, lowered);

  Exprs x = q, x_rate = velocity;
  x.insert(x.end(), mu.begin(), mu.end());
  x.push_back(t);
  x_rate.insert(x_rate.end(), momentum_rate.begin(), momentum_rate.end());
  x_rate.push_back(Expr(1.0));
  const Exprs acceleration = directional_derivative(velocity, x, x_rate);

  const Expr K = split_hamiltonian(model, lowered);
  const Exprs K_q = gradient(K, q), K_mu = gradient(K, mu), K_mumu = dense(jacobian(K_mu, mu), a, a);
  ProjectionKernels result;
  result.flow = Kernel("hamilton", {q, mu, u, {t}}, {velocity, momentum_rate, acceleration}, parameters);
  result.fibre = Kernel("fibre", {q, mu, {t}}, {H_mu, dense(jacobian(H_mu, mu), a, a), {H}}, parameters);
  result.split_fibre = Kernel("split_fibre", {q, mu, {t}}, {K_mu, K_mumu}, parameters);
  result.split_second =
      Kernel("split_second", {q, mu, lowered.v, u, {t}},
             {K_q, dense(jacobian(K_q, mu), a, a), K_mumu, applied_force(lowered.forces, lowered.rayleigh, lowered.v)},
             parameters);
  result.power = power_kernel(lowered, parameters);
  return result;
}

void ProjectionKernels::set_parameters(In values) {
  for (Kernel* kernel : {&flow, &fibre, &split_fibre, &split_second, &power}) kernel->set_parameters(values);
}

}  // namespace hamel
