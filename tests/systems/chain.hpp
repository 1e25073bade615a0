// Unit vectors with a constant inertia, and a point that moves with them: the four forms of their equations by hand,
// book (5.10), (5.17), (5.23) to (5.34), (10.7), (10.8), corrected.
#pragma once

#include <Eigen/LU>

#include "hamel/linear/dense.hpp"
#include "systems/support.hpp"

namespace hamel::test {

// The system T = 1/2 x'.x' M00 + x'.sum_i E^T c_i q_i' + 1/2 sum_ij M_ij q_i'.q_j' with generalized forces f(q) on q
// and h on x. A chain without a cart or a free end has no x: E is 3 x 0.
struct Chain {
  MatrixXd M;  // n x n
  MatrixXd E;  // 3 x k: where x moves the first joint
  VectorXd c;  // M_0i
  double M00 = 0;
  std::function<VectorXd(const VectorXd& q)> f;  // 3n
  VectorXd h;                                    // k

  static Matrix3d P(const Vector3d& q) { return Matrix3d::Identity() - q * q.transpose(); }
  int links() const { return static_cast<int>(M.rows()); }
  int base() const { return static_cast<int>(E.cols()); }
  Vector3d link(const VectorXd& y, int i) const { return y.segment<3>(base() + 3 * i); }

  // Book (10.7), (10.8) by q'': rows of the links are projected, their diagonal blocks are not.
  MatrixXd mass(const VectorXd& q) const {
    const int k = base(), n = links();
    MatrixXd A(k + 3 * n, k + 3 * n);
    A.topLeftCorner(k, k) = M00 * MatrixXd::Identity(k, k);
    for (int i = 0; i < n; ++i) {
      A.block(0, k + 3 * i, k, 3) = c(i) * E.transpose();
      A.block(k + 3 * i, 0, 3, k) = c(i) * P(link(q, i)) * E;
      for (int j = 0; j < n; ++j)
        A.block(k + 3 * i, k + 3 * j, 3, 3) = M(i, j) * (i == j ? Matrix3d::Identity().eval() : P(link(q, i)));
    }
    return A;
  }
  // The same in omega: blocks S(q_i)^T S(q_j), book (5.17).
  MatrixXd angular_mass(const VectorXd& q) const {
    const int k = base(), n = links();
    MatrixXd A(k + 3 * n, k + 3 * n);
    A.topLeftCorner(k, k) = M00 * MatrixXd::Identity(k, k);
    for (int i = 0; i < n; ++i) {
      A.block(0, k + 3 * i, k, 3) = -c(i) * E.transpose() * hat(link(q, i));
      A.block(k + 3 * i, 0, 3, k) = c(i) * hat(link(q, i)) * E;
      for (int j = 0; j < n; ++j)
        A.block(k + 3 * i, k + 3 * j, 3, 3) =
            M(i, j) * (i == j ? Matrix3d::Identity().eval() : (hat(link(q, i)).transpose() * hat(link(q, j))).eval());
    }
    return A;
  }

  VectorXd acceleration(const VectorXd& q, const VectorXd& v) const {
    VectorXd rhs(q.size());
    rhs.head(base()) = h;
    const VectorXd force = f(q);
    for (int i = 0; i < links(); ++i)
      rhs.segment<3>(base() + 3 * i) =
          P(link(q, i)) * force.segment<3>(3 * i) - M(i, i) * link(v, i).squaredNorm() * link(q, i);
    return linear::solve(mass(q), rhs);
  }

  VectorXd angular_acceleration(const VectorXd& q, const VectorXd& w) const {
    VectorXd rhs(q.size());
    rhs.head(base()) = h;
    const VectorXd force = f(q);
    for (int i = 0; i < links(); ++i) {
      rhs.head(base()) += c(i) * link(w, i).squaredNorm() * E.transpose() * link(q, i);
      Vector3d moment = link(q, i).cross(force.segment<3>(3 * i));
      for (int j = 0; j < links(); ++j)
        if (j != i) moment += M(i, j) * link(w, j).squaredNorm() * link(q, i).cross(link(q, j));
      rhs.segment<3>(base() + 3 * i) = moment;
    }
    return linear::solve(angular_mass(q), rhs);
  }

  // p_i = dL/dq_i'
  Vector3d momentum(const VectorXd& v, int i) const {
    Vector3d p = c(i) * E * v.head(base());
    for (int j = 0; j < links(); ++j) p += M(i, j) * link(v, j);
    return p;
  }

  // mu_i' = P_i f_i - (q_i.p_i) q_i' - (q_i'.p_i) q_i
  Rates mu(const VectorXd& q, const VectorXd& momenta) const {
    const VectorXd v = linear::solve(mass(q), momenta), force = f(q);
    VectorXd rate(q.size());
    rate.head(base()) = h;
    for (int i = 0; i < links(); ++i) {
      const Vector3d p = momentum(v, i), qi = link(q, i), vi = link(v, i);
      rate.segment<3>(base() + 3 * i) = P(qi) * force.segment<3>(3 * i) - qi.dot(p) * vi - vi.dot(p) * qi;
    }
    return {v, rate};
  }

  // pi_i' = q_i' x p_i + q_i x f_i
  Rates pi(const VectorXd& q, const VectorXd& momenta) const {
    const VectorXd w = linear::solve(angular_mass(q), momenta), force = f(q);
    VectorXd v = w, rate(q.size());
    for (int i = 0; i < links(); ++i) v.segment<3>(base() + 3 * i) = link(w, i).cross(link(q, i));
    rate.head(base()) = h;
    for (int i = 0; i < links(); ++i)
      rate.segment<3>(base() + 3 * i) = link(v, i).cross(momentum(v, i)) + link(q, i).cross(force.segment<3>(3 * i));
    return {v, rate};
  }
};

inline ByHand by_hand(const Chain& chain) {
  return {[=](const VectorXd& q, const VectorXd& v) { return chain.acceleration(q, v); },
          [=](const VectorXd& q, const VectorXd& w) { return chain.angular_acceleration(q, w); },
          [=](const VectorXd& q, const VectorXd& momenta) { return chain.mu(q, momenta); },
          [=](const VectorXd& q, const VectorXd& momenta) { return chain.pi(q, momenta); }};
}

}  // namespace hamel::test
