#include "analyze/family.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/analyze/spectrum.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/eigen.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/dynamics.hpp"

namespace hamel {

namespace {

constexpr double balanced = 1e-12;  // relative to what cancels

// The derivative of the user's constraints along an orthonormal basis of the factors.
struct Level {
  VectorXd c, rounding;  // how large rounding errors of c are
  MatrixXd slope, basis;
};

Level level_at(const System& system, In q) {
  const Geometry& geometry = system.geometry();
  Geometry::Workspace room = geometry.workspace();
  geometry.bases(q, room);
  Level result{VectorXd(), VectorXd(), MatrixXd(), MatrixXd::Zero(geometry.ambient(), geometry.dimension())};
  for (int f = 0; f < geometry.factors(); ++f)
    result.basis.block(geometry.offset(f), geometry.tangent_offset(f), geometry.space(f).ambient(),
                       geometry.space(f).dimension()) = room.N[static_cast<std::size_t>(f)];
  const Constraints& constraints = system.dynamics().constraints();
  Constraints::Workspace work = constraints.workspace();
  constraints.evaluate(work, q);
  result.c = work.c;
  const MatrixXd G = work.G.dense();
  result.rounding = 1e-15 * (G.cwiseAbs() * q.cwiseAbs());
  result.slope = G * result.basis;
  return result;
}

// A linear model in units of its kinetic energy, with its residual.
struct Scaled {
  explicit Scaled(LinearModel of) : model(std::move(of)), s(scaled(model)), r(s.to_force * model.residual) {}
  LinearModel model;
  ScaledModel s;
  VectorXd r;
};

// Levenberg and Marquardt's step, shortest where K is singular.
VectorXd newton_step(const Scaled& here, double damping) {
  const auto& [model, s, r] = here;
  const MatrixXd& K = s.K;
  VectorXd y;
  if (damping == 0) {
    y = -linear::shortest_least_squares(K, MatrixXd(r), 1e-9);
  } else {
    MatrixXd normal = K.transpose() * K;
    normal.diagonal().array() += damping * s.rate * s.rate * s.rate * s.rate;
    y = -linear::solve(normal, K.transpose() * r);
  }
  return model.basis * (s.to_basis * y);
}

}  // namespace

VectorXd moved_along(const System& system, In q, In change) {
  VectorXd result(q.size());
  system.space().retract(q, change, result);
  if (system.constraints() == 0) return result;
  constexpr int most = 20;
  for (int k = 0; k < most; ++k) {
    const Level level = level_at(system, result);
    if ((level.c.cwiseAbs().array() <= level.rounding.array()).all()) break;
    const VectorXd back = -level.basis * linear::shortest_least_squares(level.slope, level.c);
    VectorXd next(q.size());
    system.space().retract(result, back, next);
    result = next;
  }
  return result;
}

namespace {

// As far as rounding errors allow: what is compared and judged later is smaller than what was asked for.
LinearModel polished(const System& system, const LinearModelAt& model_at, Scaled here) {
  constexpr int most = 6;
  for (int k = 0; k < most && here.model.imbalance > 0; ++k) {
    const VectorXd step = newton_step(here, 0);
    if (!step.allFinite() || length_of(here.model, step) > degenerate_reach) break;
    try {
      Scaled next(model_at(moved_along(system, here.model.at.q, step)));
      if (!(next.r.norm() < here.r.norm() / 2 && next.model.imbalance < here.model.imbalance)) break;
      here = std::move(next);
    } catch (const std::exception&) {
      break;  // out of where the energies are defined
    }
  }
  return std::move(here.model);
}

}  // namespace

// Far away by Levenberg and Marquardt's steps, nearby by Newton's.
std::optional<LinearModel> find_equilibrium(const System& system, const LinearModelAt& model_at, VectorXd q,
                                            const NewtonOptions& options) {
  constexpr double nearby = 1e-4, rounding_errors = 1e-11, good = 1e-9;
  constexpr int most_rejected = 12;
  bool has_begun = false;
  try {
    Scaled here(model_at(moved_along(system, q, VectorXd::Zero(q.size()))));
    has_begun = true;
    const VectorXd units = here.model.units;  // of the start: what flies away must not gather speed
    double damping = 1e-3;
    int rejected = 0;
    for (int k = 0; k < options.steps && here.model.imbalance > balanced && rejected <= most_rejected; ++k) {
      const bool is_near = here.model.imbalance < nearby && rejected == 0;
      VectorXd step = newton_step(here, is_near ? 0 : damping);
      if (!step.allFinite()) return std::nullopt;
      if (const double length = step.cwiseQuotient(units).norm(); length > options.longest)
        step *= options.longest / length;
      Scaled next(model_at(moved_along(system, here.model.at.q, step)));
      const double size = here.r.norm(), next_size = next.r.norm();
      if (next_size < size) {
        rejected = next_size > 0.99 * size ? rejected + 1 : 0;
        if (rejected == 0) damping /= 10;
        here = std::move(next);
      } else {
        if (here.model.imbalance <= rounding_errors) break;
        damping = std::max(damping, 1e-6) * 10;
        ++rejected;
      }
    }
    if (here.model.imbalance <= good) return polished(system, model_at, std::move(here));
  } catch (const std::exception& error) {
    // A point where the energies are not defined, or the constraints not independent, is no way to an equilibrium.
    if (!has_begun && options.refusal != nullptr) *options.refusal = error.what();
  }
  return std::nullopt;
}

bool is_settled(const LinearModel& model) {
  constexpr double rounding_errors = 1e-13, short_step = 1e-3, hardly_more = 1e-14;
  if (model.imbalance <= hardly_more) return true;
  const Scaled here(model);
  const MatrixXd units = model.units.cwiseInverse().asDiagonal() * model.basis;
  const VectorXd lengths = units.colwise().norm().cwiseInverse().transpose();
  const VectorXd noise = rounding_errors * (here.s.to_force.cwiseAbs() * (model.K.cwiseAbs() * lengths));
  const VectorXd y = linear::shortest_least_squares(here.s.K, MatrixXd(here.r), rank_tolerance);
  const VectorXd left = here.r - here.s.K * y;
  return (left.cwiseAbs().array() <= noise.array()).all() && (units * (here.s.to_basis * y)).norm() <= short_step;
}

namespace {

// How large forces are on the way from a point along a change of it; not a number where they are not defined.
class ForcesOnTheWay {
 public:
  ForcesOnTheWay(const System& system, const LinearModelAt& model_at, const LinearModel& from, VectorXd change)
      : system_(system), model_at_(model_at), from_(from), change_(std::move(change)) {}

