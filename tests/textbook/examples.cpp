#include "textbook/examples.hpp"

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/manifold/sphere_n.hpp"

namespace hamel::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int from_one = 1;
const Matrix3d inertia{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};

}  // namespace

Model spherical_pendulum() {
  Model model("spherical pendulum", from_one);
  const auto m = model.parameter("m", 1.3), l = model.parameter("l", 0.9), g = model.parameter("g", 9.81);
  const auto q = model.coordinate<S2>("q");
  const Vec3 x = model.point("x", l * q);
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.z());
  return model;
}

Model chain(int links) {
  Model model("chain", from_one);
  const auto m = model.parameter("m", VectorXd::LinSpaced(links, 1.3, 0.4).eval());
  const auto l = model.parameter("l", VectorXd::LinSpaced(links, 0.5, 1.1).eval());
  const auto g = model.parameter("g", 9.81);
  const auto q = model.coordinates<S2>("q", links);
  Formula x = VectorXd::Zero(3);
  for (int i = 0; i < links; ++i) {
    x = x + l[i] * q[static_cast<std::size_t>(i)];
    model.kinetic(m[i] / 2 * squared_norm(rate(x)));
    model.potential(-m[i] * g * x.z());
  }
  return model;
}

Model double_spherical_pendulum() { return chain(2); }

Model planar_pendulum() {
  Model model("planar pendulum", from_one);
  const auto m = model.parameter("m", 1.3), l = model.parameter("l", 0.9), g = model.parameter("g", 9.81),
             c = model.parameter("c", 0.1);
  const auto u = model.input("u");
  const auto q = model.coordinate<S1>("q");
  const Vec2 x = l * q;
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.y());
  model.dissipation(c / 2 * omega(q) * omega(q));
  model.torque(q, u);
  return model;
}

Model pendulum_on_cart() {
  Model model("pendulum on a cart", from_one);
  const auto M = model.parameter("M", 2.1), m = model.parameter("m", 1.3), l = model.parameter("l", 0.9),
             g = model.parameter("g", 9.81);
  const auto x = model.coordinate("x", Rn(3));
  const auto q = model.coordinate<S2>("q");
  model.kinetic(M / 2 * squared_norm(rate(x)) + m / 2 * squared_norm(rate(x + l * q)));
  model.potential(m * g * (x + l * q).z() + M * g * x.z());
  model.force_on(x, model.input("u", 3));
  return model;
}

Model kepler() {
  Model model("Kepler", from_one);
  const auto m = model.parameter("m", 1.3), k = model.parameter("k", 2.0);
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(-k / norm(x));
  return model;
}

Model two_bodies() {
  Model model("two bodies", from_one);
  const auto m = model.parameter("m", {1.3, 0.7}), G = model.parameter("G", 2.0);
  const auto x = model.coordinates("x", Rn(3), 2);
  for (int i = 0; i < 2; ++i) model.kinetic(m[i] / 2 * squared_norm(rate(x[static_cast<std::size_t>(i)])));
  model.potential(-G * m[0] * m[1] / norm(x[0] - x[1]));
  return model;
}

Model charged_particle() {
  Model model("charged particle", from_one);
  const auto m = model.parameter("m", 1.3), e = model.parameter("e", 0.8), w = model.parameter("w", 2.0);
  const auto B = model.parameter("B", {0.3, -0.2, 0.9});
  const auto x = model.coordinate("x", Rn(3));
  model.lagrangian(m / 2 * squared_norm(rate(x)) + e / 2 * dot(rate(x), cross(B, x)));
  model.force_on(x, cos(w * model.time()) * unit_vector(0));
  return model;
}

Model free_body() {
  Model model("free rigid body", from_one);
  const auto R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .inertia = model.parameter("J", inertia)});
  return model;
}

Model heavy_body() {
  Model model("3-D pendulum", from_one);
  const auto m = model.parameter("m", 1.3), g = model.parameter("g", 9.81), J = model.parameter("J", inertia);
  const auto rho = model.parameter("rho", {0.1, 0.2, 0.3});
  const auto R = model.coordinate<SO3>("R");
  model.kinetic(dot(omega(R), J * omega(R)) / 2);
  model.potential(m * g * (R * rho).z());
  model.torque(R, model.input("tau", 3));
  return model;
}

Model posed_body() {
  Model model("body on SE(3)", from_one);
  const auto m = model.parameter("m", 1.3), g = model.parameter("g", 9.81), J = model.parameter("J", inertia);
  const auto rho = model.parameter("rho", {0.1, 0.2, 0.3});
  const auto T = model.coordinate<SE3>("T");
  const Vec3 centre = model.body(
      "body", {.attitude = rotation(T), .position = position(T), .mass = m, .inertia = J, .center_of_mass = rho});
  model.potential(m * g * centre.z());
  model.torque(T, model.input("tau", 6));
  model.dissipation(0.1 * squared_norm(omega(T)) + 0.2 * squared_norm(rate(position(T))));
  return model;
}

