#include "hamel/derive/tangent.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "derive/natural.hpp"
#include "hamel/derive/formulation.hpp"

namespace hamel {
namespace {

// The equations of motion in natural coordinates, as expressions.
class MotionEquations {
 public:
  explicit MotionEquations(const Model& model)
      : sheet_(model), model_(model), lowered(sheet_.lowered), frame(model, lowered) {
    rates = Graph::current().variables("natural_rate", frame.size());
    lambda = Graph::current().variables("multiplier", static_cast<int>(frame.constraints.size()));
    unknowns = rates;
    unknowns.insert(unknowns.end(), lambda.begin(), lambda.end());
    model.has_field() ? add_field() : add_energies();
    follow_parameters();
  }

  Exprs along_parameters(const Exprs& f) const {
    const int rows = static_cast<int>(f.size());
    Exprs result(at(rows) * lowered.parameters.size());
    for (const auto& [row, k, value] : jacobian(f, lowered.parameters))
      for (const auto& [j, slope] : following_[at(k)]) result[at(j * rows + row)] += value * slope;
    return result;
  }

 private:
  using Substitution = std::unordered_map<std::uint32_t, Expr>;
  Sheet sheet_;
  const Model& model_;

  // d/dt dL/dv - dL/dq - f + C^T lambda = 0 along E, and c'' = 0
  void add_energies() {
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
    Substitution natural_form = frame.in_natural;
    for (std::size_t i = 0; i < a.size(); ++i) natural_form[a[i].id()] = acceleration[i];
    equations = frame.to_natural(substitute(balance, natural_form));
    for (const Expr c : substitute(c_second, natural_form)) equations.push_back(c);

    momentum = substitute(p, frame.in_natural);
    Expr total = -L;
    for (std::size_t i = 0; i < p.size(); ++i) total += p[i] * lowered.v[i];
    energy = substitute(Exprs{total}, frame.in_natural);
  }

  // q' = f - C^T lambda along E, and C q' = 0
  void add_field() {
    Substitution moving;
    for (std::size_t j = 0; j < frame.eta.size(); ++j) moving[frame.eta[j].id()] = rates[j];
    const Exprs v = substitute(frame.velocity, moving), pull = frame.reaction(lambda);
    Exprs balance = v;
    for (std::size_t i = 0; i < balance.size(); ++i) balance[i] += pull[i] - lowered.field[i];
    equations = frame.to_natural(balance);
    for (const Expr c : directional_derivative(frame.constraints, lowered.q, v)) equations.push_back(c);
  }

  // Row k: how entry k changes with each entry that it follows, itself first.
  void follow_parameters() {
    for (std::size_t k = 0; k < lowered.parameters.size(); ++k)
      following_.push_back({{static_cast<int>(k), Expr(1.0)}});
    std::vector<int> first{0};
    for (const Parameter& parameter : model_.parameters())
      first.push_back(first.back() + static_cast<int>(parameter.value.size()));
    for (const std::size_t slot : model_.derived_parameters()) {
      const MatrixXe formula = lower(*model_.origin(slot).formula, model_, lowered);
      const Exprs entries(formula.data(), formula.data() + formula.size());
      for (const auto& [row, k, value] : jacobian(entries, lowered.parameters))
        for (const auto& [j, slope] : following_[at(k)])
          following_[at(first[slot] + row)].emplace_back(j, value * slope);
    }
  }

  using Row = std::vector<std::pair<int, Expr>>;
  std::vector<Row> following_;

 public:
  LoweredModel& lowered;
  NaturalFrame frame;
  Exprs rates, lambda, unknowns;
  Exprs equations;  // F
  Exprs momentum, energy;
};

}  // namespace

TangentKernels tangent_kernels(const Model& model) {
  if (!model.hamiltonian_terms().empty())
    throw std::invalid_argument(fmt::format(
        "{} is given by a Hamiltonian, of which no derivatives are known: give a Lagrangian", model.name()));
  const MotionEquations m(model);
  const LoweredModel& lowered = m.lowered;
  const Parameters parameters{lowered.parameters, parameter_values(model)};
  std::unordered_map<std::uint32_t, Expr> none;
  for (const Expr z : m.unknowns) none[z.id()] = Expr();
  const Exprs& F = m.equations;
  TangentKernels result;
  result.natural = m.frame.size();
  result.unknowns = static_cast<int>(m.unknowns.size());
  result.inputs = static_cast<int>(lowered.u.size());
  result.parameters = static_cast<int>(lowered.parameters.size());
  result.equations = Kernel("motion_equations", {lowered.q, m.frame.eta, lowered.u, {lowered.t}},
                            {substitute(F, none), NaturalFrame::along(F, m.unknowns)}, parameters);
  result.variations = Kernel("motion_variations", {lowered.q, m.frame.eta, m.unknowns, lowered.u, {lowered.t}},
                             {m.frame.along_points(F), NaturalFrame::along(F, m.frame.eta),
                              NaturalFrame::along(F, lowered.u), m.along_parameters(F)},
                             parameters);
  if (model.has_field()) return result;
  result.quantities = Kernel(
      "quantity_variations", {lowered.q, m.frame.eta, {lowered.t}},
      {m.frame.along_points(m.momentum), NaturalFrame::along(m.momentum, m.frame.eta), m.along_parameters(m.momentum),
       m.frame.along_points(m.energy), NaturalFrame::along(m.energy, m.frame.eta), m.along_parameters(m.energy)},
      parameters);
  return result;
}

void TangentKernels::set_parameters(In values) {
  for (Kernel* kernel : {&equations, &variations, &quantities}) kernel->set_parameters(values);
}

}  // namespace hamel
