#include "symmetry/conditions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "hamel/derive/projection.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/program/evaluate.hpp"
#include "symmetry/centre_of_mass.hpp"

namespace hamel {
namespace {

Exprs substituted(const Exprs& f, const Exprs& from, const Exprs& to) {
  std::unordered_map<std::uint32_t, Expr> replacement;
  for (std::size_t i = 0; i < from.size(); ++i) replacement[from[i].id()] = to[i];
  return substitute(f, replacement);
}

std::vector<Rounded> rounded(const VectorXd& values, const VectorXd& errors) {
  std::vector<Rounded> result;
  for (Eigen::Index i = 0; i < values.size(); ++i) result.emplace_back(values(i), errors(i));
  return result;
}

std::vector<Rounded> exactly(const VectorXd& values) { return rounded(values, VectorXd::Zero(values.size())); }

// (q, fibre, u, {t}, parameters)
class Inputs {
 public:
  Inputs(const SymmetryState& state, const std::vector<Rounded>& parameters)
      : q_(rounded(state.q, state.q_error)),
        fibre_(rounded(state.fibre, state.fibre_error)),
        u_(exactly(state.u)),
        t_(state.t, 0),
        all_{q_.data(), fibre_.data(), u_.data(), &t_, parameters.data()} {}
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  const Rounded* const* data() const { return all_.data(); }

 private:
  std::vector<Rounded> q_, fibre_, u_;
  Rounded t_;
  std::array<const Rounded*, 5> all_;
};

bool are_finite(const std::vector<Rounded>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](const Rounded& x) { return std::isfinite(x.value) && std::isfinite(x.error); });
}

}  // namespace

SymmetryConditions::SymmetryConditions(const Model& model, const LoweredModel& lowered, const Parameters& parameters,
                                       const Units& units, const std::vector<StateSize>& other_sizes)
    : states_(model, lowered, parameters),
      sizes_{{}},
      constraints_(static_cast<int>(lowered.constraints.size())),
      by_hamiltonian_(!lowered.hamiltonian.empty()),
      has_forces_(!lowered.forces.empty() || !lowered.rayleigh.is_constant(0)) {
  const Exprs& fibre = by_hamiltonian_ ? lowered.mu : lowered.v;
  const Exprs terms = energy_terms(lowered);
  energies_ = static_cast<int>(terms.size());
  // On T*Q a Hamiltonian is a function of P mu only; its ambient formula is what the variational integrator sees.
  if (by_hamiltonian_) {
    any_ = derivatives_of(terms, lowered, fibre, parameters);
    tangent_ =
        derivatives_of(substituted(terms, fibre, tangent_part(model, lowered, fibre)), lowered, fibre, parameters);
  } else {
    tangent_ = derivatives_of(terms, lowered, fibre, parameters);
  }
  const Program energies("energies", {lowered.q, fibre, lowered.u, {lowered.t}, parameters.variables},
                         {terms, {sum(terms)}, lowered.constraints});
  sizes_.insert(sizes_.end(), other_sizes.begin(), other_sizes.end());
  choose_size();
  if (!by_hamiltonian_) states_.set_inertias(inertias());

  candidates_ = find_candidates(model, coordinates_with_gauge(energies), states_.offsets(), units);
  if (!by_hamiltonian_) find_centre_turns();
  unit_of_unknowns_ = candidates_.unit_of_unknowns(states_.offsets());
  fields_of_.resize(states_.spaces().size());
  for (std::size_t g = 0; g < candidates_.generators.size(); ++g)
    for (const auto& part : candidates_.generators[g])
      fields_of_[at(part.coordinate)].push_back({candidates_.generator(g), &part.field});
}

VectorXd SymmetryConditions::in_units_of_model(const VectorXd& coefficients) const {
  const VectorXd result = coefficients.cwiseProduct(unit_of_unknowns_);
  const auto first = std::find_if(result.begin(), result.end(), [](double z) { return z != 0; });
  return first == result.end() ? result : VectorXd(result / *first);
}

std::vector<Rounded> SymmetryConditions::momentum(In q, In v, double t) const {
  SymmetrySample sample;
  const VectorXd none = VectorXd::Zero(q.size());
  const auto inputs = static_cast<Eigen::Index>(tangent_.program.code().input_sizes[2]);
  sample.state = {q, v, VectorXd::Zero(inputs), t, none, none};
  evaluate(sample, Fibre::tangent);
  std::vector<Rounded> p, L_q;
  gradients(sample, p, L_q);
  return p;
}