  double operator()(double share) const {
    try {
      return Scaled(model_at_(moved_along(system_, from_.at.q, share * change_))).r.norm();
    } catch (const std::exception&) {
      return std::nan("");
    }
  }
  double largest() const {
    constexpr int samples = 16;
    double result = 0;
    for (int k = 1; k <= samples; ++k)
      if (const double size = (*this)(double(k) / samples); std::isfinite(size)) result = std::max(result, size);
    return result;
  }
  // The share of the way at which they come to a size.
  double where(double size) const {
    constexpr int halvings = 50;
    double low = 0, high = 1;
    for (int k = 0; k < halvings; ++k) {
      const double middle = (low + high) / 2;
      ((*this)(middle) <= size ? low : high) = middle;
    }
    return high;
  }

 private:
  const System& system_;
  const LinearModelAt& model_at_;
  const LinearModel& from_;
  VectorXd change_;
};

}  // namespace

// An exponential takes as long from 1e-11 to 1e-8 as from there to 1e-5; a power of the distance to where it begins
// does not.
bool is_in_a_tail(const System& system, const LinearModelAt& model_at, const LinearModel& model, const VectorXd& to) {
  const MatrixXd kernel = kernel_directions(model);
  const VectorXd step = kernel * (kernel.transpose() * (to - model.at.q).cwiseQuotient(model.units));
  if (step.norm() < 1e-6) return false;
  const ForcesOnTheWay forces(system, model_at, model, step.cwiseProduct(model.units));
  const double largest = forces.largest();
  constexpr double alike = 0.6;
  try {
    const double there = Scaled(model_at(moved_along(system, to, VectorXd::Zero(to.size())))).r.norm();
    if (largest <= 1e-9 * there) return false;
  } catch (const std::exception&) {
    // Nothing to compare with.
  }
  const double first = forces.where(1e-11 * largest), second = forces.where(1e-8 * largest),
               third = forces.where(1e-5 * largest);
  return second - first > alike * (third - second);
}

LinearModel without_rounding(const System& system, const LinearModelAt& model_at, const LinearModel& model,
                             double reach) {
  VectorXd q = model.at.q;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (std::abs(q(i)) < reach * model.units(i)) q(i) = 0;
    for (const double value : {1.0, -1.0})
      if (std::abs(q(i) - value) < reach * std::min(1.0, model.units(i))) q(i) = value;
  }
  if (q == model.at.q || system.space().defect(q) > 1e-14) return model;
  try {
    LinearModel rounded = model_at(q);
    const bool on_constraints = length_of(model, moved_along(system, q, VectorXd::Zero(q.size())) - q) <= 1e-14;
    if (on_constraints && rounded.imbalance <= std::max(1e-15, model.imbalance)) return rounded;
  } catch (const std::exception&) {
    // No place for a linear model.
  }
  return model;
}

