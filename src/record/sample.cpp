#include "hamel/record/sample.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "hamel/mechanics/scratch.hpp"
#include "hamel/program/native.hpp"

namespace hamel {
namespace {

std::vector<Formula> formulas_of(const std::vector<Output>& outputs) {
  std::vector<Formula> formulas;
  for (const Output& output : outputs) formulas.push_back(output.formula);
  return formulas;
}

// c = 0 is a sum of terms that cancel; of a vector, terms are as large as their norms.
Kernel constraint_size_kernel(const Model& model) {
  if (model.constraints().empty()) return {};
  Sheet sheet(model);
  LoweredModel& lowered = sheet.lowered;
  std::vector<Expr> sizes;
  for (const auto& [name, formula] : model.constraints()) {
    Expr size;
    for (const Formula& term : summands({formula})) size += lower(term, model, lowered).norm();
    sizes.insert(sizes.end(), static_cast<std::size_t>(formula.rows()) * static_cast<std::size_t>(formula.cols()),
                 size);
  }
  return {"constraint sizes", {lowered.q}, {sizes}, {lowered.parameters, parameter_values(model)}};
}

// T(q, s v) = T0 + s T1 + s^2 T2 + more. Which of these are there, and is the energy T + U? Asked at random states.
struct KineticParts {
  bool purely_quadratic = true, quadratic = true, natural = true;
};

KineticParts kinetic_parts(const System& system) {
  constexpr double rounding = 1e-9;
  KineticParts parts;
  Workspace work(system);
  Random random(314159);
  for (int k = 0; k < 3; ++k) {
    const VectorXd q = system.space().random_point(random), v = system.space().random_tangent(q, random);
    const auto at = [&](double s) { return system.energy(work, 0.1 * k, q, s * v); };
    const std::array<Energy, 4> e{at(0), at(1), at(2), at(3)};
    const double size = std::abs(e[3].kinetic) + std::abs(e[0].kinetic);
    const auto is_zero = [&](double x) { return !std::isfinite(x) || std::abs(x) <= rounding * size; };
    parts.purely_quadratic = parts.purely_quadratic && is_zero(e[2].kinetic - 4 * e[1].kinetic);
    parts.quadratic = parts.quadratic && is_zero(e[3].kinetic - 3 * (e[2].kinetic - e[1].kinetic) - e[0].kinetic);
    const double off = e[1].total - e[1].kinetic - e[1].potential;
    parts.natural = parts.natural && std::abs(off) <= rounding * (std::abs(e[1].kinetic) + std::abs(e[1].potential));
  }
  return parts;
}

std::vector<std::string> output_components(const std::vector<Output>& outputs) {
  std::vector<std::string> names;
  for (const auto& [name, formula] : outputs)
    for (int k = 0; k < formula.rows() * formula.cols(); ++k) names.push_back(name);
  return names;
}

}  // namespace

std::string energy_name(const System& system) {
  if (!system.has_energies() || system.has_hamiltonian()) return "energy";
  const KineticParts parts = kinetic_parts(system);
  if (parts.purely_quadratic) return "energy";
  return parts.quadratic ? "Jacobi integral" : "energy v.L_v - L";
}

Measurement::Measurement(const System& system, std::vector<ConservedMomentum> momenta,
                         const std::vector<Output>& outputs, const std::vector<Output>& conserved)
    : system_(system),
      momenta_(std::move(momenta)),
      output_names_(output_components(outputs)),
      outputs_(system, formulas_of(outputs)),
      claims_(system.model(), conserved),
      constraint_sizes_(constraint_size_kernel(system.model())),
      natural_(system.has_energies() && !system.has_hamiltonian() && kinetic_parts(system).natural),
      work_(system),
      p_(system.ambient()),
      field_(system.ambient()),
      at_rest_(VectorXd::Zero(system.ambient())) {
  int offset = 0;
  for (const Manifold& factor : system.space().factors()) {
    factors_.push_back({factor, offset, factor.turning() == Turning::body});
    offset += factor.ambient();
  }
  if (!constraint_sizes_.empty())
    scratch_.resize(static_cast<Eigen::Index>(constraint_sizes_.program().scratch_size()));
}

void Measurement::operator()(const State& state, Sample& sample) {
  sample.state = state;
  if (system_.has_energies()) measure_energy(state, sample);
  sample.manifold_error = manifold_error(state.q);
  measure_constraints(state, sample);
  measure_momenta(state, sample);
  claims_(state, sample.conserved, sample.conserved_sizes);
  sample.outputs.resize(static_cast<Eigen::Index>(output_names_.size()));
  outputs_(state.t, state.q, state.v, work_.u, sample.outputs);
  need_finite(sample);
}

// Where the energy is not T + U, what is left of it at v = 0 plays the part of U: in a rotating frame U - T0.
void Measurement::measure_energy(const State& state, Sample& sample) {
  sample.energy = system_.energy(work_, state.t, state.q, state.v);
  sample.energy_of_motion = natural_ ? sample.energy.kinetic : sample.energy.total;
  sample.energy_at_rest = natural_ ? sample.energy.potential : 0;
  if (natural_ || system_.has_hamiltonian()) return;
  const double rest = system_.energy(work_, state.t, state.q, at_rest_).total;
  if (!std::isfinite(rest)) return;
  sample.energy_of_motion -= rest;
  sample.energy_at_rest = rest;
}

// What X.p could be at most with the kinetic energy that there is, |X| |v| in the metric of the masses: a momentum may
// be zero because its terms cancel, even inside of p.
double Measurement::largest_momentum(const Sample& sample, In X) {
  if (system_.has_hamiltonian()) return 0;
  const State& state = sample.state;
  const Energy along = system_.energy(work_, state.t, state.q, X);
  const double of_field = natural_ ? along.kinetic : along.total - sample.energy_at_rest;
  const double product = 4 * of_field * sample.energy_of_motion;
  return product > 0 && std::isfinite(product) ? std::sqrt(product) : 0;
}

// J = X.p - F - energy E, noether.hpp, in memory of our own. Couplings move places against their own rotation: both
// count.
void Measurement::measure_momenta(const State& state, Sample& sample) {
  const auto count = static_cast<Eigen::Index>(momenta_.size());
  sample.momenta.resize(count), sample.momentum_terms.resize(count);
  if (momenta_.empty()) return;
  system_.momentum(work_, state.t, state.q, state.v, p_);
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    const ConservedMomentum& momentum = momenta_[k];
    momentum.field(state.q, field_);
    const double F = momentum.gauge(state.q), of_energy = momentum.energy * sample.energy.total;
    double terms = field_.cwiseAbs().dot(p_.cwiseAbs());
    for (const auto& [direction, weight] : momentum.couplings)
      terms += std::abs(weight.dot(state.q)) * direction.cwiseAbs().dot(p_.cwiseAbs());
    terms = std::max(terms, largest_momentum(sample, field_)) + std::abs(F) + std::abs(of_energy);
    sample.momenta(static_cast<Eigen::Index>(k)) = field_.dot(p_) - F - of_energy;
    sample.momentum_terms(static_cast<Eigen::Index>(k)) = terms;
  }
}