// Of very many coordinates some are asked, and speak for their neighbours: all of them would take n^2 steps.
VectorXd SymmetryConditions::inertias() const {
  constexpr Eigen::Index most = 200;
  Random random(3);
  const SymmetrySample sample = samples(1, size(), Fibre::any, random).front();
  VectorXd result = VectorXd::Ones(static_cast<Eigen::Index>(states_.spaces().size()));
  const Eigen::Index together = (result.size() + most - 1) / most;
  for (Eigen::Index c = 0; c < result.size(); c += together)
    result.segment(c, std::min(together, result.size() - c)).setConstant(inertia(static_cast<int>(c), sample.state));
  return result;
}

double SymmetryConditions::inertia(int coordinate, const SymmetryState& state) const {
  const int begin = offset(coordinate), n = offset(coordinate + 1) - begin;
  VectorXd v = VectorXd::Zero(ambient());
  v.segment(begin, n) = state.fibre.segment(begin, n);
  const std::vector<Rounded> p = momentum(state.q, v, 0);
  double largest = 0;
  for (int i = begin; i < begin + n; ++i) largest = std::max(largest, std::abs(p[at(i)].value));
  const double result = largest / v.lpNorm<Eigen::Infinity>();
  return std::isnormal(result) ? result : 1;
}

void SymmetryConditions::find_centre_turns() {
  Random random(7);
  const auto states = samples(2, size(), Fibre::tangent, random);
  add_centre_turns(candidates_, states_.offsets(), states, [&](In q, In v, double t) { return momentum(q, v, t); });
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
  result.program =
      Program("symmetry", {lowered.q, fibre, lowered.u, {lowered.t}, parameters.variables}, {entries, force, velocity});
  return result;
}

// dF/dt is odd in the velocities: only terms that are not even in them can need it.
std::vector<bool> SymmetryConditions::coordinates_with_gauge(const Program& energies) const {
  std::vector<bool> is_even(at(energies_), true), has_gauge(states_.spaces().size(), false);
  Random random(5);
  for (const SymmetrySample& sample : samples(4, size(), Fibre::any, random)) {
    SymmetryState opposite = sample.state;
    opposite.fibre *= -1;
    std::vector<Rounded> here(at(energies_)), there = here, sum(1), constraints(at(constraints_));
    const auto values = [&](const SymmetryState& state, std::vector<Rounded>& terms) {
      const std::array out = {terms.data(), sum.data(), constraints.data()};
      hamel::evaluate(energies, Inputs(state, states_.parameters()).data(), out.data());
    };
    values(sample.state, here);
    values(opposite, there);
    for (std::size_t k = 0; k < is_even.size(); ++k)
      if (!agree(here[k], there[k])) is_even[k] = false;
  }
  for (const auto& [term, variable] : tangent_.pattern)
    if (term < energies_ && variable < 2 * ambient() && !is_even[at(term)])
      has_gauge[at(states_.coordinate_of(variable % ambient()))] = true;
  return has_gauge;
}

void SymmetryConditions::evaluate(SymmetrySample& sample, Fibre fibre) const {
  const auto& [program, pattern] = derivatives(fibre);
  sample.derivatives.resize(pattern.size());
  sample.force.resize(at(ambient()));
  sample.v.resize(at(ambient()));
  const std::array<Rounded*, 3> out = {sample.derivatives.data(), sample.force.data(), sample.v.data()};
  hamel::evaluate(program, Inputs(sample.state, states_.parameters()).data(), out.data());
}

bool SymmetryConditions::draw(SymmetrySample& sample, const Size& size, int kind, Fibre fibre, Random& random) const {
  const Fibre drawn = by_hamiltonian_ ? Fibre::any : fibre;
  if (!states_.draw(sample.state, size, kind, drawn, random)) return false;
  evaluate(sample, fibre);
  return are_finite(sample.derivatives) && are_finite(sample.force) && are_finite(sample.v);
}

std::vector<SymmetrySample> SymmetryConditions::samples(Eigen::Index count, const Size& size, Fibre fibre,
                                                        Random& random) const {
  std::vector<SymmetrySample> result;
  SymmetrySample sample;
  for (int kind = 0; kind < states_.kinds(size); ++kind) {
    Eigen::Index found = 0;
    for (int draws = 0; draws < most_draws() && found < count; ++draws) {
      if (!draw(sample, size, kind, fibre, random)) continue;
      result.push_back(sample);
      ++found;
      draws = 0;
    }
  }
  return result;
}

