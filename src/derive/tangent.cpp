#include "hamel/derive/tangent.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"

namespace hamel {
namespace {

// The equations of motion in natural coordinates, as expressions.
class MotionEquations {
 public:
  explicit MotionEquations(const Model& model) : sheet_(model), model_(model), lowered(sheet_.lowered) {
    for (int f = 0; f < factors(); ++f) add_factor(f);
    constraints_.insert(constraints_.end(), lowered.constraints.begin(), lowered.constraints.end());
    rates = Graph::current().variables("natural_rate", natural());
    lambda = Graph::current().variables("multiplier", static_cast<int>(constraints_.size()));
    unknowns = rates;
    unknowns.insert(unknowns.end(), lambda.begin(), lambda.end());
    model.has_field() ? add_field() : add_energies();
    follow_parameters();
  }

  int natural() const { return static_cast<int>(eta.size()); }

  // f_q E: along the columns of E
  Exprs along_points(const Exprs& f) const {
    const int rows = static_cast<int>(f.size());
    Exprs result(at(rows * natural()));
    for (const auto& [row, i, value] : jacobian(f, lowered.q))
      for (const auto& [j, coefficient] : E_[at(i)]) result[at(j * rows + row)] += value * coefficient;
    return result;
  }
  Exprs along_parameters(const Exprs& f) const {
    const int rows = static_cast<int>(f.size());
    Exprs result(at(rows) * lowered.parameters.size());
    for (const auto& [row, k, value] : jacobian(f, lowered.parameters))
      for (const auto& [j, slope] : following_[at(k)]) result[at(j * rows + row)] += value * slope;
    return result;
  }
  static Exprs along(const Exprs& f, const Exprs& variables) {
    return dense(jacobian(f, variables), static_cast<int>(f.size()), static_cast<int>(variables.size()));
  }

 private:
  using Substitution = std::unordered_map<std::uint32_t, Expr>;
  Sheet sheet_;
  const Model& model_;

  int factors() const { return static_cast<int>(model_.coordinates().size()); }

  void add_factor(int f) {
    const auto& [name, space] = model_.coordinates()[at(f)];
    const int begin = lowered.offsets[at(f)], n = space.ambient(), first = natural();
    const Eigen::Map<const VectorXe> q(lowered.q.data() + begin, n);
    E_.resize(at(begin + n));
    if (space.has_constraints()) {
      for (const Expr c : space.constraints(q)) constraints_.push_back(c);
      for (int i = 0; i < n; ++i) {
        eta.push_back(lowered.v[at(begin + i)]);
        velocity_.push_back(eta.back());
        E_[at(begin + i)] = {{first + i, Expr(1.0)}};
      }
      return;
    }
    if (!space.has_formulas())
      throw std::invalid_argument(
          fmt::format("the derivatives of the motion need the basis of {} as a formula, which {} does not offer", name,
                      space.name()));
    const Exprs own = Graph::current().variables("rate_of_" + name, space.rates());
    const MatrixXe B = space.basis(q);
    eta.insert(eta.end(), own.begin(), own.end());
    for (int i = 0; i < n; ++i) {
      Expr v;
      for (int j = 0; j < space.rates(); ++j) {
        v += B(i, j) * own[at(j)];
        if (!B(i, j).is_constant(0)) E_[at(begin + i)].emplace_back(first + j, B(i, j));
      }
      velocity_.push_back(v);
      in_natural_[lowered.v[at(begin + i)].id()] = v;
    }
  }

  Exprs to_natural(const Exprs& covector) const {  // E^T
    Exprs result(eta.size());
    for (std::size_t i = 0; i < covector.size(); ++i)
      for (const auto& [j, coefficient] : E_[i]) result[at(j)] += coefficient * covector[i];
    return result;
  }

  Exprs reaction() const {  // C^T lambda
    Expr pairing;
    for (std::size_t k = 0; k < lambda.size(); ++k) pairing += lambda[k] * constraints_[k];
    return gradient(pairing, lowered.q);
  }