void Measurement::measure_constraints(const State& state, Sample& sample) {
  const int count = system_.constraints();
  sample.constraints.resize(count), sample.constraint_terms.resize(count), sample.constraint_sizes.resize(count);
  sample.constraint_error = 0;
  if (count == 0) return;
  system_.constraint(work_, state.q, sample.constraints);
  sample.constraint_error = sample.constraints.cwiseAbs().maxCoeff();
  const linear::SparseRows& G = work_.scratch().constraint.G;
  sample.constraint_terms.setZero();
  for (int k = 0; k < count; ++k)
    G.visit_row(k, [&](Eigen::Index i, double slope) { sample.constraint_terms(k) += std::abs(slope * state.q(i)); });
  constraint_sizes_.run<1, 1>({state.q.data()}, {sample.constraint_sizes.data()}, scratch_.data());
}

double Measurement::manifold_error(In q) const {
  double largest = 0;
  for (const auto& [space, offset, rotation] : factors_) {
    if (rotation) {
      const Eigen::Map<const Eigen::Matrix3d> R(q.data() + offset);
      largest = std::max(largest, (R.transpose() * R - Eigen::Matrix3d::Identity()).norm());
    } else {
      largest = std::max(largest, space.defect(q.segment(offset, space.ambient())));
    }
  }
  return largest;
}

void Measurement::need_finite(const Sample& sample) const {
  const auto refuse = [&](const std::string& what) {
    throw std::runtime_error(
        fmt::format("{} is not finite at t = {:.9g}; nothing like it is recorded: see whether it is defined there",
                    what, sample.state.t));
  };
  const auto& [kinetic, potential, total] = sample.energy;
  if (!sample.state.q.allFinite() || !sample.state.v.allFinite()) refuse("the state");
  if (!std::isfinite(kinetic) || !std::isfinite(potential) || !std::isfinite(total)) refuse("the energy");
  if (!std::isfinite(sample.manifold_error)) refuse("the error of the manifold");
  if (!std::isfinite(sample.constraint_error)) refuse("the error of a constraint");
  for (Eigen::Index k = 0; k < sample.momenta.size(); ++k)
    if (!std::isfinite(sample.momenta(k))) refuse(momenta_[static_cast<std::size_t>(k)].name);
  for (Eigen::Index k = 0; k < sample.conserved.size(); ++k)
    if (!std::isfinite(sample.conserved(k)) || !std::isfinite(sample.conserved_sizes(k)))
      refuse(fmt::format("`{}` of [conserved]", conserved()[static_cast<std::size_t>(k)]));
  for (Eigen::Index k = 0; k < sample.outputs.size(); ++k)
    if (!std::isfinite(sample.outputs(k))) refuse("the output `" + output_names_[static_cast<std::size_t>(k)] + "`");
}

void Measurement::prepare(double samples) const {
  if (outputs_.size() > 0 && native_pays(outputs_.program(), samples)) outputs_.program().compile();
}

}  // namespace hamel
