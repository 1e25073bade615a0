#include "derive/motion_equations.hpp"

namespace hamel {

MotionEquations::MotionEquations(const Model& given)
    : sheet_(given), model(given), lowered(sheet_.lowered), parameters(sheet_.parameters), frame(given, lowered) {
  rates = Graph::current().variables("natural_rate", frame.size());
  lambda = Graph::current().variables("multiplier", static_cast<int>(frame.constraints.size()));
  unknowns = rates;
  unknowns.insert(unknowns.end(), lambda.begin(), lambda.end());
  given.has_field() ? add_field() : add_energies();
}

Exprs MotionEquations::at_zero() const {
  std::unordered_map<std::uint32_t, Expr> none;
  for (const Expr z : unknowns) none[z.id()] = Expr();
  return substitute(equations, none);
}

// d/dt dL/dv - dL/dq - f + C^T lambda = 0 along E, and c'' = 0
void MotionEquations::add_energies() {
  const Expr L = sum(lowered.kinetic) + sum(lowered.lagrangian) - sum(lowered.potential);
  const Exprs a = Graph::current().variables("acceleration", static_cast<int>(lowered.q.size()));
  const Exprs p = gradient(L, lowered.v), L_q = gradient(L, lowered.q), pull = frame.reaction(lambda);
  const Exprs f = applied_force(lowered.forces, lowered.rayleigh, lowered.v);
  Exprs x = lowered.q, x_rate = lowered.v;
  x.insert(x.end(), lowered.v.begin(), lowered.v.end());
  x_rate.insert(x_rate.end(), a.begin(), a.end());
  const Exprs c_second =
      directional_derivative(directional_derivative(frame.constraints, lowered.q, lowered.v), x, x_rate);
  x.push_back(lowered.t);
  x_rate.push_back(Expr(1.0));
  Exprs balance = directional_derivative(p, x, x_rate);
  for (std::size_t i = 0; i < balance.size(); ++i) balance[i] += pull[i] - L_q[i] - f[i];

  Exprs y = lowered.q, y_rate = frame.velocity;
  y.insert(y.end(), frame.eta.begin(), frame.eta.end());
  y_rate.insert(y_rate.end(), rates.begin(), rates.end());
  const Exprs acceleration = directional_derivative(frame.velocity, y, y_rate);
  std::unordered_map<std::uint32_t, Expr> natural_form = frame.in_natural;
  for (std::size_t i = 0; i < a.size(); ++i) natural_form[a[i].id()] = acceleration[i];
  equations = frame.to_natural(substitute(balance, natural_form));
  for (const Expr c : substitute(c_second, natural_form)) equations.push_back(c);

  momentum = substitute(p, frame.in_natural);
  Expr total = -L;
  for (std::size_t i = 0; i < p.size(); ++i) total += p[i] * lowered.v[i];
  energy = substitute(Exprs{total}, frame.in_natural);
}

// q' = f - C^T lambda along E, and C q' = 0
void MotionEquations::add_field() {
  std::unordered_map<std::uint32_t, Expr> moving;
  for (std::size_t j = 0; j < frame.eta.size(); ++j) moving[frame.eta[j].id()] = rates[j];
  const Exprs v = substitute(frame.velocity, moving), pull = frame.reaction(lambda);
  Exprs balance = v;
  for (std::size_t i = 0; i < balance.size(); ++i) balance[i] += pull[i] - lowered.field[i];
  equations = frame.to_natural(balance);
  for (const Expr c : directional_derivative(frame.constraints, lowered.q, v)) equations.push_back(c);
}

}  // namespace hamel