void SymmetryConditions::choose_size() {
  for (auto size = sizes_.begin(); size != sizes_.end(); ++size) {
    Random random(19);
    if (samples(2, *size, Fibre::tangent, random).empty()) continue;
    std::rotate(sizes_.begin(), size, size + 1);
    return;
  }
  throw std::domain_error(fmt::format(
      "symmetries are looked for at random states, but {} in a row were outside the domain of the energies or "
      "could not be moved onto the constraints",
      most_draws()));
}

// X = A q + b of a point; of a velocity A v, of a momentum -A^T p.
SymmetryConditions::Motion SymmetryConditions::motion(In x, In error, bool is_point) const {
  const auto& spaces = states_.spaces();
  Motion result;
  for (std::size_t c = 0; c < spaces.size(); ++c) {
    const int begin = states_.offsets()[c], n = spaces[c].ambient();
    const auto count = static_cast<Eigen::Index>(fields_of_[c].size());
    const VectorXd here = x.segment(begin, n), uncertain = here.cwiseAbs() + error.segment(begin, n);
    auto& [value, errors] = result.of.emplace_back(Motion::Columns{MatrixXd(n, count), MatrixXd(n, count)});
    for (Eigen::Index k = 0; k < count; ++k) {
      const AffineField& field = *fields_of_[c][static_cast<std::size_t>(k)].field;
      const bool is_dual = by_hamiltonian_ && !is_point;
      value.col(k) = is_dual ? VectorXd(-field.A.transpose() * here) : VectorXd(field.A * here);
      errors.col(k) = (is_dual ? field.A.transpose() : field.A).cwiseAbs() * uncertain;
      if (is_point) value.col(k) += field.b;
      if (is_point) errors.col(k) += field.b.cwiseAbs();
    }
  }
  const auto turns = static_cast<Eigen::Index>(candidates_.turns.size());
  result.turned = {MatrixXd::Zero(ambient(), turns), MatrixXd::Zero(ambient(), turns)};
  const VectorXd uncertain = 2 * x.cwiseAbs() + error;
  for (Eigen::Index k = 0; k < turns; ++k)
    for (const auto& [direction, weight] : candidates_.turns[static_cast<std::size_t>(k)].couplings) {
      result.turned.value.col(k) += weight.dot(x) * direction;
      result.turned.error.col(k) += weight.cwiseAbs().dot(uncertain) * direction.cwiseAbs();
    }
  return result;
}

// Writes contributions of one sample into the rows of the terms.
class SymmetryConditions::Table {
 public:
  Table(std::vector<SymmetryTerm>& terms, Eigen::Index unknowns) : terms_(terms) {
    for (const SymmetryTerm& term : terms) {
      auto& place = places_.emplace_back(static_cast<std::size_t>(unknowns), -1);
      for (Eigen::Index k = 0; const Eigen::Index unknown : term.unknowns)
        place[static_cast<std::size_t>(unknown)] = k++;
    }
  }
  void select(Eigen::Index sample) { sample_ = sample; }
  void add(int term, Eigen::Index unknown, const Rounded& a, double value, double error) {
    const Eigen::Index k = places_[at(term)][static_cast<std::size_t>(unknown)];
    SymmetryTerm& here = terms_[at(term)];
    here.value(sample_, k) += a.value * value;
    here.error(sample_, k) += a.error * std::abs(value) + std::abs(a.value) * (error + std::abs(value));
  }

 private:
  std::vector<SymmetryTerm>& terms_;
  std::vector<std::vector<Eigen::Index>> places_;  // by term and unknown
  Eigen::Index sample_ = 0;
};