namespace {

struct Sized {
  VectorXd sizes;  // relative to the largest
  MatrixXd vectors;
};

// Rows and columns of unit length: forces of a feedback are large in some coordinates, which says nothing of the
// others.
Sized evened_singular_values(const MatrixXd& K) {
  MatrixXd even = K;
  const double largest = K.norm();
  VectorXd columns = VectorXd::Ones(K.cols());
  for (auto row : even.rowwise())
    if (row.norm() > 1e-13 * largest) row /= row.norm();
  for (Eigen::Index j = 0; j < K.cols(); ++j) {
    if (even.col(j).norm() > 1e-13) columns(j) = 1 / even.col(j).norm();
    even.col(j) *= columns(j);
  }
  const linear::RightSingular singular = linear::right_singular(even);
  return {singular.values / std::max(1.0, singular.values.maxCoeff()), columns.asDiagonal() * singular.vectors};
}

}  // namespace

StiffnessKernel stiffness_kernel(const LinearModel& model) {
  const ScaledModel s = scaled(model);
  StiffnessKernel result;
  result.directions.resize(model.basis.rows(), 0);
  if (s.K.rows() == 0) return result;
  Sized of;
  if (s.is_symmetric) {
    const linear::SymmetricEigen eigen = linear::symmetric_eigen(s.K);
    of = {eigen.values.cwiseAbs() / (s.rate * s.rate), eigen.vectors};
  } else if (model.is_field) {
    const linear::RightSingular singular = linear::right_singular(s.K);
    of = {singular.values / s.rate, singular.vectors};
  } else {
    of = evened_singular_values(s.K);
  }
  constexpr double very_small = 1e-5;
  MatrixXd zero(of.vectors.rows(), of.vectors.cols());
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < of.sizes.size(); ++k) {
    if (of.sizes(k) <= rank_tolerance)
      zero.col(count++) = of.vectors.col(k);
    else if (of.sizes(k) < very_small)
      result.is_nearly_more = true;
  }
  if (count > 0)
    result.directions = linear::orthonormal_columns(model.units.cwiseInverse().asDiagonal() * model.basis *
                                                    (s.to_basis * zero.leftCols(count)));
  return result;
}

