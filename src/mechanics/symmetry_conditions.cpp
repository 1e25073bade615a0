#include "mechanics/symmetry_conditions.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "manifold/linear_algebra.hpp"
#include "mechanics/centre_of_mass.hpp"
#include "mechanics/projection.hpp"

namespace hamel {
namespace {

constexpr double most_work = 3e6;  // nodes to visit when every term is differentiated on its own
constexpr int most_draws = 40;     // per sample, outside the domain of the energies

VectorXd normal_vector(Eigen::Index n, Random& random) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

// The terms of L, or of -H.
Exprs energy_terms(const LoweredModel& lowered) {
  Exprs terms = lowered.kinetic;
  terms.insert(terms.end(), lowered.lagrangian.begin(), lowered.lagrangian.end());
  for (const Expr U : lowered.potential) terms.push_back(-U);
  for (const Expr H : lowered.hamiltonian) terms.push_back(-H);
  if (static_cast<double>(terms.size()) * static_cast<double>(reachable(terms).size()) > most_work)
    terms = {sum(terms)};
  return terms;
}

Exprs substituted(const Exprs& f, const Exprs& from, const Exprs& to) {
  std::unordered_map<std::uint32_t, Expr> replacement;
  for (std::size_t i = 0; i < from.size(); ++i) replacement[from[i].id()] = to[i];
  return substitute(f, replacement);
}

}  // namespace

SymmetryConditions::SymmetryConditions(const Model& model, const LoweredModel& lowered, const Parameters& parameters)
    : offsets_(lowered.offsets),
      constraints_(static_cast<int>(lowered.constraints.size())),
      inputs_(static_cast<int>(lowered.u.size())),
      by_hamiltonian_(!lowered.hamiltonian.empty()) {
  for (std::size_t c = 0; c < model.coordinates().size(); ++c) {
    spaces_.push_back(model.coordinates()[c].space);
    coordinate_of_.insert(coordinate_of_.end(), at(spaces_.back().ambient()), static_cast<int>(c));
  }
  const Exprs& fibre = by_hamiltonian_ ? lowered.mu : lowered.v;
  const Exprs terms = energy_terms(lowered);
  energies_ = static_cast<int>(terms.size());
  constraint_ = Kernel("constraint", {lowered.q},
                       {lowered.constraints, dense(jacobian(lowered.constraints, lowered.q), constraints_, ambient())},
                       parameters);
  // On T*Q a Hamiltonian is a function of P mu only; its ambient formula is what the variational integrator sees.
  if (by_hamiltonian_) {
    any_ = derivatives_of(terms, lowered, fibre, parameters);
    tangent_ =
        derivatives_of(substituted(terms, fibre, tangent_part(model, lowered, fibre)), lowered, fibre, parameters);
  } else {
    tangent_ = derivatives_of(terms, lowered, fibre, parameters);
  }

  candidates_ = find_candidates(model, coordinates_with_gauge(terms, lowered, fibre, parameters));
  if (!by_hamiltonian_) find_centre_turns();
  fields_of_.resize(spaces_.size());
  for (std::size_t g = 0; g < candidates_.generators.size(); ++g)
    for (const auto& part : candidates_.generators[g])
      fields_of_[at(part.coordinate)].push_back({candidates_.generator(g), &part.field});

  Random random(11);
  VectorXd p, L_q;
  gradients(samples(1, Velocities::tangent, random).front(), p, L_q);
  if (p.norm() > 0) gauge_unit_ = p.norm() / std::sqrt(static_cast<double>(p.size()));
}

void SymmetryConditions::find_centre_turns() {
  Random random(7);
  const auto states = samples(2, Velocities::tangent, random);
  const VectorXd no_input = VectorXd::Zero(inputs_);
  add_centre_turns(candidates_, offsets_, states, [&](In q, In v, double t) {
    SymmetrySample sample;
    sample.q = q;
    sample.fibre = v;
    evaluate(sample, Velocities::tangent, no_input, t);
    VectorXd p, L_q;
    gradients(sample, p, L_q);
    return p;
  });
}

SymmetryConditions::Derivatives SymmetryConditions::derivatives_of(Exprs terms, const LoweredModel& lowered,
                                                                   const Exprs& fibre,
                                                                   const Parameters& parameters) const {
  Exprs velocity = lowered.v, force = applied_force(lowered.forces, lowered.rayleigh, lowered.v);
  if (by_hamiltonian_) {
    velocity = gradient(-sum(terms), fibre);
    force = substituted(force, lowered.v, velocity);
  }
  terms.push_back(Expr());  // gauge
  terms.push_back(Expr());  // forces
  terms.insert(terms.end(), lowered.constraints.begin(), lowered.constraints.end());
  Exprs variables = lowered.q;
  variables.insert(variables.end(), fibre.begin(), fibre.end());
  variables.push_back(lowered.t);
  Derivatives result;
  Exprs entries;
  for (const auto& [term, variable, value] : jacobian(terms, variables)) {
    result.pattern.emplace_back(term, variable);
    entries.push_back(value);
  }
  result.kernel =
      Kernel("symmetry", {lowered.q, fibre, lowered.u, {lowered.t}}, {entries, force, velocity}, parameters);
  return result;
}

// dF/dt is odd in the velocities: only terms that are not even in them can need it.
std::vector<bool> SymmetryConditions::coordinates_with_gauge(const Exprs& terms, const LoweredModel& lowered,
                                                             const Exprs& fibre, const Parameters& parameters) const {
  const Kernel kernel("terms", {lowered.q, fibre, {lowered.t}}, {terms}, parameters);
  VectorXd scratch(static_cast<Eigen::Index>(kernel.program().scratch_size())), here(energies_), there(energies_);
  std::vector<bool> is_even(terms.size(), true), has_gauge(spaces_.size(), false);
  Random random(5);
  for (const SymmetrySample& sample : samples(3, Velocities::any, random)) {
    const VectorXd opposite = -sample.fibre;
    const double t = 0.3;
    kernel.run<3, 1>({sample.q.data(), sample.fibre.data(), &t}, {here.data()}, scratch.data());
    kernel.run<3, 1>({sample.q.data(), opposite.data(), &t}, {there.data()}, scratch.data());
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const double a = here(static_cast<Eigen::Index>(k)), b = there(static_cast<Eigen::Index>(k));
      if (!(std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b)))) is_even[k] = false;
    }
  }
  for (const auto& [term, variable] : tangent_.pattern)
    if (term < energies_ && variable < 2 * ambient() && !is_even[at(term)])
      has_gauge[at(coordinate_of_[at(variable % ambient())])] = true;
  return has_gauge;
}

