#include "hamel/record/monitor.hpp"

#include <algorithm>
#include <cmath>

namespace hamel {

std::vector<Followed> RunSummary::followed() const {
  std::vector<Followed> all;
  if (energy.exists && energy.conserved) all.push_back(energy);
  all.insert(all.end(), momenta.begin(), momenta.end());
  all.insert(all.end(), conserved.begin(), conserved.end());
  all.push_back(manifold);
  if (constraints.exist) all.push_back(constraints);
  return all;
}

Statistics::Statistics(std::size_t momenta, Eigen::Index ambient, std::size_t constraints, std::size_t conserved)
    : momenta_(static_cast<Eigen::Index>(momenta)),
      conserved_(static_cast<Eigen::Index>(conserved)),
      initial_(VectorXd::Zero(first_momentum_place + momenta_ + conserved_)),
      errors_(initial_),
      error_sums_(initial_),
      max_errors_(initial_),
      terms_(initial_),
      trends_(initial_.size()),
      max_constraints_(VectorXd::Zero(static_cast<Eigen::Index>(constraints))),
      constraint_terms_(max_constraints_),
      constraint_sizes_(max_constraints_),
      last_{0, VectorXd::Zero(ambient), VectorXd::Zero(ambient)} {}

void Statistics::add(const Sample& sample) {
  if (count_ == 0) {
    start_ = sample.state.t;
    initial_(energy_place) = sample.energy.total;
    initial_.segment(first_momentum_place, momenta_) = sample.momenta;
    initial_.tail(conserved_) = sample.conserved;
    lowest_rest_ = highest_rest_ = sample.energy_at_rest;
  }
  ++count_;
  last_ = sample.state;

  errors_(energy_place) = sample.energy.total;
  errors_(manifold_place) = sample.manifold_error;
  errors_(constraint_place) = sample.constraint_error;
  errors_.segment(first_momentum_place, momenta_) = sample.momenta;
  errors_.tail(conserved_) = sample.conserved;
  errors_ -= initial_;
  error_sums_ += errors_.cwiseAbs();
  max_errors_ = max_errors_.cwiseMax(errors_.cwiseAbs());
  trends_.add(sample.state.t, errors_);

  const double of_energy = std::abs(sample.energy_of_motion) + std::abs(sample.energy_at_rest);
  terms_(energy_place) = std::max({terms_(energy_place), of_energy, std::abs(sample.energy.total)});
  auto of_momenta = terms_.segment(first_momentum_place, momenta_);
  of_momenta = of_momenta.cwiseMax(sample.momentum_terms);
  terms_.tail(conserved_) = terms_.tail(conserved_).cwiseMax(sample.conserved_sizes);
  motion_ = std::max(motion_, std::abs(sample.energy_of_motion));
  lowest_rest_ = std::min(lowest_rest_, sample.energy_at_rest);
  highest_rest_ = std::max(highest_rest_, sample.energy_at_rest);
  max_constraints_ = max_constraints_.cwiseMax(sample.constraints.cwiseAbs());
  constraint_terms_ = constraint_terms_.cwiseMax(sample.constraint_terms);
  constraint_sizes_ = constraint_sizes_.cwiseMax(sample.constraint_sizes);
}

void Statistics::fill(Followed& followed, Eigen::Index place) const {
  followed.initial = initial_(place);
  followed.mean_error = error_sums_(place) / static_cast<double>(std::max<std::size_t>(count_, 1));
  followed.max_error = max_errors_(place);
  followed.slope = trends_.slope(place);
  followed.slope_error = trends_.slope_error(place);
  followed.size = followed.terms = terms_(place);
}

// The worst constraint decides, each compared with its own size.
void Statistics::fill_constraints(Followed& constraints) const {
  const auto size = [&](const VectorXd& sizes) {
    double worst = 0;
    for (Eigen::Index k = 0; k < sizes.size(); ++k)
      if (sizes(k) > 0) worst = std::max(worst, max_constraints_(k) / sizes(k));
    return worst > 0 ? constraints.max_error / worst : 1;
  };
  constraints.size = size(constraint_sizes_);
  constraints.terms = std::max(constraints.size, size(constraint_terms_));
}

void Statistics::fill(RunSummary& summary) const {
  summary.outputs = count_;
  summary.time = last_.t - start_;
  summary.final = last_;
  fill(summary.energy, energy_place);
  summary.energy.size = motion_ + (highest_rest_ - lowest_rest_);
  fill(summary.manifold, manifold_place);
  summary.manifold.name = "manifold";
  summary.manifold.size = summary.manifold.terms = 1;
  fill(summary.constraints, constraint_place);
  summary.constraints.name = "constraints";
  summary.constraints.exist = max_constraints_.size() > 0;
  fill_constraints(summary.constraints);
  for (std::size_t k = 0; k < summary.momenta.size(); ++k)
    fill(summary.momenta[k], first_momentum_place + static_cast<Eigen::Index>(k));
  for (std::size_t k = 0; k < summary.conserved.size(); ++k) {
    Followed& claim = summary.conserved[k];
    fill(claim, first_momentum_place + momenta_ + static_cast<Eigen::Index>(k));
    claim.terms += std::abs(claim.initial);
  }
}

void Statistics::remember(Memory& memory) {
  memory(count_, start_, initial_, error_sums_, max_errors_, terms_, motion_, lowest_rest_, highest_rest_);
  memory(max_constraints_, constraint_terms_, constraint_sizes_, last_);
  trends_.remember(memory);
}

Monitor::Monitor(const System& system, std::vector<ConservedMomentum> momenta, const std::vector<Output>& outputs,
                 const std::vector<Output>& conserved)
    : system_(system),
      measure_(system, std::move(momenta), outputs, conserved),
      statistics_(measure_.momenta().size(), system.ambient(), static_cast<std::size_t>(system.constraints()),
                  measure_.conserved().size()) {
  sample_.state = {0, VectorXd::Zero(system.ambient()), VectorXd::Zero(system.ambient())};
}

const Sample& Monitor::operator()(const State& state) {
  measure_(state, sample_);
  statistics_.add(sample_);
  return sample_;
}

RunSummary Monitor::summary() const {
  RunSummary summary;
  summary.model = system_.name();
  summary.energy.name = energy_name(system_);
  summary.energy.exists = system_.has_energies();
  summary.energy.conserved = system_.is_conservative();
  for (const ConservedMomentum& momentum : measure_.momenta())
    summary.momenta.push_back({{.name = momentum.name}, momentum.exact_for_variational});
  for (const std::string& name : measure_.conserved()) summary.conserved.push_back({.name = name});
  statistics_.fill(summary);
  return summary;
}

}  // namespace hamel
