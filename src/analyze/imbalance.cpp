#include "analyze/imbalance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

// What is judged by itself: a component of a place, an attitude, a direction.
struct Judged {
  Eigen::Index natural, natural_size, ambient, ambient_size;
};

std::vector<Judged> judged_parts(const System& system) {
  std::vector<Judged> result;
  const Geometry& geometry = system.geometry();
  const std::vector<Eigen::Index> naturals = natural_parts(system);
  auto size = naturals.begin();
  Eigen::Index natural = 0, ambient = 0;
  for (int f = 0; f < geometry.factors(); ++f)
    for (const Manifold& part : geometry.space(f).parts()) {
      if (geometry.space(f).is_flat() && *size == part.ambient())
        for (Eigen::Index i = 0; i < *size; ++i) result.push_back({natural + i, 1, ambient + i, 1});
      else
        result.push_back({natural, *size, ambient, part.ambient()});
      natural += *size++;
      ambient += part.ambient();
    }
  return result;
}

// Over how much of each coordinate its law is looked at: a length of the system, so that far away what is left is not
// compared with slope times distance. Numbers far away have rounding errors.
VectorXd spans(const Scales& scales, const VectorXd& units) {
  constexpr double some = 100, rounding_errors = 1e-5;
  const VectorXd lengths = scales.units_at(VectorXd::Zero(units.size())).ambient;
  return units.cwiseMin(some * lengths).cwiseMax(rounding_errors * units);
}

// Each component has the speed of its factor: where a body falls, it is at rest sideways but for rounding errors.
VectorXd speeds(const System& system, const VectorXd& v) {
  VectorXd result(v.size());
  const Geometry& geometry = system.geometry();
  for (int f = 0; f < geometry.factors(); ++f) {
    const auto part = Eigen::seq(geometry.offset(f), geometry.offset(f + 1) - 1);
    result(part).setConstant(v(part).stableNorm());
  }
  return result;
}

// What constraints leave of a force, and how they pass forces on from coordinate to coordinate.
struct Left {
  VectorXd force, rounding;
  MatrixXd passed_on;
};
Left left_of(const VectorXd& force, const MatrixXd& frame) {
  constexpr double rounding_errors = 1e-6;  // as of an imbalance of 1e-9
  const MatrixXd Q = linear::orthonormal_columns(frame);
  const VectorXd along = Q.transpose() * force;
  const VectorXd sizes = Q.cwiseAbs().transpose() * force.cwiseAbs();
  const MatrixXd projector = Q * Q.transpose();
  return {Q * along, rounding_errors * (Q.cwiseAbs() * sizes), projector.cwiseAbs()};
}

}  // namespace

double imbalance(const System& system, const Scales& scales, const Acting& acting, const MatrixXd& frame,
                 const LinearModel& at) {
  if (frame.cols() == 0) return 0;
  const auto [units, natural] = scales.units_at(at.at.q);
  // All in units of energy, and of a field in those of a rate.
  const VectorXd to_scale = at.is_field ? VectorXd(natural.cwiseInverse()) : natural;
  const VectorXd to_frame = at.is_field ? to_scale : VectorXd(to_scale.cwiseInverse());
  const auto [left, rounding, passed_on] = left_of(to_scale.cwiseProduct(acting.force), to_frame.asDiagonal() * frame);
  const VectorXd acts = acting.force.cwiseAbs() + acting.reaction.cwiseAbs() + acting.of_others +
                        acting.by_point.cwiseAbs() * spans(scales, units) +
                        acting.by_velocity.cwiseAbs() * speeds(system, at.at.v);
  const VectorXd own = to_scale.cwiseProduct(acts);
  const VectorXd size = rounding + own + passed_on * own;
  double worst = 0;
  for (const Judged& part : judged_parts(system)) {
    const double remains = left.segment(part.natural, part.natural_size).stableNorm();
    if (remains == 0) continue;
    double of = size.segment(part.natural, part.natural_size).stableNorm();
    for (Eigen::Index i = part.ambient; i < acting.sizes.size(); i += units.size())
      of += acting.sizes.segment(i, part.ambient_size).stableNorm() * units(part.ambient);
    if (!std::isfinite(of) || !std::isfinite(remains)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, remains / of);
  }
  return worst;
}

}  // namespace hamel
