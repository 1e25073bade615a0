// Two links on circles, as in the systems of book, chapter 4: masses, lengths, inertias, weights, and their algebra.
#pragma once

#include "evidence.hpp"

namespace hamel::errata::two_links {

using Eigen::Matrix4d;

inline constexpr double m1 = 1.3, m2 = 0.7, L1 = 0.9, L2 = 1.4, g = 9.81;
inline constexpr double i11 = (m1 + m2) * L1 * L1, i12 = m2 * L1 * L2, i22 = m2 * L2 * L2;
inline constexpr double G1 = (m1 + m2) * g * L1, G2 = m2 * g * L2;
inline const Vector2d e1(1, 0), e2(0, 1);
inline const Matrix2d S = quarter_turn(), I = Matrix2d::Identity();

inline Vector2d part(const VectorXd& x, int i) { return x.segment<2>(2 * i); }
inline Matrix2d P(const Vector2d& q) { return projector(q); }
inline VectorXd pair(double x, double y) { return Vector2d(x, y); }
inline VectorXd pair(const Vector2d& x, const Vector2d& y) { return stack({x, y}); }

// Of the two angular velocities.
inline Matrix2d links_mass(const Vector2d& x1, const Vector2d& x2) {
  return Matrix2d{{i11, i12 * x1.dot(x2)}, {i12 * x1.dot(x2), i22}};
}

}  // namespace hamel::errata::two_links
