// Rigid displacements SE(3) in R^12: (R, x), R column by column. R' = R hat(Omega), x' = R V, book (2.21), (2.22),
// with the body rates (Omega, V). A product of SO(3) and R^3 as a manifold, a semidirect one as a group.
//
//   curvature (R hat(Omega)^2, R (Omega x V)),   retraction (R cayley(Omega), x + R V),
//   exponential: the screw motion of constant body rates, (R, x) exp([hat(Omega) V; 0 0]).
#pragma once

#include <numbers>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/so3.hpp"

namespace hamel {

class SE3 : public FactorDefaults {
 public:
  std::string name() const { return "SE3"; }
  int ambient() const { return 12; }
  int dimension() const { return 6; }
  int rates() const { return 6; }
  Turning turning() const { return Turning::body; }
  std::vector<Manifold> parts() const { return {SO3(), Rn(3)}; }
  std::vector<RateName> rate_names() const { return {{"Omega", 3}, {"V", 3}}; }
  std::pair<int, int> shape() const { return {3, 4}; }
  VectorXd reference_point() const;
  std::vector<AffineField> symmetries() const;  // left and right, and left ones of the attitude alone

  template <class T>
  VectorX<T> constraints(InOf<T> q) const {
    return rotations::constraints<T>(turn(q));
  }
  std::string defect_formula() const { return "the larger of |R^T R - I| and |det R - 1|"; }
  template <Number T>
  T defect(InOf<T> q) const {
    return rotations::defect<T>(turn(q));
  }

  template <Number T>
  void project(InOf<T> x, OutOf<T> q) const {
    rotations::matrix<T>(q) = rotations::nearest<T>(turn(x));
    q.template tail<3>() = x.template tail<3>();
  }
  template <class T>
  void tangent_project(InOf<T> q, InOf<T> v, OutOf<T> w) const {
    const auto R = turn(q);
    rotations::matrix<T>(w) = (R * hat(vee(R.transpose() * turn(v)))).eval();
    w.template tail<3>() = v.template tail<3>();
  }
  template <Number T>
  void tangent_basis(InOf<T> q, OutMatrixOf<T> N) const {
    N.setZero();
    for (int k = 0; k < 3; ++k) {
      const Matrix3<T> direction = turn(q) * hat(Vector3<T>::Unit(k)) / std::sqrt(T(2));
      N.col(k).template head<9>() = direction.reshaped();
      N(9 + k, 3 + k) = T(1);
    }
  }

  template <class T>
  void velocity(InOf<T> q, InOf<T> xi, OutOf<T> v) const {
    rotations::matrix<T>(v) = turn(q) * hat(xi.template head<3>());
    v.template tail<3>() = turn(q) * xi.template tail<3>();
  }
  template <class T>
  void rates(InOf<T> q, InOf<T> v, OutOf<T> xi) const {
    xi.template head<3>() = vee(turn(q).transpose() * turn(v));
    xi.template tail<3>() = turn(q).transpose() * v.template tail<3>();
  }
  // V = R^T x', so V' = R^T x'' - Omega x V.
  template <class T>
  void rates_of_acceleration(InOf<T> q, InOf<T> v, InOf<T> a, OutOf<T> xi_dot) const {
    Eigen::Matrix<T, 6, 1> xi;
    rates<T>(q, v, xi);
    rates<T>(q, a, xi_dot);
    xi_dot.template tail<3>() -= cross(xi.template head<3>(), xi.template tail<3>());
  }
  template <class T>
  void covector_to_rates(InOf<T> q, InOf<T> p, OutOf<T> pi) const {
    pi.template head<3>() = vee(turn(q).transpose() * turn(p)) * T(2);
    pi.template tail<3>() = turn(q).transpose() * p.template tail<3>();
  }
  template <class T>
  void curvature_of_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const Matrix3<T> X = hat(xi.template head<3>());
    rotations::matrix<T>(result) = turn(q) * (X * X).eval();
    result.template tail<3>() = turn(q) * (X * xi.template tail<3>()).eval();
  }
  template <class T>
  void curvature(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    Eigen::Matrix<T, 6, 1> xi;
    rates<T>(q, v, xi);
    curvature_of_rates<T>(q, xi, result);
  }

  template <class T>
  void retract_by_rates(InOf<T> q, InOf<T> xi, OutOf<T> result) const {
    const Matrix3<T> R = turn(q);
    result.template tail<3>() = q.template tail<3>() + R * xi.template tail<3>();
    rotations::matrix<T>(result) = R + R * cayley_minus_identity<T>(xi.template head<3>());
  }
  template <class T>
  void retract(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    Eigen::Matrix<T, 6, 1> xi;
    rates<T>(q, v, xi);
    retract_by_rates<T>(q, xi, result);
  }
  template <Number T>
  void inverse_retract(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    rotations::matrix<T>(v) = turn(q) * hat(inverse_cayley<T>(turn(q).transpose() * turn(other)));
    v.template tail<3>() = other.template tail<3>() - q.template tail<3>();
  }

  template <Number T>
  void exponential(InOf<T> q, InOf<T> v, OutOf<T> result) const {
    const Matrix3<T> R = turn(q);
    Eigen::Matrix<T, 6, 1> xi;
    rates<T>(q, v, xi);
    const Vector3<T> Omega = xi.template head<3>();
    result.template tail<3>() = q.template tail<3>() + R * (mean_rotation(Omega) * xi.template tail<3>());
    rotations::matrix<T>(result) = R + R * exponential_minus_identity(Omega);
  }
  template <Number T>
  void logarithm(InOf<T> q, InOf<T> other, OutOf<T> v) const {
    const auto R = turn(q);
    const Vector3<T> Omega = rotation_logarithm<T>(R.transpose() * turn(other));
    const Vector3<T> moved = R.transpose() * (other.template tail<3>() - q.template tail<3>());
    rotations::matrix<T>(v) = R * hat(Omega);
    v.template tail<3>() = R * mean_rotation(Omega).partialPivLu().solve(moved);
  }
  double injectivity_radius() const { return std::numbers::sqrt2 * std::numbers::pi; }

  VectorXd random_point(Random& random) const;

 private:
  template <class T>
  static auto turn(const Eigen::Ref<const VectorX<T>>& q) {
    return Eigen::Map<const Matrix3<T>>(q.data());
  }
};

extern template Manifold::Manifold(SE3);

}  // namespace hamel