void SymmetryConditions::constraint(In q, VectorXd& c, MatrixXd& G) const {
  VectorXd scratch(static_cast<Eigen::Index>(constraint_.program().scratch_size()));
  c.resize(constraints_);
  G.resize(constraints_, ambient());
  constraint_.run<1, 2>({q.data()}, {c.data(), G.data()}, scratch.data());
}

MatrixXd SymmetryConditions::factor_bases(In q) const {
  Eigen::Index columns = 0;
  for (const Manifold& space : spaces_) columns += space.dimension();
  MatrixXd N = MatrixXd::Zero(ambient(), columns);
  columns = 0;
  for (std::size_t c = 0; c < spaces_.size(); ++c) {
    const int begin = offsets_[c], n = spaces_[c].ambient(), d = spaces_[c].dimension();
    MatrixXd basis(n, d);
    spaces_[c].tangent_basis(q.segment(begin, n), basis);
    N.block(begin, columns, n, d) = basis;
    columns += d;
  }
  return N;
}

MatrixXd SymmetryConditions::tangent_basis(In q) const {
  const MatrixXd N = factor_bases(q);
  if (constraints_ == 0) return N;
  VectorXd c;
  MatrixXd G;
  constraint(q, c, G);
  return N * linear::null_space(G * N);
}

// Gauss-Newton along the manifold.
bool SymmetryConditions::move_to_constraints(VectorXd& q) const {
  VectorXd c;
  MatrixXd G;
  for (int iteration = 0; iteration < 60; ++iteration) {
    constraint(q, c, G);
    if (!c.allFinite() || !G.allFinite()) return false;
    if (c.lpNorm<Eigen::Infinity>() <= 1e-14 * (1 + G.lpNorm<Eigen::Infinity>())) return true;
    const MatrixXd N = factor_bases(q);
    VectorXd step = N * linear::shortest_least_squares(G * N, -c);
    step *= std::min(1.0, 0.5 / step.norm());
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      auto part = q.segment(offsets_[k], spaces_[k].ambient());
      spaces_[k].retract(part, step.segment(offsets_[k], spaces_[k].ambient()), part);
    }
  }
  return c.lpNorm<Eigen::Infinity>() <= 1e-12 * (1 + G.lpNorm<Eigen::Infinity>());
}

bool SymmetryConditions::draw(SymmetrySample& sample, Velocities velocities, Random& random) const {
  sample.q.resize(ambient());
  for (std::size_t c = 0; c < spaces_.size(); ++c)
    sample.q.segment(offsets_[c], spaces_[c].ambient()) = spaces_[c].random_point(random);
  if (constraints_ > 0 && !move_to_constraints(sample.q)) return false;
  sample.fibre = normal_vector(ambient(), random);
  if (velocities == Velocities::tangent && !by_hamiltonian_) {
    const MatrixXd N = tangent_basis(sample.q);
    sample.fibre = N * normal_vector(N.cols(), random);
  }
  const VectorXd u = normal_vector(inputs_, random);
  evaluate(sample, velocities, u, normal_vector(1, random)(0));
  return sample.derivatives.allFinite() && sample.force.allFinite() && sample.v.allFinite();
}

void SymmetryConditions::evaluate(SymmetrySample& sample, Velocities velocities, In u, double t) const {
  const auto& [kernel, pattern] = derivatives(velocities);
  VectorXd scratch(static_cast<Eigen::Index>(kernel.program().scratch_size()));
  sample.derivatives.resize(static_cast<Eigen::Index>(pattern.size()));
  sample.force.resize(ambient());
  sample.v.resize(ambient());
  kernel.run<4, 3>({sample.q.data(), sample.fibre.data(), u.data(), &t},
                   {sample.derivatives.data(), sample.force.data(), sample.v.data()}, scratch.data());
}

