#include "hamel/mechanics/canonical.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "mechanics/derivation.hpp"

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
  explicit NaturalForm(const Model& model)
      : sheet_(model),
        model_(model),
        lowered_(sheet_.lowered),
        parameters_{lowered_.parameters, parameter_values(model)} {
    for (int f = 0; f < factors(); ++f) is_by_basis(space(f)) ? add_basis(f) : add_constraints(f);
    constraints_.insert(constraints_.end(), lowered_.constraints.begin(), lowered_.constraints.end());
  }

  const Model& model() const { return model_; }
  const LoweredModel& lowered() const { return lowered_; }
  const Parameters& parameters() const { return parameters_; }
  const Exprs& eta() const { return eta_; }
  const Exprs& velocity() const { return velocity_; }  // V(q, eta)
  const Exprs& constraints() const { return constraints_; }
  bool is_redundant() const { return redundant_; }

  bool is_quadratic() const {
    for (Expr c : constraints_)
      if (!is_free_of(values_of(jacobian(gradient(c, lowered_.q), lowered_.q)), lowered_.q)) return false;
    return true;
  }

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
  Parameters parameters_;
  Exprs eta_, velocity_, constraints_;
  bool redundant_ = false;
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

// Rates as formulas of q and p alone, where they can be written down: H given, or a constant mass.
std::optional<Rates> explicit_rates(const System& system, const NaturalForm& form) {
  if (system.has_hamiltonian()) return hamiltonian_rates(form);
  if (system.path() != Path::constant_mass || form.is_redundant()) return std::nullopt;
  Rates rates = canonical_rates(form);
  Derivation derivation(form.model(), form.lowered(), form.parameters());
  const auto [eta, lambda] = derivation.canonical_velocity(rates.p);
  Substitution solved = replacing(form.eta(), eta);
  solved.merge(replacing(rates.lambda, lambda));
  rates.velocity = substitute(rates.velocity, solved);
  rates.momentum_rate = substitute(rates.momentum_rate, solved);
  return rates;
}

}  // namespace

Canonical::Canonical(const System& system)
    : ambient_(system.ambient()), inputs_(system.inputs()), name_(system.name()) {
  const NaturalForm form(system.model());
  const LoweredModel& lowered = form.lowered();
  multipliers_ = static_cast<int>(form.constraints().size());
  if (!form.is_quadratic())
    constraint_ = Kernel("canonical_constraint", {lowered.q},
                         {form.constraints(), dense(jacobian(form.constraints(), lowered.q), multipliers_, ambient_)},
                         form.parameters());
  invariants_ = form.invariants();
  if (const auto rates = explicit_rates(system, form)) {
    flow_ = Kernel("canonical", {lowered.q, rates->p, {lowered.t}, lowered.u}, {rates->velocity, rates->momentum_rate},
                   form.parameters(), 1);
    return;
  }
  const Rates rates = canonical_rates(form);
  const Exprs& eta = form.eta();
  Expr lagrangian = form.lagrangian();
  for (std::size_t i = 0; i < rates.p.size(); ++i) lagrangian -= rates.p[i] * form.velocity()[i];
  const Exprs residual = gradient(lagrangian, eta);
  natural_ = static_cast<int>(eta.size());
  redundant_ = form.is_redundant();
  const Exprs H = dense(jacobian(residual, eta), natural_, natural_);
  linear_ = is_free_of(H, eta);
  const Exprs C = dense(jacobian(form.constraint_rates(), eta), multipliers_, natural_);
  fibre_ = Kernel("canonical_fibre", {lowered.q, rates.p, eta, {lowered.t}}, {residual, H, C}, form.parameters());
  rate_ = Kernel("canonical_rate", {lowered.q, rates.p, eta, rates.lambda, {lowered.t}, lowered.u},
                 {rates.velocity, rates.momentum_rate}, form.parameters());
}

