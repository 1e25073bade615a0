#include "hamel/derive/steady.hpp"

#include "derive/steady_equations.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/derive/projection.hpp"

namespace hamel {
namespace {

Exprs minus(Exprs a, const Exprs& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

// d/dt p - dL/dq - f, without reactions
Exprs balance_of(const LoweredModel& lowered, Expr L, const Exprs& p, const Exprs& a) {
  Exprs x = lowered.q, rate = lowered.v;
  x.insert(x.end(), lowered.v.begin(), lowered.v.end());
  rate.insert(rate.end(), a.begin(), a.end());
  x.push_back(lowered.t);
  rate.emplace_back(1.0);
  const Exprs f = applied_force(lowered.forces, lowered.rayleigh, lowered.v);
  return minus(minus(directional_derivative(p, x, rate), gradient(L, lowered.q)), f);
}

// H(q, P p) + w |p - P p|^2 / 2
Expr extended_hamiltonian(const Model& model, const LoweredModel& lowered, const Exprs& p, const Exprs& w) {
  const Exprs tangent = tangent_part(model, lowered, p);
  std::unordered_map<std::uint32_t, Expr> momenta;
  for (std::size_t i = 0; i < p.size(); ++i) momenta[lowered.mu[i].id()] = tangent[i];
  Expr H = substitute(Exprs{sum(lowered.hamiltonian)}, momenta).front();
  for (std::size_t f = 0; f < w.size(); ++f)
    for (std::size_t i = at(lowered.offsets[f]); i < at(lowered.offsets[f + 1]); ++i)
      H += w[f] * pow(p[i] - tangent[i], 2) / 2.0;
  return H;
}

void add_hamiltonian(const Model& model, const LoweredModel& lowered, SteadyEquations& result) {
  Graph& graph = Graph::current();
  const int n = static_cast<int>(lowered.q.size());
  result.p = graph.variables("momentum", n);
  result.r = graph.variables("momentum_rate", n);
  result.w = graph.variables("weight", static_cast<int>(model.coordinates().size()));
  const Expr H = extended_hamiltonian(model, lowered, result.p, result.w);
  result.H_p = gradient(H, result.p);
  Exprs x = lowered.q, rate = lowered.v;
  x.insert(x.end(), result.p.begin(), result.p.end());
  rate.insert(rate.end(), result.r.begin(), result.r.end());
  x.push_back(lowered.t);
  rate.emplace_back(1.0);
  result.s = directional_derivative(result.H_p, x, rate);
  const Exprs f = applied_force(lowered.forces, lowered.rayleigh, lowered.v);
  result.driven = minus(sums(result.r, gradient(H, lowered.q)), f);
}

void add_lagrangian(const LoweredModel& lowered, SteadyEquations& result) {
  const Expr L = sum(lowered.kinetic) + sum(lowered.lagrangian) - sum(lowered.potential);
  result.p = gradient(L, lowered.v);
  result.driven = balance_of(lowered, L, result.p, result.a);
}

// The sum of the sizes of all that cancels in a balance, term by term.
Exprs sizes_of(const LoweredModel& lowered, const Exprs& p) {
  if (!lowered.field.empty()) return {};
  Exprs result(lowered.q.size());
  std::unordered_map<std::uint32_t, Expr> momenta;
  for (std::size_t i = 0; i < lowered.mu.size(); ++i) momenta[lowered.mu[i].id()] = p[i];
  const Exprs hamiltonian = substitute(lowered.hamiltonian, momenta);
  for (const Exprs* terms : {&lowered.potential, &lowered.lagrangian, &lowered.kinetic, &hamiltonian})
    for (const auto& [row, i, value] : jacobian(*terms, lowered.q)) result[at(i)] += abs(value);
  for (const Expr f : applied_force(lowered.forces, lowered.rayleigh, lowered.v)) result.push_back(f);
  return result;
}

}  // namespace

SteadyEquations steady_equations(const Model& model, const LoweredModel& lowered, const NaturalFrame& frame) {
  SteadyEquations result;
  result.a = Graph::current().variables("acceleration", static_cast<int>(lowered.q.size()));
  result.lambda = Graph::current().variables("multiplier", static_cast<int>(frame.constraints.size()));
  if (model.has_field())
    result.driven = minus(lowered.v, lowered.field);
  else if (!lowered.hamiltonian.empty())
    add_hamiltonian(model, lowered, result);
  else
    add_lagrangian(lowered, result);
  result.driven = frame.to_natural(result.driven);
  result.reaction = frame.to_natural(frame.reaction(result.lambda));
  result.F = sums(result.driven, result.reaction);
  return result;
}

SteadyKernels steady_kernels(const Model& model) {
  Sheet sheet(model);
  const LoweredModel& lowered = sheet.lowered;
  const NaturalFrame frame(model, lowered);
  const auto [a, lambda, p, r, w, driven, reaction, F, H_p, s] = steady_equations(model, lowered, frame);
  const Exprs &q = lowered.q, &v = lowered.v, &u = lowered.u, t = {lowered.t}, momenta = r.empty() ? Exprs() : p;
  const Exprs sizes = sizes_of(lowered, p);
  const auto along = [](const Exprs& f, const Exprs& x) { return NaturalFrame::along(f, x); };

  SteadyKernels result;
  result.natural = frame.size();
  result.multipliers = static_cast<int>(lambda.size());
  result.sizes = static_cast<int>(sizes.size());
  result.inputs = static_cast<int>(u.size());
  result.momenta = static_cast<int>(r.size());
  result.weights = static_cast<int>(w.size());
  result.depends_on_time = depends_on(F, lowered.t) || depends_on(H_p, lowered.t);
  result.balance = Kernel("steady_balance", {q, v, a, u, t, momenta, r, w},
                          {driven, along(reaction, lambda), frame.constraints, sizes}, sheet.parameters);
  result.variations =
      Kernel("steady_variations", {q, v, a, lambda, u, t, momenta, r, w},
             {along(F, q), along(F, v), along(F, a), along(F, u), along(F, momenta), along(F, r)}, sheet.parameters);
  if (!r.empty())
    result.fibre = Kernel("steady_fibre", {q, v, t, p, r, w},
                          {H_p, s, along(H_p, q), along(H_p, p), along(s, q), along(s, p)}, sheet.parameters);
  else if (!model.has_field())
    result.momentum = Kernel("steady_momentum", {q, v, t}, {p, along(p, q), along(p, v)}, sheet.parameters);
  return result;
}

}  // namespace hamel
