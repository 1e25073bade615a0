#include "hamel/derive/canonical.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "derive/derivation.hpp"
#include "derive/natural.hpp"
#include "hamel/derive/formulation.hpp"

namespace hamel {
namespace {

using Substitution = std::unordered_map<std::uint32_t, Expr>;

Substitution replacing(const Exprs& variables, const Exprs& values) {
  Substitution result;
  for (std::size_t i = 0; i < variables.size(); ++i) result[variables[i].id()] = values[i];
  return result;
}

bool is_free_of(const Exprs& expressions, const Exprs& variables) {
  std::unordered_set<std::uint32_t> ids;
  for (Expr e : variables) ids.insert(e.id());
  for (Expr e : dependencies(expressions))
    if (ids.contains(e.id())) return false;
  return true;
}

// A model in natural velocities eta: ambient rates of the factors given by constraints, quasi-velocities of the others.
class NaturalForm {
 public:
  explicit NaturalForm(const Model& model) : sheet_(model), model_(model), lowered_(sheet_.lowered) {
    for (int f = 0; f < factors(); ++f) is_by_basis(space(f)) ? add_basis(f) : add_constraints(f);
    constraints_.insert(constraints_.end(), lowered_.constraints.begin(), lowered_.constraints.end());
    const Exprs gradients = values_of(jacobian(constraints_, lowered_.q));
    quadratic_ = is_free_of(values_of(jacobian(gradients, lowered_.q)), lowered_.q);
  }

  const Model& model() const { return model_; }
  const LoweredModel& lowered() const { return lowered_; }
  const Parameters& parameters() const { return sheet_.parameters; }
  const Exprs& eta() const { return eta_; }
  const Exprs& velocity() const { return velocity_; }  // V(q, eta)
  const Exprs& constraints() const { return constraints_; }
  bool is_redundant() const { return redundant_; }
  bool is_quadratic() const { return quadratic_; }

