#include "report/box.hpp"

#include <array>
#include <cmath>

#include "hamel/linear/dense.hpp"

namespace hamel {

namespace {

bool is_diagonal(const Eigen::Matrix3d& J) {
  const Eigen::Matrix3d rest = J - Eigen::Matrix3d(J.diagonal().asDiagonal());
  return rest.cwiseAbs().maxCoeff() <= 1e-9 * J.cwiseAbs().maxCoeff();
}

// The axes keep the order and the sense of the body's own as far as they can: body and box look alike.
Eigen::Matrix3d principal_axes(const Eigen::Matrix3d& J) {
  if (is_diagonal(J)) return Eigen::Matrix3d::Identity();
  const MatrixXd found = linear::right_singular(J).vectors;
  Eigen::Matrix3d axes;
  std::array<bool, 3> taken{};
  for (int axis = 0; axis < 3; ++axis) {
    int best = -1;
    for (int k = 0; k < 3; ++k)
      if (!taken[static_cast<std::size_t>(k)] && (best < 0 || std::abs(found(axis, k)) > std::abs(found(axis, best))))
        best = k;
    taken[static_cast<std::size_t>(best)] = true;
    axes.col(axis) = found.col(best) * (found(axis, best) < 0 ? -1 : 1);
  }
  if (axes.determinant() < 0) axes.col(2) *= -1;
  return axes;
}

}  // namespace

InertiaBox inertia_box(double mass, const Eigen::Matrix3d& J, const Eigen::Vector3d& c) {
  const Eigen::Matrix3d central =
      J - mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());  // Steiner's theorem
  const Eigen::Matrix3d axes = principal_axes(central);
  const Eigen::Vector3d j = (axes.transpose() * central * axes).diagonal();
  // J_x = m (b^2 + c^2) / 12 and so on, solved for the squares
  Eigen::Vector3d size = (Eigen::Vector3d::Constant(j.sum()) - 2 * j).cwiseMax(0).cwiseSqrt();
  const double longest = size.maxCoeff();
  if (!(longest > 0)) return {Eigen::Vector3d::Constant(mass > 0 ? 0.1 : 1), axes};
  size *= mass > 0 ? std::sqrt(6 / mass) : 1 / longest;
  return {size.cwiseMax(0.03 * size.maxCoeff()), axes};
}

}  // namespace hamel