std::vector<SymmetryTerm> SymmetryConditions::empty_terms(Fibre fibre, Eigen::Index samples) const {
  std::vector<std::set<Eigen::Index>> unknowns(at(energies_ + 2 + constraints_));
  const auto add_coordinate = [&](std::set<Eigen::Index>& here, int coordinate) {
    for (const Column& column : fields_of_[at(coordinate)]) here.insert(column.unknown);
    for (std::size_t k = 0; k < candidates_.turns.size(); ++k) here.insert(static_cast<Eigen::Index>(k));
  };
  for (const auto& [term, variable] : derivatives(fibre).pattern) {
    if (variable == 2 * ambient())
      unknowns[at(term)].insert(candidates_.time());
    else
      add_coordinate(unknowns[at(term)], states_.coordinate_of(variable % ambient()));
  }
  for (Eigen::Index k = candidates_.first_gauge(); k < candidates_.columns(); ++k) unknowns[at(energies_)].insert(k);
  if (has_forces_) {
    auto& forced = unknowns[at(energies_ + 1)];
    forced.insert(candidates_.time());
    for (std::size_t c = 0; c < fields_of_.size(); ++c) add_coordinate(forced, static_cast<int>(c));
  }
  std::vector<SymmetryTerm> terms;
  for (int k = 0; k < static_cast<int>(unknowns.size()); ++k) {
    const auto columns = static_cast<Eigen::Index>(unknowns[at(k)].size());
    terms.push_back({k <= energies_ ? 0 : k - energies_,
                     {unknowns[at(k)].begin(), unknowns[at(k)].end()},
                     MatrixXd::Zero(samples, columns),
                     MatrixXd::Zero(samples, columns)});
  }
  return terms;
}

std::vector<SymmetryTerm> SymmetryConditions::terms(const std::vector<SymmetrySample>& samples, Fibre fibre) const {
  std::vector<SymmetryTerm> result = empty_terms(fibre, static_cast<Eigen::Index>(samples.size()));
  Table table(result, candidates_.columns());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    table.select(static_cast<Eigen::Index>(s));
    add(samples[s], fibre, table);
    add_gauge(samples[s], table);
  }
  return result;
}

void SymmetryConditions::add(const SymmetrySample& sample, Fibre fibre, Table& table) const {
  const SymmetryState& state = sample.state;
  const Motion X = motion(state.q, state.q_error, true), Y = motion(state.fibre, state.fibre_error, false);
  const auto add_along = [&](int term, int entry, const Rounded& derivative, const Motion& motion) {
    const int coordinate = states_.coordinate_of(entry), row = entry - offset(coordinate);
    const auto& [value, error] = motion.of[at(coordinate)];
    for (Eigen::Index k = 0; const Column& column : fields_of_[at(coordinate)]) {
      table.add(term, column.unknown, derivative, value(row, k), error(row, k));
      ++k;
    }
    for (Eigen::Index k = 0; k < motion.turned.value.cols(); ++k)
      table.add(term, k, derivative, motion.turned.value(entry, k), motion.turned.error(entry, k));
  };
  const auto& pattern = derivatives(fibre).pattern;
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const auto [term, variable] = pattern[e];
    if (variable < ambient())
      add_along(term, variable, sample.derivatives[e], X);
    else if (variable < 2 * ambient())
      add_along(term, variable - ambient(), sample.derivatives[e], Y);
    else
      table.add(term, candidates_.time(), sample.derivatives[e], 1, 0);
  }
  if (!has_forces_) return;
  const int force_term = energies_ + 1;
  for (int i = 0; i < ambient(); ++i) {
    add_along(force_term, i, sample.force[at(i)], X);
    table.add(force_term, candidates_.time(), sample.force[at(i)], -sample.v[at(i)].value, sample.v[at(i)].error);
  }
}

void SymmetryConditions::add_gauge(const SymmetrySample& sample, Table& table) const {
  const VectorXd &q = sample.state.q, &error = sample.state.q_error;
  for (std::size_t k = 0; k < candidates_.gauge.size(); ++k) {
    const auto [coordinate, i, j] = candidates_.gauge[k];
    const int first = offset(coordinate) + i, second = offset(coordinate) + j;
    const Eigen::Index column = candidates_.first_gauge() + static_cast<Eigen::Index>(k);
    table.add(energies_, column, sample.v[at(first)], j < 0 ? -1 : -q(second), j < 0 ? 0 : error(second));
    if (j >= 0) table.add(energies_, column, sample.v[at(second)], -q(first), error(first));
  }
}

void SymmetryConditions::gradients(const SymmetrySample& sample, std::vector<Rounded>& p,
                                   std::vector<Rounded>& L_q) const {
  p.assign(at(ambient()), Rounded());
  L_q = p;
  for (std::size_t e = 0; e < tangent_.pattern.size(); ++e) {
    const auto [term, variable] = tangent_.pattern[e];
    if (term >= energies_ || variable >= 2 * ambient()) continue;
    Rounded& sum = (variable < ambient() ? L_q : p)[at(variable % ambient())];
    sum = sum + sample.derivatives[e];
  }
  if (by_hamiltonian_) p = rounded(sample.state.fibre, sample.state.fibre_error);
}

}  // namespace hamel