Model placed_body() {
  Model model("body on SO(3) x R^3", from_one);
  const auto m = model.parameter("m", 1.3), g = model.parameter("g", 9.81), J = model.parameter("J", inertia);
  const auto rho = model.parameter("rho", {0.1, 0.2, 0.3});
  const auto R = model.coordinate<SO3>("R");
  const auto x = model.coordinate("x", Rn(3));
  const Vec3 centre =
      model.body("body", {.attitude = R, .position = x, .mass = m, .inertia = J, .center_of_mass = rho});
  model.potential(m * g * centre.z());
  model.force(centre, model.input("f", 3));
  return model;
}

Model body_with_pendulum() {
  Model model("body with a pendulum", from_one);
  const auto m = model.parameter("m", {1.3, 0.4}), g = model.parameter("g", 9.81), l = model.parameter("l", 0.6);
  const auto rho = model.parameter("rho", {0.1, 0.2, 0.3});
  const auto R = model.coordinate<SO3>("R");
  const auto x = model.coordinate("x", Rn(3));
  const auto q = model.coordinate<S2>("q");
  const Vec3 load = x + R * rho + l * q;
  model.body("body", {.attitude = R, .position = x, .mass = m[0], .inertia = model.parameter("J", inertia)});
  model.kinetic(m[1] / 2 * squared_norm(rate(load)));
  model.potential(m[0] * g * x.z() + m[1] * g * load.z());
  model.force(x, model.input("f") * (R * unit_vector(2)));
  return model;
}

Model two_rotations() {
  Model model("two rotations", from_one);
  const auto J = model.parameter("J", inertia);
  const auto k = model.parameter("k", 1.7), c = model.parameter("c", 0.2);
  const auto R = model.coordinates<SO3>("R", 2);
  for (const Formula& attitude : R) model.kinetic(dot(omega(attitude), J * omega(attitude)) / 2);
  model.potential(-k * trace(transpose(R[0]) * R[1]));
  model.dissipation(c / 2 * squared_norm(R[0] * omega(R[0]) - R[1] * omega(R[1])));
  return model;
}

Model oblate_gravity() {
  Model model("particle with functions", from_one);
  const auto k = model.parameter("k", 2.0), n = model.parameter("n", 1.5);
  const auto x = model.coordinate("x", Rn(2));
  const auto y = model.coordinate("y", Rn(1));
  const Formula r2 = squared_norm(x) + 1;
  model.kinetic((1 + x[0] * x[0]) / 2 * squared_norm(rate(x)) + exp(-y) * rate(y) * rate(y));
  model.potential(k * log(r2) + sqrt(r2 + y * y) + atan2(x[1], 3 + x[0]) + pow(r2, n) + sin(y) * cosh(y) +
                  select(less(0, y), y * y, -y * y * y) + abs(y) + tanh(x[0]) + max(x[0], x[1]) / 3);
  return model;
}

Model point_on_hypersphere() {
  Model model("point on S3", from_one);
  const auto m = model.parameter("m", 1.3);
  const auto q = model.coordinate("q", Sphere(3));
  model.kinetic(m / 2 * squared_norm(rate(q)));
  model.potential(m * q[0] * q[3]);
  return model;
}

Model by_hamiltonian() {
  Model model("by a Hamiltonian", from_one);
  const auto m = model.parameter("m", 1.3), g = model.parameter("g", 9.81), k = model.parameter("k", 0.5);
  const auto q = model.coordinate<S2>("q");
  const auto z = model.coordinate<S1>("z");
  const auto x = model.coordinate("x", Rn(2));
  const auto mu = model.momentum(q), nu = model.momentum(z), p = model.momentum(x);
  model.hamiltonian(squared_norm(mu) / (2 * m) / (1 + 0.3 * q.x()) + m * g * q.z() + squared_norm(nu) / 2 +
                    squared_norm(p) / (2 * m) + k * dot(x, z) + k * dot(p, nu) / 4);
  model.force_on(x, model.input("u", 2));
  return model;
}

Model slider_crank() {
  Model model("slider-crank", from_one);
  const auto q = model.coordinate<S1>("q");
  const auto x = model.coordinate("x", Rn(1));
  model.kinetic(0.8 * squared_norm(rate(q)) + 0.5 * squared_norm(rate(x)));
  model.torque(q, model.input("u"));
  model.constraint("rod", (x - q[0]) * (x - q[0]) + q[1] * q[1] - 4.0);
  return model;
}

Model closed_loop() {
  Model model("closed loop", from_one);
  const auto m = model.parameter("m", 1.3);
  const auto q = model.coordinates<S2>("q", 2);
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(m / 2 * (squared_norm(rate(q[0])) + squared_norm(rate(q[1])) + squared_norm(rate(x))));
  model.potential(m * x.z());
  model.constraint("end", x - q[0] - q[1]);
  return model;
}

const std::vector<Model (*)()>& unconstrained_examples() {
  static const std::vector<Model (*)()> all = {
      spherical_pendulum, double_spherical_pendulum, planar_pendulum, pendulum_on_cart, kepler,
      two_bodies,         charged_particle,          free_body,       heavy_body,       posed_body,
      placed_body,        body_with_pendulum,        two_rotations,   oblate_gravity};
  return all;
}

}  // namespace hamel::test
