#include "analyze/family.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/analyze/spectrum.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/eigen.hpp"
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
  result.rounding = 1e-15 * (work.G.cwiseAbs() * q.cwiseAbs());
  result.slope = work.G * result.basis;
  return result;
}

// Levenberg and Marquardt's step in units of the kinetic energy, shortest where K is singular.
VectorXd newton_step(const LinearModel& model, double damping) {
  const ScaledModel s = scaled(model);
  const VectorXd r = s.to_force * model.residual;
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

double merit(const LinearModel& model) { return (scaled(model).to_force * model.residual).norm(); }

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

// Far away by Levenberg and Marquardt's steps, nearby by Newton's.
std::optional<LinearModel> find_equilibrium(const System& system, const LinearModelAt& model_at, VectorXd q,
                                            const NewtonOptions& options) {
  constexpr double nearby = 1e-4, rounding_errors = 1e-11, good = 1e-9;
  constexpr int most_rejected = 12;
  try {
    LinearModel here = model_at(moved_along(system, q, VectorXd::Zero(q.size())));
    const VectorXd units = here.units;  // of the start: what flies away must not gather speed
    double damping = 1e-3, size = merit(here);
    int rejected = 0;
    for (int k = 0; k < options.steps && here.imbalance > balanced && rejected <= most_rejected; ++k) {
      const bool is_near = here.imbalance < nearby && rejected == 0;
      VectorXd step = newton_step(here, is_near ? 0 : damping);
      if (!step.allFinite()) return std::nullopt;
      if (const double length = step.cwiseQuotient(units).norm(); length > options.longest)
        step *= options.longest / length;
      LinearModel next = model_at(moved_along(system, here.at.q, step));
      const double next_size = merit(next);
      if (next_size < size) {
        rejected = next_size > 0.99 * size ? rejected + 1 : 0;
        if (rejected == 0) damping /= 10;
        here = std::move(next);
        size = next_size;
      } else {
        if (here.imbalance <= rounding_errors) break;
        damping = std::max(damping, 1e-6) * 10;
        ++rejected;
      }
    }
    if (here.imbalance <= good) return here;
  } catch (const std::exception&) {
    // A point where the energies are not defined, or the constraints not independent, is no way to an equilibrium.
  }
  return std::nullopt;
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

int family_dimension(const System& system, const LinearModelAt& model_at, const LinearModel& model) {
  const MatrixXd kernel = kernel_directions(model);
  if (kernel.cols() == 0) return 0;
  constexpr double far = 1e-2, bend = 0.2;  // a step, and how much of it the way back may be
  const VectorXd mixture = kernel * VectorXd::LinSpaced(kernel.cols(), 0.5, 1.5).normalized();
  for (Eigen::Index j = 0; j <= kernel.cols(); ++j) {
    const VectorXd step = far * (j < kernel.cols() ? VectorXd(kernel.col(j)) : mixture);
    const VectorXd q = moved_along(system, model.at.q, step.cwiseProduct(model.units));
    const std::optional<LinearModel> other = find_equilibrium(system, model_at, q, {.steps = 20, .longest = far});
    if (!other || length_of(model, other->at.q - q) > bend * far || kernel_directions(*other).cols() != kernel.cols())
      return 0;
  }
  return static_cast<int>(kernel.cols());
}

}  // namespace hamel
