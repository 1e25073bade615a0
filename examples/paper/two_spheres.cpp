#include "two_spheres.hpp"

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "icosphere.hpp"

namespace hamel::two_spheres {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Sixd = Eigen::Matrix<double, 6, 1>;
using Points = std::vector<Vector3d>;

VectorXd stacked(const Points& points) {
  VectorXd result(3 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) result.segment<3>(3 * static_cast<Eigen::Index>(i)) = points[i];
  return result;
}

Example example(const Model& model, const Points& q, const Points& omega, double end) {
  Example result{model.name(), derive(model), {}, end};
  result.start = result.system.state(0, stacked(q), stacked(omega));
  return result;
}

const double root3 = std::sqrt(3.0);

}  // namespace

// The four printed digits of the start are not unit vectors; the exact numbers are. The printed energies are those of
// l = g = 1.
Example double_pendulum() {
  Model model("1 double spherical pendulum");
  const double m = 1, l = 9.81, g = 9.81;
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = l * q[0], x2 = x1 + l * q[1];
  model.kinetic(m / 2 * squared_norm(rate(x1)));
  model.kinetic(m / 2 * squared_norm(rate(x2)));
  model.potential(-m * g * x1.z());
  model.potential(-m * g * x2.z());
  Example result = example(model, {{root3 / 2, 0, 0.5}, {0, 0, 1}}, {{-root3 / 4, 0, 0.75}, {0, 1, 0}}, 100);
  result.unit_of_energy = m * l * l;
  return result;
}

void double_pendulum_as_printed(double, In y, Out rate) {
  const Vector3d q1 = y.head<3>(), q2 = y.segment<3>(3), omega1 = y.segment<3>(6), omega2 = y.tail<3>(), e3(0, 0, 1);
  Eigen::Matrix<double, 6, 6> M;
  M << 2 * Matrix3d::Identity(), -hat(q1) * hat(q2), -hat(q2) * hat(q1), Matrix3d::Identity();
  Sixd right;
  right << omega2.squaredNorm() * q1.cross(q2) + 2 * q1.cross(e3), omega1.squaredNorm() * q2.cross(q1) + q2.cross(e3);
  rate << omega1.cross(q1), omega2.cross(q2), M.partialPivLu().solve(right);
}

// V is written with 1/2 before the sum over all ordered pairs.
Example three_bodies() {
  Model model("2 three bodies on a sphere");
  auto q = model.coordinates<S2>("q", 3);
  for (std::size_t i = 0; i < 3; ++i) {
    model.kinetic(squared_norm(rate(q[i])) / 2);
    for (std::size_t j = 0; j < i; ++j) {
      const Scalar c = dot(q[i], q[j]);
      model.potential(-c / sqrt(1 - c * c));
    }
  }
  return example(model, {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}, {{0, 0, -1.1}, {1, 0, 0}, {0, 1, 0}}, 10);
}

// Springs of 10, 20, 30, 40 N/m in the order of the pairs, relaxed at the distance of the pivots; e1 = (1, 0, 0).
Example coupled_pendula() {
  Model model("3 four coupled pendula");
  const double m = 0.1, l = 0.1, g = 9.81, angle = 20 * M_PI / 180;
  auto q = model.coordinates<S2>("q", 4);
  const Points pivots = {{l, 0, 0}, {0, -l, 0}, {-l, 0, 0}, {0, l, 0}};  // from each to the next
  for (std::size_t i = 0; i < 4; ++i) {
    model.kinetic(m * l * l / 2 * squared_norm(rate(q[i])));
    model.potential(-m * g * l * q[i].z());
    const Scalar stretch = norm(pivots[i] + l / 2 * (q[(i + 1) % 4] - q[i])) - l;
    model.potential(5.0 * static_cast<double>(i + 1) * stretch * stretch);
  }
  const Vector3d down(0, 0, 1), none(0, 0, 0);
  return example(model, {down, down, {std::cos(angle) / 2, std::sin(angle) / 2, root3 / 2}, down},
                 {{-10, 4, 0}, none, none, none}, 30);
}