  // Where constraints are solved for, those of the factors among them are.
  std::vector<QuadraticInvariant> invariants() const {
    std::vector<QuadraticInvariant> all;
    for (int f = 0; f < factors(); ++f) {
      if (!is_quadratic() && !is_by_basis(space(f))) continue;
      const auto own = quadratic_invariants(space(f), lowered_.offsets[at(f)]);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

  Expr lagrangian() const {
    const Expr L = sum(lowered_.kinetic) + sum(lowered_.lagrangian) - sum(lowered_.potential);
    return substitute(Exprs{L}, replacing(lowered_.v, velocity_)).front();
  }
  Exprs force() const {
    return substitute(applied_force(lowered_.forces, lowered_.rayleigh, lowered_.v), replacing(lowered_.v, velocity_));
  }
  // C(q) V
  Exprs constraint_rates() const {
    return substitute(directional_derivative(constraints_, lowered_.q, lowered_.v), replacing(lowered_.v, velocity_));
  }
  bool has_formulas() const {
    const auto& coordinates = model_.coordinates();
    return std::all_of(coordinates.begin(), coordinates.end(), [](const auto& q) { return q.space.has_formulas(); });
  }
  // v - P(q) v, where there are formulas
  Exprs normal_part() const {
    Exprs normal = lowered_.v;
    for (int f = 0; f < factors(); ++f) {
      const int begin = lowered_.offsets[at(f)];
      const VectorXe v = Eigen::Map<const VectorXe>(lowered_.v.data() + begin, space(f).ambient());
      const VectorXe along = space(f).tangent_project(point(f), v);
      for (int i = 0; i < along.size(); ++i) normal[at(begin + i)] -= along(i);
    }
    return normal;
  }

 private:
  int factors() const { return static_cast<int>(model_.coordinates().size()); }
  const Manifold& space(int f) const { return model_.coordinates()[at(f)].space; }
  VectorXe point(int f) const {
    return Eigen::Map<const VectorXe>(lowered_.q.data() + lowered_.offsets[at(f)], space(f).ambient());
  }
  Exprs space_constraints(int f) const {
    const VectorXe c = space(f).constraints(point(f));
    return {c.begin(), c.end()};
  }

  void add_constraints(int f) {
    const int begin = lowered_.offsets[at(f)], end = lowered_.offsets[at(f + 1)];
    for (int i = begin; i < end; ++i) {
      eta_.push_back(lowered_.v[at(i)]);
      velocity_.push_back(lowered_.v[at(i)]);
    }
    const Exprs c = space_constraints(f);
    constraints_.insert(constraints_.end(), c.begin(), c.end());
  }

  void add_basis(int f) {
    const auto& [name, manifold] = model_.coordinates()[at(f)];
    const VectorXe q = point(f);
    const MatrixXe B = manifold.has_formulas() ? manifold.basis(q) : MatrixXe();
    const Exprs entries(B.data(), B.data() + B.size());
    if (entries.empty() || !is_free_of(values_of(jacobian(entries, lowered_.q)), lowered_.q))
      throw std::invalid_argument(
          fmt::format("{} is on {}, which has neither constraints nor a linear basis as a formula: canonical equations "
                      "in its ambient space are not known; use variational, rk4 or rk45",
                      name, manifold.name()));
    if (!keeps_midpoints(manifold))
      throw std::invalid_argument(
          fmt::format("{} is on {}, which is not given by quadratic equations: the canonical equations leave it; use "
                      "variational or a Lie-group method",
                      name, manifold.name()));
    const Exprs rates = Graph::current().variables("rate_of_" + name, manifold.rates());
    redundant_ = redundant_ || manifold.rates() > manifold.dimension();
    for (Eigen::Index i = 0; i < B.rows(); ++i) {
      Expr v;
      for (Eigen::Index j = 0; j < B.cols(); ++j) v += B(i, j) * rates[static_cast<std::size_t>(j)];
      velocity_.push_back(v);
    }
    eta_.insert(eta_.end(), rates.begin(), rates.end());
  }

  // The midpoint rule for q' = B(q) xi stays on groups that are given by quadratic equations, and on no others.
  static bool keeps_midpoints(const Manifold& manifold) {
    constexpr double size = 0.3, kept = 1e-12;
    Random random(7);
    const VectorXd q0 = manifold.reference_point();
    for (int sample = 0; sample < 3; ++sample) {
      VectorXd xi(manifold.rates()), q = q0, v(manifold.ambient());
      std::normal_distribution<double> normal;
      for (double& x : xi) x = normal(random);
      xi *= size / xi.norm();
      for (int iteration = 0; iteration < 100; ++iteration) {
        manifold.velocity((q0 + q) / 2, xi, v);
        q = q0 + v;
      }
      if (manifold.defect(q) > kept) return false;
    }
    return true;
  }

  Sheet sheet_;
  const Model& model_;
  const LoweredModel& lowered_;
  Exprs eta_, velocity_, constraints_;
  bool redundant_ = false, quadratic_ = false;
};

// q' and p' of natural velocities and multipliers.
struct Rates {
  Exprs p, lambda, velocity, momentum_rate;
};

Rates canonical_rates(const NaturalForm& form) {
  const LoweredModel& lowered = form.lowered();
  Graph& graph = Graph::current();
  Rates rates;
  rates.p = graph.variables("p", static_cast<int>(lowered.q.size()));
  rates.lambda = graph.variables("lambda", static_cast<int>(form.constraints().size()));
  rates.velocity = form.velocity();
  Expr potential = form.lagrangian();
  for (std::size_t i = 0; i < rates.p.size(); ++i)
    if (!(form.velocity()[i] == lowered.v[i])) potential -= rates.p[i] * form.velocity()[i];
  const Exprs c_rates = form.constraint_rates();
  for (std::size_t k = 0; k < c_rates.size(); ++k) potential += rates.lambda[k] * c_rates[k];
  rates.momentum_rate = gradient(potential, lowered.q);
  const Exprs force = form.force();
  for (std::size_t i = 0; i < force.size(); ++i) rates.momentum_rate[i] += force[i];
  return rates;
}

// P(q) x with a P that is the projector onto the kernel of C(q), or onto the range of B(q), at every q.
Exprs everywhere_tangent(const Model& model, const LoweredModel& lowered, const Exprs& x) {
  Exprs result;
  for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
    const auto& [name, manifold] = model.coordinates()[f];
    const int begin = lowered.offsets[f], n = manifold.ambient();
    const VectorXe q = Eigen::Map<const VectorXe>(lowered.q.data() + begin, n);
    const VectorXe y = Eigen::Map<const VectorXe>(x.data() + begin, n);
    MatrixXe frame;  // columns that span the normal space, or the tangent space
    if (manifold.has_constraints()) {
      const VectorXe c = manifold.constraints(q);
      const Exprs constraints(c.begin(), c.end()), point(q.begin(), q.end());
      const Exprs C = dense(jacobian(constraints, point), static_cast<int>(c.size()), n);
      frame = Eigen::Map<const MatrixXe>(C.data(), c.size(), n).transpose();
    } else {
      frame = manifold.basis(q);
      if (manifold.rates() > manifold.dimension())
        throw std::invalid_argument(
            fmt::format("{} is on {}, whose rates are redundant: the tangent projection off the manifold is not known; "
                        "use rk4 or rk45",
                        name, manifold.name()));
    }
    const VectorXe pulled = frame.transpose() * y;
    const MatrixXe gram = frame.transpose() * frame;
    SparseEntries entries;
    for (int i = 0; i < gram.rows(); ++i)
      for (int j = 0; j < gram.cols(); ++j) entries.push_back({i, j, gram(i, j)});
    const Exprs solution = eliminate(std::vector<Unknown>(static_cast<std::size_t>(gram.rows())), entries,
                                     {pulled.begin(), pulled.end()}, true);
    const VectorXe along = frame * Eigen::Map<const VectorXe>(solution.data(), gram.rows());
    for (int i = 0; i < n; ++i) result.push_back(manifold.has_constraints() ? y(i) - along(i) : along(i));
  }
  return result;
}

Rates hamiltonian_rates(const NaturalForm& form) {
  const LoweredModel& lowered = form.lowered();
  if (!lowered.constraints.empty())
    throw std::invalid_argument("holonomic constraints with a Hamiltonian are not supported: give a Lagrangian");
  Rates rates;
  rates.p = Graph::current().variables("p", static_cast<int>(lowered.q.size()));
  const Exprs mu = everywhere_tangent(form.model(), lowered, rates.p);
  const Expr H = substitute(Exprs{sum(lowered.hamiltonian)}, replacing(lowered.mu, mu)).front();
  rates.velocity = gradient(H, rates.p);
  const Exprs H_q = gradient(H, lowered.q);
  const Exprs force =
      substitute(applied_force(lowered.forces, lowered.rayleigh, lowered.v), replacing(lowered.v, rates.velocity));
  for (std::size_t i = 0; i < H_q.size(); ++i) rates.momentum_rate.push_back(force[i] - H_q[i]);
  return rates;
}

// Where the momentum is linear in the velocity: L_ee eta + C^T lambda = p.V_e - L_e at rest, C eta = 0.
Kernel flow_by_elimination(const NaturalForm& form, const Rates& rates, const Exprs& residual, const Exprs& c_rates) {
  if (!form.lowered().constraints.empty()) return {};
  const Exprs& eta = form.eta();
  Exprs unknowns = eta, equations = residual, at_rest(eta.size());
  unknowns.insert(unknowns.end(), rates.lambda.begin(), rates.lambda.end());
  equations.insert(equations.end(), c_rates.begin(), c_rates.end());
  SparseEntries matrix = jacobian(equations, eta);
  for (const Entry& entry : SparseEntries(matrix))
    if (entry.row >= static_cast<int>(eta.size())) matrix.push_back({entry.col, entry.row, entry.value});
  Exprs b = substitute(equations, replacing(eta, at_rest));
  for (Expr& x : b) x = -x;
  try {
    const Exprs solution = eliminate(natural_unknowns(form.model()), mirrored(matrix), std::move(b), true,
                                     {.least_inertia = least_inertia});
    const Substitution solved = replacing(unknowns, solution);
    Kernel flow("canonical", {form.lowered().q, rates.p, {form.lowered().t}, form.lowered().u},
                {substitute(rates.velocity, solved), substitute(rates.momentum_rate, solved)}, form.parameters(), 1);
    return flow.program().operations() <= most_dense_operations ? flow : Kernel();
  } catch (const NoPivot&) {
    return {};
  }
}

// Rates as formulas of q and p alone, where they can be written down: H given, or a constant mass.
std::optional<Rates> explicit_rates(const NaturalForm& form, bool has_constant_mass) {
  if (!form.lowered().hamiltonian.empty()) return hamiltonian_rates(form);
  if (!has_constant_mass || form.is_redundant()) return std::nullopt;
  Rates rates = canonical_rates(form);
  Derivation derivation(form.model(), form.lowered(), form.parameters());
  const auto [eta, lambda] = derivation.canonical_velocity(rates.p);
  Substitution solved = replacing(form.eta(), eta);
  solved.merge(replacing(rates.lambda, lambda));
  rates.velocity = substitute(rates.velocity, solved);
  rates.momentum_rate = substitute(rates.momentum_rate, solved);
  return rates;
}

void add_normal_part(const NaturalForm& form, CanonicalKernels& kernels) {
  const LoweredModel& lowered = form.lowered();
  if (!lowered.constraints.empty()) return;
  kernels.projects_in_numbers = !form.has_formulas();
  if (!kernels.projects_in_numbers)
    kernels.normal_part = Kernel("normal_part", {lowered.q, lowered.v}, {form.normal_part()}, form.parameters());
}

}  // namespace

CanonicalKernels canonical_kernels(const Model& model, bool has_constant_mass) {
  const NaturalForm form(model);
  const LoweredModel& lowered = form.lowered();
  CanonicalKernels result;
  result.multipliers = static_cast<int>(form.constraints().size());
  if (!form.is_quadratic())
    result.constraint = Kernel("canonical_constraint", {lowered.q},
                               {form.constraints(), dense(jacobian(form.constraints(), lowered.q), result.multipliers,
                                                          static_cast<int>(lowered.q.size()))},
                               form.parameters());
  result.invariants = form.invariants();
  if (const auto rates = explicit_rates(form, has_constant_mass)) {
    result.flow = Kernel("canonical", {lowered.q, rates->p, {lowered.t}, lowered.u},
                         {rates->velocity, rates->momentum_rate}, form.parameters(), 1);
    add_normal_part(form, result);
    return result;
  }
  const Rates rates = canonical_rates(form);
  const Exprs& eta = form.eta();
  Expr lagrangian = form.lagrangian();
  for (std::size_t i = 0; i < rates.p.size(); ++i) lagrangian -= rates.p[i] * form.velocity()[i];
  const Exprs residual = gradient(lagrangian, eta);
  const int natural = static_cast<int>(eta.size());
  result.natural = natural;
  result.redundant = form.is_redundant();
  const Exprs H = dense(jacobian(residual, eta), natural, natural);
  result.linear = is_free_of(H, eta);
  const Exprs c_rates = form.constraint_rates();
  const Exprs C = dense(jacobian(c_rates, eta), result.multipliers, natural);
  result.fibre = Kernel("canonical_fibre", {lowered.q, rates.p, eta, {lowered.t}}, {residual, H, C}, form.parameters());
  result.rate = Kernel("canonical_rate", {lowered.q, rates.p, eta, rates.lambda, {lowered.t}, lowered.u},
                       {rates.velocity, rates.momentum_rate}, form.parameters());
  if (!result.linear || result.redundant || at(natural + result.multipliers) > most_dense_unknowns) return result;
  result.flow = flow_by_elimination(form, rates, residual, c_rates);
  if (!result.flow.empty()) add_normal_part(form, result);
  return result;
}

void CanonicalKernels::without_flow() {
  flow = normal_part = Kernel();
  projects_in_numbers = false;
}

void CanonicalKernels::set_parameters(In values) {
  for (Kernel* kernel : {&flow, &normal_part, &fibre, &rate, &constraint}) kernel->set_parameters(values);
}

Kernel canonical_derivative(const Model& model, bool has_constant_mass) {
  const NaturalForm form(model);
  const LoweredModel& lowered = form.lowered();
  const auto rates = explicit_rates(form, has_constant_mass);
  if (!rates) return {};
  Exprs f = rates->velocity, x = lowered.q;
  f.insert(f.end(), rates->momentum_rate.begin(), rates->momentum_rate.end());
  x.insert(x.end(), rates->p.begin(), rates->p.end());
  const int n = static_cast<int>(x.size());
  return {"canonical_derivative",
          {lowered.q, rates->p, {lowered.t}, lowered.u},
          {dense(jacobian(f, x), n, n)},
          form.parameters()};
}

}  // namespace hamel
