#include "hamel/record/sample.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/model/lower.hpp"
#include "hamel/program/native.hpp"

namespace hamel {
namespace {

Kernel output_kernel(const Model& model, const std::vector<Output>& outputs) {
  if (outputs.empty()) return {};
  Graph graph;
  const Graph::Scope scope(graph);
  LoweredModel lowered = lower(model);
  std::vector<Expr> values;
  for (const Output& output : outputs) {
    const MatrixXe value = lower(output.formula, model, lowered);
    values.insert(values.end(), value.data(), value.data() + value.size());
  }
  return {"outputs",
          {lowered.q, lowered.v, lowered.u, {lowered.t}},
          {values},
          {lowered.parameters, parameter_values(model)}};
}

std::vector<std::string> component_names(const std::vector<Output>& outputs) {
  std::vector<std::string> names;
  for (const auto& [name, formula] : outputs)
    for (int k = 0; k < formula.rows() * formula.cols(); ++k) names.push_back(name);
  return names;
}

}  // namespace

Measurement::Measurement(const System& system, std::vector<ConservedMomentum> momenta,
                         const std::vector<Output>& outputs)
    : system_(system),
      momenta_(std::move(momenta)),
      output_names_(component_names(outputs)),
      outputs_(output_kernel(system.model(), outputs)),
      work_(system),
      p_(system.ambient()),
      field_(system.ambient()),
      constraint_(system.constraints()),
      sizes_(VectorXd::Zero(static_cast<Eigen::Index>(momenta_.size()))) {
  int offset = 0;
  for (const Manifold& factor : system.space().factors()) {
    factors_.push_back({factor, offset, factor.name() == "SO3" || factor.name() == "SE3"});
    offset += factor.ambient();
  }
  if (!outputs_.empty()) scratch_.resize(static_cast<Eigen::Index>(outputs_.program().scratch_size()));
}

void Measurement::operator()(const State& state, Sample& sample) {
  sample.state = state;
  if (!system_.is_first_order()) sample.energy = system_.energy(work_, state.t, state.q, state.v);
  sample.manifold_error = manifold_error(state.q);
  sample.constraint_error = constraint_error(state.q);
  sample.momenta.resize(sizes_.size());
  if (!momenta_.empty()) measure_momenta(state, sample.energy.total, sample.momenta);
  sample.outputs.resize(static_cast<Eigen::Index>(output_names_.size()));
  if (!outputs_.empty())
    outputs_.run<4, 1>({state.q.data(), state.v.data(), work_.u.data(), &state.t}, {sample.outputs.data()},
                       scratch_.data());
  need_finite(sample);
}

// J = X.p - F - energy E, noether.hpp, in memory of our own. Couplings move places against their own rotation: both
// count.
void Measurement::measure_momenta(const State& state, double energy, VectorXd& values) {
  system_.momentum(work_, state.t, state.q, state.v, p_);
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    const ConservedMomentum& momentum = momenta_[k];
    momentum.field(state.q, field_);
    const double F = momentum.gauge(state.q), of_energy = momentum.energy * energy;
    double size = field_.cwiseAbs().dot(p_.cwiseAbs()) + std::abs(F) + std::abs(of_energy);
    for (const auto& [direction, weight] : momentum.couplings)
      size += std::abs(weight.dot(state.q)) * direction.cwiseAbs().dot(p_.cwiseAbs());
    values(static_cast<Eigen::Index>(k)) = field_.dot(p_) - F - of_energy;
    sizes_(static_cast<Eigen::Index>(k)) = size;
  }
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

double Measurement::constraint_error(In q) {
  if (constraint_.size() == 0) return 0;
  system_.constraint(work_, q, constraint_);
  return constraint_.cwiseAbs().maxCoeff();
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
  for (Eigen::Index k = 0; k < sample.outputs.size(); ++k)
    if (!std::isfinite(sample.outputs(k))) refuse("the output `" + output_names_[static_cast<std::size_t>(k)] + "`");
}

void Measurement::prepare(double samples) const {
  if (!outputs_.empty() && native_pays(outputs_.program(), samples)) outputs_.program().compile();
}

void Measurement::prepare_like(bool native) const {
  if (native && !outputs_.empty() && !outputs_.program().compile())
    throw std::runtime_error(
        "the outputs of this run were computed by native code, which cannot be had now (HAMEL_NATIVE, HAMEL_CC); their "
        "last digits would change: provide a compiler");
}

}  // namespace hamel
