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
  VectorXd c;
  MatrixXd slope, basis;
};

Level level_at(const System& system, In q) {
  const Geometry& geometry = system.geometry();
  Geometry::Workspace room = geometry.workspace();
  geometry.bases(q, room);
  Level result{VectorXd(), MatrixXd(), MatrixXd::Zero(geometry.ambient(), geometry.dimension())};
  for (int f = 0; f < geometry.factors(); ++f)
    result.basis.block(geometry.offset(f), geometry.tangent_offset(f), geometry.space(f).ambient(),
                       geometry.space(f).dimension()) = room.N[static_cast<std::size_t>(f)];
  const Constraints& constraints = system.dynamics().constraints();
  Constraints::Workspace work = constraints.workspace();
  constraints.evaluate(work, q);
  result.c = work.c;
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
    if (level.c.norm() <= 1e-14 * (1 + result.norm())) break;
    const VectorXd back = -level.basis * linear::shortest_least_squares(level.slope, level.c);
    VectorXd next(q.size());
    system.space().retract(result, back, next);
    result = next;
  }
  return result;
}

std::optional<LinearModel> find_equilibrium(const Linearization& linearization, double t, VectorXd q, In u,
                                            const Generator& moving, const NewtonOptions& options) {
  const System& system = linearization.system();
  try {
    q = moved_along(system, q, VectorXd::Zero(q.size()));
    LinearModel here = linearization.near(t, q, u, moving);
    double damping = 1e-3, size = merit(here);
    int rejected = 0;
    for (int k = 0; k < options.steps && here.imbalance > balanced; ++k) {
      VectorXd step = newton_step(here, here.imbalance < 1e-4 ? 0 : damping);
      if (!step.allFinite()) return std::nullopt;
      if (step.norm() > options.longest) step *= options.longest / step.norm();
      LinearModel next = linearization.near(t, moved_along(system, here.at.q, step), u, moving);
      const double next_size = merit(next);
      if (next_size < size) {
        const bool slow = next_size > 0.99 * size;
        here = std::move(next);
        size = next_size;
        damping = slow ? damping : damping / 10;
        if (rejected = slow ? rejected + 1 : 0; rejected > 12) break;
      } else {
        if (here.imbalance < 1e-4 && here.imbalance <= 1e-11) break;  // rounding
        damping = std::max(damping, 1e-6) * 10;
        if (here.imbalance < 1e-4) {  // too far for Newton's step: a shorter one
          next = linearization.near(t, moved_along(system, here.at.q, 0.25 * step), u, moving);
          if (merit(next) < size) {
            here = std::move(next);
            size = merit(here);
          }
        }
        if (++rejected > 12) break;
      }
    }
    if (here.imbalance <= 1e-9) return here;
  } catch (const std::exception&) {
    // A point where the energies are not defined, or the constraints not independent, is no way to an equilibrium.
  }
  return std::nullopt;
}

StiffnessKernel stiffness_kernel(const LinearModel& model) {
  const ScaledModel s = scaled(model);
  VectorXd sizes;
  MatrixXd vectors;
  if (s.is_symmetric) {
    linear::SymmetricEigen eigen = linear::symmetric_eigen(s.K);
    sizes = eigen.values.cwiseAbs();
    vectors = std::move(eigen.vectors);
  } else {
    linear::RightSingular singular = linear::right_singular(s.K);
    sizes = std::move(singular.values);
    vectors = std::move(singular.vectors);
  }
  const double size = model.is_field ? s.rate : s.rate * s.rate;
  constexpr double very_small = 1e-5;
  MatrixXd zero(vectors.rows(), vectors.cols());
  Eigen::Index count = 0;
  StiffnessKernel result;
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    if (sizes(k) <= rank_tolerance * size)
      zero.col(count++) = vectors.col(k);
    else if (sizes(k) < very_small * size)
      result.is_nearly_more = true;
  }
  result.directions.resize(model.basis.rows(), 0);
  if (count > 0) result.directions = linear::orthonormal_columns(model.basis * (s.to_basis * zero.leftCols(count)));
  return result;
}

int family_dimension(const Linearization& linearization, const LinearModel& model) {
  const MatrixXd kernel = kernel_directions(model);
  if (kernel.cols() == 0) return 0;
  constexpr double far = 1e-2, bend = 0.2;  // a step, and how much of it the way back may be
  const VectorXd mixture = kernel * VectorXd::LinSpaced(kernel.cols(), 0.5, 1.5).normalized();
  for (Eigen::Index j = 0; j <= kernel.cols(); ++j) {
    const VectorXd step = far * (j < kernel.cols() ? VectorXd(kernel.col(j)) : mixture);
    const VectorXd q = moved_along(linearization.system(), model.at.q, step);
    const std::optional<LinearModel> other =
        find_equilibrium(linearization, model.at.t, q, model.inputs, model.moving, {.steps = 20, .longest = far});
    if (!other || (other->at.q - q).norm() > bend * far || kernel_directions(*other).cols() != kernel.cols()) return 0;
  }
  return static_cast<int>(kernel.cols());
}

}  // namespace hamel
