// Rigid bodies by hand: what hamel is measured against. Rotation matrices are stored column by column.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace hamel::bench {

struct Body {
  Eigen::Matrix3d inertia;  // about the origin of the body frame
  Eigen::Vector3d center;
  double mass, gravity;
};

// The 3-D pendulum, e3 down:  J Omega' = J Omega x Omega + m g rho x R^T e3.
class PendulumBaseline {
 public:
  explicit PendulumBaseline(const Body& body)
      : inertia_(body.inertia), inverse_(body.inertia.inverse()), weight_(body.mass * body.gravity * body.center) {}

  void acceleration(const double* R, const double* Omega, double* rate) const {
    const Eigen::Vector3d omega(Omega), down(R[2], R[5], R[8]);
    const Eigen::Vector3d momentum = inertia_ * omega;
    Eigen::Map<Eigen::Vector3d>(rate).noalias() = inverse_ * (momentum.cross(omega) + weight_.cross(down));
  }

 private:
  Eigen::Matrix3d inertia_, inverse_;
  Eigen::Vector3d weight_;
};

// A free body around a heavy centre, U = - m g / |x + R rho|, in body rates (Omega, V):
//   (J Omega + m rho x V)' = . x Omega + p x V + rho x f,     p' = p x Omega + f,     p = m (V + Omega x rho).
class FreeBodyBaseline {
 public:
  explicit FreeBodyBaseline(const Body& body)
      : inertia_(body.inertia), center_(body.center), mass_(body.mass), attraction_(body.mass * body.gravity) {
    Eigen::Matrix3d offset;
    offset << 0, -center_.z(), center_.y(), center_.z(), 0, -center_.x(), -center_.y(), center_.x(), 0;
    Eigen::Matrix<double, 6, 6> M;
    M << inertia_, mass_ * offset, -mass_ * offset, mass_ * Eigen::Matrix3d::Identity();
    inverse_ = M.inverse();
  }

  // q is (R, x), the rates are (Omega, V).
  void acceleration(const double* q, const double* rates, double* out) const {
    const Eigen::Map<const Eigen::Matrix3d> R(q);
    const Eigen::Map<const Eigen::Vector3d> x(q + 9), omega(rates), V(rates + 3);
    const Eigen::Vector3d place = x + R * center_;
    const double squared = place.squaredNorm();
    const Eigen::Vector3d force = R.transpose() * (-attraction_ / (squared * std::sqrt(squared)) * place);
    const Eigen::Vector3d p = mass_ * (V + omega.cross(center_));
    const Eigen::Vector3d angular = inertia_ * omega + mass_ * center_.cross(V);
    Eigen::Matrix<double, 6, 1> right;
    right << angular.cross(omega) + p.cross(V) + center_.cross(force), p.cross(omega) + force;
    Eigen::Map<Eigen::Matrix<double, 6, 1>>(out).noalias() = inverse_ * right;
  }

 private:
  Eigen::Matrix3d inertia_;
  Eigen::Vector3d center_;
  double mass_, attraction_;
  Eigen::Matrix<double, 6, 6> inverse_;
};

}  // namespace hamel::bench