std::vector<SymmetrySample> SymmetryConditions::samples(Eigen::Index count, Velocities velocities,
                                                        Random& random) const {
  std::vector<SymmetrySample> result(static_cast<std::size_t>(count));
  for (SymmetrySample& sample : result) {
    int draws = 1;
    while (!draw(sample, velocities, random))
      if (++draws > most_draws)
        throw std::domain_error(fmt::format(
            "symmetries are looked for at random states, but {} in a row were outside the domain of the energies or "
            "could not be moved onto the constraints",
            most_draws));
  }
  return result;
}

template <class Act>
SymmetryConditions::Motion SymmetryConditions::motion(In x, Act act) const {
  Motion result{{}, MatrixXd::Zero(ambient(), static_cast<Eigen::Index>(candidates_.turns.size()))};
  for (std::size_t c = 0; c < spaces_.size(); ++c) {
    MatrixXd& columns = result.of.emplace_back(spaces_[c].ambient(), fields_of_[c].size());
    for (Eigen::Index k = 0; const Column& column : fields_of_[c])
      act(*column.field, x.segment(offsets_[c], columns.rows()), columns.col(k++));
  }
  for (std::size_t k = 0; k < candidates_.turns.size(); ++k)
    for (const auto& [direction, weight] : candidates_.turns[k].couplings)
      result.turned.col(static_cast<Eigen::Index>(k)) += weight.dot(x) * direction;
  return result;
}

void SymmetryConditions::contributions(const SymmetrySample& sample, Velocities velocities, MatrixXd& value,
                                       MatrixXd& size) const {
  value.setZero(terms(), candidates_.columns());
  size.setZero(terms(), candidates_.columns());
  const Motion X = motion(sample.q, [](const AffineField& field, In q, Out here) {
    here.noalias() = field.A * q;
    here += field.b;
  });
  const Motion Y = motion(sample.fibre, [this](const AffineField& field, In y, Out here) {
    if (by_hamiltonian_)
      here.noalias() = -field.A.transpose() * y;
    else
      here.noalias() = field.A * y;
  });
  const auto add = [&](int term, Eigen::Index unknown, double contribution) {
    value(term, unknown) += contribution;
    size(term, unknown) += std::abs(contribution);
  };
  const auto add_along = [&](int term, int entry, double derivative, const Motion& motion) {
    const auto c = at(coordinate_of_[at(entry)]);
    for (std::size_t k = 0; k < fields_of_[c].size(); ++k)
      add(term, fields_of_[c][k].unknown, derivative * motion.of[c](entry - offsets_[c], static_cast<Eigen::Index>(k)));
    for (Eigen::Index k = 0; k < motion.turned.cols(); ++k) add(term, k, derivative * motion.turned(entry, k));
  };
  const auto& pattern = derivatives(velocities).pattern;
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const auto [term, variable] = pattern[e];
    const double derivative = sample.derivatives(static_cast<Eigen::Index>(e));
    if (variable < ambient())
      add_along(term, variable, derivative, X);
    else if (variable < 2 * ambient())
      add_along(term, variable - ambient(), derivative, Y);
    else
      add(term, candidates_.time(), derivative);
  }
  const int force_term = energies_ + 1;
  for (int i = 0; i < ambient(); ++i) {
    add_along(force_term, i, sample.force(i), X);
    add(force_term, candidates_.time(), -sample.force(i) * sample.v(i));
  }
  add_gauge(sample, value, size);
}

void SymmetryConditions::add_gauge(const SymmetrySample& sample, MatrixXd& value, MatrixXd& size) const {
  for (std::size_t k = 0; k < candidates_.gauge.size(); ++k) {
    const auto [coordinate, i, j] = candidates_.gauge[k];
    const Eigen::Index first = offset(coordinate) + i, second = offset(coordinate) + j;
    const Eigen::Index column = candidates_.first_gauge() + static_cast<Eigen::Index>(k);
    const double a = j < 0 ? sample.v(first) : sample.v(first) * sample.q(second);
    const double b = j < 0 ? 0.0 : sample.q(first) * sample.v(second);
    value(energies_, column) = -gauge_unit_ * (a + b);
    size(energies_, column) = gauge_unit_ * (std::abs(a) + std::abs(b));
  }
}

void SymmetryConditions::gradients(const SymmetrySample& sample, VectorXd& p, VectorXd& L_q) const {
  p.setZero(ambient());
  L_q.setZero(ambient());
  for (std::size_t e = 0; e < tangent_.pattern.size(); ++e) {
    const auto [term, variable] = tangent_.pattern[e];
    const double derivative = sample.derivatives(static_cast<Eigen::Index>(e));
    if (term >= energies_ || variable >= 2 * ambient()) continue;
    (variable < ambient() ? L_q : p)(variable % ambient()) += derivative;
  }
  if (by_hamiltonian_) p = sample.fibre;
}

}  // namespace hamel