namespace {

// None lies along the normals of a set that bends away: a shorter change may do.
std::optional<VectorXd> place_along(const System& system, In q, In change) {
  try {
    return moved_along(system, q, change);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

int family_dimension(const System& system, const LinearModelAt& model_at, const LinearModel& model) {
  const MatrixXd kernel = kernel_directions(model);
  if (kernel.cols() == 0) return 0;
  constexpr double far = 1e-2, bend = 0.2;  // a step, and how much of it the way back may be
  const VectorXd mixture = kernel * VectorXd::LinSpaced(kernel.cols(), 0.5, 1.5).normalized();
  for (Eigen::Index j = 0; j <= kernel.cols(); ++j) {
    const VectorXd step = far * (j < kernel.cols() ? VectorXd(kernel.col(j)) : mixture);
    const std::optional<VectorXd> q = place_along(system, model.at.q, step.cwiseProduct(model.units));
    if (!q) return 0;
    const std::optional<LinearModel> other = find_equilibrium(system, model_at, *q, {.steps = 20, .longest = far});
    if (!other || length_of(model, other->at.q - *q) > bend * far || kernel_directions(*other).cols() != kernel.cols())
      return 0;
  }
  return static_cast<int>(kernel.cols());
}

// Along the null space of K, and back to rest after each step. Across a circle the first steps are short, and each is
// twice as long as the one before.
bool can_walk(const System& system, const LinearModelAt& model_at, const LinearModel& from, const VectorXd& to) {
  LinearModel here = from;
  MatrixXd kernel = kernel_directions(here);
  const auto distance_to = [&](const LinearModel& one) { return length_of(from, to - one.at.q); };
  double left = distance_to(here);
  constexpr double stride = 0.4;
  bool pushed = false;
  double last_share = 0;
  int shrunk = 0;  // so many times, one after another
  for (int k = 0; k < 150; ++k) {
    if (left <= same_point * (1 + length_of(from, to))) return true;
    VectorXd step = kernel * (kernel.transpose() * (to - here.at.q).cwiseQuotient(from.units));
    // Away from the far side of a circle steps grow; towards the nearest point of a family that `to` is not in they
    // shrink.
    const double share = step.norm() / left;
    shrunk = share < 0.1 && share < last_share ? shrunk + 1 : 0;
    const bool stuck = share < 1e-9 || shrunk >= 3;
    last_share = stuck ? 0 : share;
    if (stuck && pushed) return false;
    if (stuck) step = kernel * VectorXd::LinSpaced(kernel.cols(), 1, 2).normalized();
    pushed = pushed || stuck;
    std::optional<LinearModel> next;
    MatrixXd there;
    for (double fraction = 1; fraction > 0.01 && !next; fraction /= 4) {
      const std::optional<VectorXd> q = place_along(system, here.at.q, fraction * step.cwiseProduct(from.units));
      if (!q) continue;
      next = find_equilibrium(system, model_at, *q, {.steps = 15, .longest = stride});
      if (next && !stuck && distance_to(*next) >= left) next.reset();
      if (next) there = kernel_directions(*next);
      if (next && there.cols() != kernel.cols()) next.reset();
    }
    if (!next) return false;
    here = std::move(*next);
    kernel = std::move(there);
    left = distance_to(here);
  }
  return false;
}

Eigen::Vector4d invariants(const LinearModel& model) {
  const ScaledModel s = scaled(model);
  return {s.K.trace(), s.K.norm(), s.C.trace() * s.rate, s.C.norm() * s.rate};
}

bool is_homogeneous(const System& system, const LinearModelAt& model_at, const LinearModel& model) {
  const MatrixXd kernel = kernel_directions(model);
  const VectorXd step = 1e-2 * kernel * VectorXd::LinSpaced(kernel.cols(), 0.7, 1.3).normalized();
  const std::optional<VectorXd> q = place_along(system, model.at.q, step.cwiseProduct(model.units));
  if (!q) return false;
  const std::optional<LinearModel> other = find_equilibrium(system, model_at, *q, {.steps = 15});
  const Eigen::Vector4d here = invariants(model);
  return other && (invariants(*other) - here).norm() <= 1e-9 * here.norm();
}

}  // namespace hamel
