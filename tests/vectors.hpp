// Vector algebra of the book, for equations that are written by hand: S on S^1, S(a) b = a x b on S^2 and SO(3), the
// projector I - q q^T on both spheres, and states put together from parts.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hamel::vectors {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

inline Matrix2d quarter_turn() { return Matrix2d{{0, -1}, {1, 0}}; }

inline Matrix3d hat(const Vector3d& a) { return Matrix3d{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}}; }

inline Vector3d vee(const Matrix3d& A) {  // of the skew part
  return Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)) / 2;
}

inline MatrixXd projector(const VectorXd& q) { return MatrixXd::Identity(q.size(), q.size()) - q * q.transpose(); }

inline VectorXd flat(const Matrix3d& R) { return R.reshaped(); }  // column by column

inline VectorXd stack(const std::vector<VectorXd>& parts) {
  Eigen::Index size = 0;
  for (const VectorXd& part : parts) size += part.size();
  VectorXd result(size);
  size = 0;
  for (const VectorXd& part : parts) {
    result.segment(size, part.size()) = part;
    size += part.size();
  }
  return result;
}

}  // namespace hamel::vectors
