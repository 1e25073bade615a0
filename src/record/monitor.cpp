#include "hamel/record/monitor.hpp"

#include <algorithm>
#include <cmath>

namespace hamel {

Statistics::Statistics(std::size_t momenta, Eigen::Index ambient)
    : initial_momenta_(VectorXd::Zero(static_cast<Eigen::Index>(momenta))),
      momentum_sizes_(initial_momenta_),
      max_momentum_errors_(initial_momenta_),
      last_{0, VectorXd::Zero(ambient), VectorXd::Zero(ambient)} {}

void Statistics::add(const Sample& sample, const VectorXd& momentum_sizes) {
  if (count_ == 0) {
    start_ = sample.state.t;
    initial_energy_ = sample.energy.total;
    initial_momenta_ = sample.momenta;
  }
  ++count_;
  last_ = sample.state;

  const double error = sample.energy.total - initial_energy_;
  energy_errors_ += std::abs(error);
  max_energy_error_ = std::max(max_energy_error_, std::abs(error));
  scale_ = std::max(
      {scale_, std::abs(sample.energy.kinetic) + std::abs(sample.energy.potential), std::abs(sample.energy.total)});
  // B. P. Welford, "Note on a method for calculating corrected sums of squares and products" (1962)
  const double n = static_cast<double>(count_), t = sample.state.t - mean_t_;
  mean_t_ += t / n;
  mean_error_ += (error - mean_error_) / n;
  spread_t_ += t * (sample.state.t - mean_t_);
  covariance_ += t * (error - mean_error_);

  manifold_errors_ += sample.manifold_error;
  max_manifold_error_ = std::max(max_manifold_error_, sample.manifold_error);
  max_constraint_error_ = std::max(max_constraint_error_, sample.constraint_error);
  for (Eigen::Index k = 0; k < sample.momenta.size(); ++k) {
    max_momentum_errors_(k) = std::max(max_momentum_errors_(k), std::abs(sample.momenta(k) - initial_momenta_(k)));
    momentum_sizes_(k) = std::max(momentum_sizes_(k), momentum_sizes(k));
  }
}

void Statistics::fill(RunSummary& summary) const {
  const double n = static_cast<double>(std::max<std::size_t>(count_, 1));
  summary.outputs = count_;
  summary.time = last_.t - start_;
  summary.energy.initial = initial_energy_;
  summary.energy.mean_error = energy_errors_ / n;
  summary.energy.max_error = max_energy_error_;
  summary.energy.slope = spread_t_ > 0 ? covariance_ / spread_t_ : 0;
  summary.energy.scale = scale_;
  summary.manifold = {manifold_errors_ / n, max_manifold_error_};
  summary.constraints = {max_constraint_error_};
  summary.final = last_;
  constexpr double tiny = 1e-6;  // of the terms that cancel: no digits to compare with
  for (std::size_t k = 0; k < summary.momenta.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    RunSummary::MomentumErrors& momentum = summary.momenta[k];
    momentum.initial = initial_momenta_(i);
    momentum.max_error = max_momentum_errors_(i);
    if (std::abs(momentum.initial) > tiny * momentum_sizes_(i))
      momentum.max_relative_error = momentum.max_error / std::abs(momentum.initial);
  }
}

void Statistics::remember(Memory& memory) {
  memory(count_, start_, initial_energy_, scale_, energy_errors_, max_energy_error_);
  memory(mean_t_, mean_error_, spread_t_, covariance_);
  memory(manifold_errors_, max_manifold_error_, max_constraint_error_);
  memory(initial_momenta_, momentum_sizes_, max_momentum_errors_, last_);
}

Monitor::Monitor(const System& system, std::vector<ConservedMomentum> momenta, const std::vector<Output>& outputs)
    : system_(system),
      measure_(system, std::move(momenta), outputs),
      statistics_(measure_.momenta().size(), system.ambient()) {
  sample_.state = {0, VectorXd::Zero(system.ambient()), VectorXd::Zero(system.ambient())};
}

const Sample& Monitor::operator()(const State& state) {
  measure_(state, sample_);
  statistics_.add(sample_, measure_.momentum_sizes());
  return sample_;
}

RunSummary Monitor::summary() const {
  RunSummary summary;
  summary.model = system_.name();
  summary.energy.exists = !system_.is_first_order();
  summary.energy.conserved = system_.is_conservative();
  for (const ConservedMomentum& momentum : measure_.momenta())
    summary.momenta.push_back({.name = momentum.name, .exact_for_variational = momentum.exact_for_variational});
  statistics_.fill(summary);
  return summary;
}

}  // namespace hamel
