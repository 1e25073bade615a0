#include <fmt/core.h>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <stdexcept>

#include "hamel/manifold/so3.hpp"

namespace hamel::rotations {

template <Number T>
Matrix3<T> nearest(const Matrix3<T>& X) {
  const Eigen::JacobiSVD<Matrix3<T>> svd(X, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix3<T> UVt = svd.matrixU() * svd.matrixV().transpose();
  const T sign = UVt.determinant() < T(0) ? T(-1) : T(1);
  const Vector3<T>& stretch = svd.singularValues();
  if (!(stretch(1) + sign * stretch(2) > T(1e-12) * stretch(0)))
    throw std::domain_error(fmt::format(
        "the matrix has no single nearest rotation: singular values {}, {}, {} and a determinant of sign {}",
        static_cast<double>(stretch(0)), static_cast<double>(stretch(1)), static_cast<double>(stretch(2)),
        static_cast<int>(sign)));
  return svd.matrixU() * Vector3<T>(T(1), T(1), sign).asDiagonal() * svd.matrixV().transpose();
}
template Matrix3<double> nearest(const Matrix3<double>&);
template Matrix3<long double> nearest(const Matrix3<long double>&);

}  // namespace hamel::rotations

namespace hamel {

template <Number T>
UnitQuaternion<T> quaternion_of(const Matrix3<T>& F) {
  const Eigen::Quaternion<T> quaternion(F);
  const T sign = quaternion.w() < T(0) ? T(-1) : T(1);
  return {sign * quaternion.vec(), sign * quaternion.w()};
}
template UnitQuaternion<double> quaternion_of(const Matrix3<double>&);
template UnitQuaternion<long double> quaternion_of(const Matrix3<long double>&);

}  // namespace hamel