  // d/dt dL/dv - dL/dq - f + C^T lambda = 0 along E, and c'' = 0
  void add_energies() {
    const Expr L = sum(lowered.kinetic) + sum(lowered.lagrangian) - sum(lowered.potential);
    const Exprs a = Graph::current().variables("acceleration", static_cast<int>(lowered.q.size()));
    const Exprs p = gradient(L, lowered.v), L_q = gradient(L, lowered.q), pull = reaction();
    const Exprs f = applied_force(lowered.forces, lowered.rayleigh, lowered.v);
    Exprs x = lowered.q, x_rate = lowered.v;
    x.insert(x.end(), lowered.v.begin(), lowered.v.end());
    x_rate.insert(x_rate.end(), a.begin(), a.end());
    const Exprs c_second =
        directional_derivative(directional_derivative(constraints_, lowered.q, lowered.v), x, x_rate);
    x.push_back(lowered.t);
    x_rate.push_back(Expr(1.0));
    Exprs balance = directional_derivative(p, x, x_rate);
    for (std::size_t i = 0; i < balance.size(); ++i) balance[i] += pull[i] - L_q[i] - f[i];

    Exprs y = lowered.q, y_rate = velocity_;
    y.insert(y.end(), eta.begin(), eta.end());
    y_rate.insert(y_rate.end(), rates.begin(), rates.end());
    const Exprs acceleration = directional_derivative(velocity_, y, y_rate);
    Substitution natural_form = in_natural_;
    for (std::size_t i = 0; i < a.size(); ++i) natural_form[a[i].id()] = acceleration[i];
    equations = to_natural(substitute(balance, natural_form));
    for (const Expr c : substitute(c_second, natural_form)) equations.push_back(c);

    momentum = substitute(p, in_natural_);
    Expr total = -L;
    for (std::size_t i = 0; i < p.size(); ++i) total += p[i] * lowered.v[i];
    energy = substitute(Exprs{total}, in_natural_);
  }

  // q' = f - C^T lambda along E, and C q' = 0
  void add_field() {
    Substitution moving;
    for (std::size_t j = 0; j < eta.size(); ++j) moving[eta[j].id()] = rates[j];
    const Exprs v = substitute(velocity_, moving), pull = reaction();
    Exprs balance = v;
    for (std::size_t i = 0; i < balance.size(); ++i) balance[i] += pull[i] - lowered.field[i];
    equations = to_natural(balance);
    for (const Expr c : directional_derivative(constraints_, lowered.q, v)) equations.push_back(c);
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
  std::vector<Row> E_, following_;
  Exprs velocity_, constraints_;
  Substitution in_natural_;

 public:
  LoweredModel& lowered;
  Exprs eta, rates, lambda, unknowns;
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
  result.natural = m.natural();
  result.unknowns = static_cast<int>(m.unknowns.size());
  result.inputs = static_cast<int>(lowered.u.size());
  result.parameters = static_cast<int>(lowered.parameters.size());
  result.equations = Kernel("motion_equations", {lowered.q, m.eta, lowered.u, {lowered.t}},
                            {substitute(F, none), MotionEquations::along(F, m.unknowns)}, parameters);
  result.variations = Kernel("motion_variations", {lowered.q, m.eta, m.unknowns, lowered.u, {lowered.t}},
                             {m.along_points(F), MotionEquations::along(F, m.eta), MotionEquations::along(F, lowered.u),
                              m.along_parameters(F)},
                             parameters);
  if (model.has_field()) return result;
  result.quantities =
      Kernel("quantity_variations", {lowered.q, m.eta, {lowered.t}},
             {m.along_points(m.momentum), MotionEquations::along(m.momentum, m.eta), m.along_parameters(m.momentum),
              m.along_points(m.energy), MotionEquations::along(m.energy, m.eta), m.along_parameters(m.energy)},
             parameters);
  return result;
}

void TangentKernels::set_parameters(In values) {
  for (Kernel* kernel : {&equations, &variations, &quantities}) kernel->set_parameters(values);
}

}  // namespace hamel
