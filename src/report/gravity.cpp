#include "report/gravity.hpp"

#include <cmath>

namespace hamel {

namespace {

// U, or at rest what stands for it: -L, H.
std::vector<Expr> potential_of(const LoweredModel& lowered) {
  std::vector<Expr> terms = lowered.potential;
  for (const Expr& term : lowered.lagrangian) terms.push_back(-term);
  terms.insert(terms.end(), lowered.hamiltonian.begin(), lowered.hamiltonian.end());
  return terms;
}

// A term is affine in q if its value half-way between two states is the mean of its values there.
Expr affine_part(const std::vector<Expr>& terms, const Sampler& sampler) {
  const MatrixXd values = sampler.values(terms);
  const VectorXd between = sampler.values_between(terms);
  Expr sum = 0;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    const double size = values.row(i).cwiseAbs().maxCoeff() + std::abs(between(i));
    const double mean = (values(i, 0) + values(i, 1)) / 2;
    if (std::abs(between(i) - mean) <= 1e-10 * size) sum += terms[static_cast<std::size_t>(i)];
  }
  return sum;
}

Eigen::Vector3d snapped_to_axes(const Eigen::Vector3d& direction) {
  Eigen::Vector3d snapped = direction;
  for (double& component : snapped)
    if (std::abs(component) < 1e-6) component = 0;
  return snapped.normalized();
}

}  // namespace

std::optional<Eigen::Vector3d> against_gravity(const LoweredModel& lowered, const Sampler& sampler,
                                               std::span<const Expr> places) {
  const Expr energy = affine_part(potential_of(lowered), sampler);
  const VectorXd slope = sampler.values(gradient(energy, lowered.q)).col(0);
  if (slope.size() == 0 || !(slope.norm() > 0) || !slope.allFinite()) return std::nullopt;

  constexpr double by = 1e-4;
  const VectorXd direction = slope.normalized();
  const MatrixXd rise = sampler.values_moved(places, direction, by) - sampler.values_moved(places, direction, -by);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (Eigen::Index i = 0; i + 2 < rise.rows(); i += 3) sum += rise.block<3, 1>(i, 0) / (2 * by);
  if (!(sum.norm() > 1e-6)) return std::nullopt;
  return snapped_to_axes(sum.normalized());
}

}  // namespace hamel
