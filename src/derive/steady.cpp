#include "hamel/derive/steady.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "derive/steady_equations.hpp"
#include "hamel/derive/formulation.hpp"

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

// The sum of the sizes of all that cancels in a balance, term by term.
Exprs sizes_of(const LoweredModel& lowered) {
  if (!lowered.field.empty()) return {};
  Exprs result(lowered.q.size());
  for (const Exprs* terms : {&lowered.potential, &lowered.lagrangian, &lowered.kinetic})
    for (const auto& [row, i, value] : jacobian(*terms, lowered.q)) result[at(i)] += abs(value);
  for (const Expr f : applied_force(lowered.forces, lowered.rayleigh, lowered.v)) result.push_back(f);
  return result;
}

}  // namespace

SteadyEquations steady_equations(const Model& model, const LoweredModel& lowered, const NaturalFrame& frame) {
  SteadyEquations result;
  result.a = Graph::current().variables("acceleration", static_cast<int>(lowered.q.size()));
  result.lambda = Graph::current().variables("multiplier", static_cast<int>(frame.constraints.size()));
  const Expr L = sum(lowered.kinetic) + sum(lowered.lagrangian) - sum(lowered.potential);
  result.p = gradient(L, lowered.v);
  result.driven = frame.to_natural(model.has_field() ? minus(lowered.v, lowered.field)
                                                     : balance_of(lowered, L, result.p, result.a));
  result.reaction = frame.to_natural(frame.reaction(result.lambda));
  result.F = sums(result.driven, result.reaction);
  return result;
}

SteadyKernels steady_kernels(const Model& model) {
  if (!model.hamiltonian_terms().empty())
    throw std::invalid_argument(fmt::format(
        "{} is given by a Hamiltonian, of which no linear model is known: give a Lagrangian", model.name()));
  Sheet sheet(model);
  const LoweredModel& lowered = sheet.lowered;
  const NaturalFrame frame(model, lowered);
  const auto [a, lambda, p, driven, reaction, F] = steady_equations(model, lowered, frame);
  const Exprs sizes = sizes_of(lowered);

  SteadyKernels result;
  result.natural = frame.size();
  result.multipliers = static_cast<int>(lambda.size());
  result.sizes = static_cast<int>(sizes.size());
  result.inputs = static_cast<int>(lowered.u.size());
  result.depends_on_time = depends_on(F, lowered.t);
  result.balance = Kernel("steady_balance", {lowered.q, lowered.v, a, lowered.u, {lowered.t}},
                          {driven, NaturalFrame::along(reaction, lambda), frame.constraints, sizes}, sheet.parameters);
  result.variations = Kernel("steady_variations", {lowered.q, lowered.v, a, lambda, lowered.u, {lowered.t}},
                             {NaturalFrame::along(F, lowered.q), NaturalFrame::along(F, lowered.v),
                              NaturalFrame::along(F, a), NaturalFrame::along(F, lowered.u)},
                             sheet.parameters);
  if (!model.has_field())
    result.momentum =
        Kernel("steady_momentum", {lowered.q, lowered.v, {lowered.t}},
               {p, NaturalFrame::along(p, lowered.q), NaturalFrame::along(p, lowered.v)}, sheet.parameters);
  return result;
}

void SteadyKernels::set_parameters(In values) {
  for (Kernel* kernel : {&balance, &variations, &momentum}) kernel->set_parameters(values);
}

}  // namespace hamel