Kernel canonical_derivative(const System& system) {
  const NaturalForm form(system.model());
  const LoweredModel& lowered = form.lowered();
  const auto rates = explicit_rates(system, form);
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

std::vector<const Program*> Canonical::flow_programs() const {
  if (is_explicit()) return {&flow_.program()};
  return {&fibre_.program(), &rate_.program()};
}

std::vector<const Program*> Canonical::step_programs() const {
  if (constraint_.empty()) return {};
  return {&constraint_.program()};
}

void Canonical::set_parameters(In values) {
  for (Kernel* kernel : {&flow_, &fibre_, &rate_, &constraint_}) kernel->set_parameters(values);
}

Canonical::Workspace Canonical::workspace() const {
  Workspace w;
  std::size_t scratch = 1;
  for (const Kernel* kernel : {&flow_, &fibre_, &rate_, &constraint_})
    if (!kernel->empty()) scratch = std::max(scratch, kernel->program().scratch_size(8));
  w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  for (VectorXd* x : {&w.q, &w.p, &w.v, &w.rate}) *x = VectorXd::Zero(ambient_);
  w.eta = w.residual = VectorXd::Zero(natural_);
  w.lambda = VectorXd::Zero(multipliers_);
  const int n = natural_ + multipliers_;
  w.correction = w.rhs = VectorXd::Zero(n);
  w.H = MatrixXd::Zero(natural_, natural_);
  w.C = MatrixXd::Zero(multipliers_, natural_);
  w.matrix = MatrixXd::Zero(n, n);
  if (n > 0) w.lu = linear::Lu(n);
  return w;
}

// [ L_ee  C^T ] [ eta increment ]   [ p.V_e - L_e ]
// [ C      0  ] [ lambda        ] = [ - C eta     ]
void Canonical::solve(Workspace& w, double t, const double* q, const double* p) const {
  constexpr int most_iterations = 50;
  double previous = std::numeric_limits<double>::infinity();
  w.eta.setZero();
  const auto evaluate_fibre = [&] {
    fibre_.run<4, 3>({q, p, w.eta.data(), &t}, {w.residual.data(), w.H.data(), w.C.data()}, w.scratch.data());
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    evaluate_fibre();
    // A step may lead out of the domain of L, such as beyond the speed of light.
    for (int halved = 0; iteration > 0 && halved < most_iterations && !w.residual.allFinite(); ++halved) {
      w.correction *= 0.5;
      w.eta -= w.correction.head(natural_);
      evaluate_fibre();
    }
    w.matrix.topLeftCorner(natural_, natural_) = w.H;
    w.rhs.head(natural_) = -w.residual;
    if (multipliers_ > 0) {
      w.matrix.topRightCorner(natural_, multipliers_) = w.C.transpose();
      w.matrix.bottomLeftCorner(multipliers_, natural_) = w.C;
      w.rhs.tail(multipliers_).noalias() = -w.C * w.eta;
    }
    if (redundant_) {
      const double mass = w.H.lpNorm<Eigen::Infinity>();
      w.matrix.topLeftCorner(natural_, natural_) /= mass;
      w.rhs.head(natural_) /= mass;
      w.correction = linear::shortest_least_squares(w.matrix, w.rhs);
      w.correction.tail(multipliers_) *= mass;
    } else {
      linear::factorise(w.lu, w.matrix);
      linear::solve(w.lu, w.rhs, w.correction);
    }
    w.eta += w.correction.head(natural_);
    w.lambda = w.correction.tail(multipliers_);
    const double size = w.correction.head(natural_).lpNorm<Eigen::Infinity>();
    const double momentum = Eigen::Map<const VectorXd>(p, ambient_).lpNorm<Eigen::Infinity>();
    const double scale = w.eta.lpNorm<Eigen::Infinity>() + momentum / w.H.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    if (linear_ || size <= 1e-15 * scale || (size >= previous && size <= 1e-10 * scale)) return;
    previous = size;
  }
  throw std::runtime_error(
      fmt::format("no velocity of {} belongs to its momentum at t = {:.9g}: Newton's method for the Legendre transform "
                  "did not converge (last correction {:.2e}); a shorter step may help",
                  name_, t, previous));
}

template <int lanes>
void Canonical::flow(Workspace& w, const double* t, const double* q, const double* p, const double* u, double* v,
                     double* p_rate) const {
  if (is_explicit()) return flow_.run_lanes<lanes, 4, 2>({q, p, t, u}, {v, p_rate}, w.scratch.data());
  for (int lane = 0; lane < lanes; ++lane) {
    for (int i = 0; i < ambient_; ++i) {
      w.q(i) = q[i * lanes + lane];
      w.p(i) = p[i * lanes + lane];
    }
    solve(w, t[lane], w.q.data(), w.p.data());
    rate_.run<6, 2>({w.q.data(), w.p.data(), w.eta.data(), w.lambda.data(), t + lane, u}, {w.v.data(), w.rate.data()},
                    w.scratch.data());
    for (int i = 0; i < ambient_; ++i) {
      v[i * lanes + lane] = w.v(i);
      p_rate[i * lanes + lane] = w.rate(i);
    }
  }
}

template void Canonical::flow<1>(Workspace&, const double*, const double*, const double*, const double*, double*,
                                 double*) const;
template void Canonical::flow<4>(Workspace&, const double*, const double*, const double*, const double*, double*,
                                 double*) const;
template void Canonical::flow<8>(Workspace&, const double*, const double*, const double*, const double*, double*,
                                 double*) const;

void Canonical::constraint(Workspace& w, In q, Out c, Eigen::Ref<MatrixXd> C) const {
  constraint_.run<1, 2>({q.data()}, {c.data(), C.data()}, w.scratch.data());
}

}  // namespace hamel
