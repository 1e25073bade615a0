// Three pendulums: a bob, two bobs, a body.
#pragma once

#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/model/model.hpp"

namespace hamel::test {

inline Model spherical_pendulum() {
  Model model("spherical pendulum");
  const auto m = model.parameter("m", 1.3), l = model.parameter("l", 0.9), g = model.parameter("g", 9.81);
  const auto q = model.coordinate<S2>("q");
  model.kinetic(m / 2 * squared_norm(rate(l * q)));
  model.potential(m * g * l * q.z());
  return model;
}

inline Model double_spherical_pendulum() {
  Model model("double spherical pendulum");
  const auto m = model.parameter("m", {1.3, 0.7}), l = model.parameter("l", {0.9, 1.4});
  const auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)) + m[1] / 2 * squared_norm(rate(x2)));
  model.potential(9.81 * (m[0] * x1.z() + m[1] * x2.z()));
  return model;
}

inline Model pendulum_in_space() {
  Model model("3-D pendulum");
  const auto R = model.coordinate<SO3>("R");
  const MatrixXd inertia = Eigen::Vector3d(1, 2, 2.5).asDiagonal();
  const Vec3 centre = model.body(
      "body",
      {.attitude = R, .mass = 1.0, .inertia = inertia, .center_of_mass = Formula(Eigen::Vector3d(0.1, 0.2, 0.3))});
  model.potential(9.81 * centre.z());
  return model;
}

}  // namespace hamel::test