// The printed inertia is not that of rods, and the energy of bending that reproduces the figure is squared.
Example elastic_rod() {
  Model model("4 elastic rod, 10 elements");
  const int n = 10;
  const double m = 0.055 / (n + 1), l = 1.1 / (n + 1), g = 9.81, kappa = 1000;
  auto q = model.coordinates<S2>("q", n);
  const Vector3d clamped(1, 0, 0), none(0, 0, 0);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double after = n - 1 - i;
    model.kinetic(m * l * l * (1. / 3 + after) / 2 * squared_norm(rate(q[at])));
    for (std::size_t j = 0; j < at; ++j) model.kinetic(m * l * l * (after + 1) / 2 * dot(rate(q[at]), rate(q[j])));
    model.potential(-m * g * l * (0.5 + after) * q[at].z());
    const Scalar bend = 1 - dot(i == 0 ? Formula(clamped) : q[at - 1], q[at]);
    model.potential(kappa / 2 * bend * bend);
  }
  Points omega(n, none);
  omega[4] = {0, 0, 10};
  return example(model, Points(n, clamped), omega, 3);
}

// One dipole is turned and another one spins: the printed q and omega of a single one are not orthogonal.
Example magnetic_dipoles() {
  Model model("5 array of 16 magnetic dipoles");
  const double m = 0.05, l = 0.02, nu = 0.1, edge = 1.2 * l, strength = 1e-7 * nu * nu;  // mu / 4 pi = 1e-7
  auto q = model.coordinates<S2>("q", 16);
  const auto pivot = [&](std::size_t i) {
    return Vector3d(edge * static_cast<double>(i % 4), edge * static_cast<double>(i / 4), 0);
  };
  for (std::size_t i = 0; i < 16; ++i) {
    model.kinetic(m * l * l / 24 * squared_norm(rate(q[i])));
    for (std::size_t j = 0; j < i; ++j) {
      const Vector3d r = pivot(j) - pivot(i), along = r.normalized();
      model.potential(strength / std::pow(r.norm(), 3) *
                      (dot(q[i], q[j]) - 3 * dot(q[i], Formula(along)) * dot(q[j], Formula(along))));
    }
  }
  Points start(16, Vector3d(1, 0, 0)), omega(16, Vector3d(0, 0, 0));
  start[0] = Vector3d(0.3536, 0.3536, -0.8660).normalized();
  omega[15] = {0, 0.5, 0};
  return example(model, start, omega, 10);
}

// Neighbours begin where their force vanishes. The paper does not print its two vortices, 30 degrees apart.
Example molecules(int divisions) {
  Model model("6 molecules on a sphere");
  const double epsilon = 0.01, swirl = 0.1;
  const auto [vertices, mean_edge] = icosphere(divisions);
  const double sigma2 = std::pow(mean_edge * std::pow(2, -1. / 6), 2);
  auto q = model.coordinates<S2>("q", static_cast<int>(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    model.kinetic(squared_norm(rate(q[i])) / 2);
    for (std::size_t j = 0; j < i; ++j) {
      const Scalar s = pow(sigma2 / 2 / (1 - dot(q[i], q[j])), 3);  // |q_i - q_j|^2 = 2 - 2 q_i.q_j
      model.potential(4 * epsilon * (s * s - s));
    }
  }
  const Points centers = {{std::sin(M_PI / 12), 0, std::cos(M_PI / 12)},
                          {-std::sin(M_PI / 12), 0, std::cos(M_PI / 12)}};
  Points omega;
  for (const Vector3d& x : vertices) {
    Vector3d v(0, 0, 0);
    for (const Vector3d& c : centers) v += swirl * c.cross(x) / (1.1 - c.dot(x));
    omega.push_back(x.cross(v));
  }
  return example(model, vertices, omega, 5);
}

}  // namespace hamel::two_spheres
