// The equilibria that the book names, with its corrections: a system at rest there remains at rest.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "gallery/files.hpp"

namespace hamel::test::equilibria_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Points = std::vector<VectorXd>;

const Vector2d right(1, 0), up(0, 1), slanted(0.6, 0.8);
const Vector3d e1(1, 0, 0), e2(0, 1, 0), e3(0, 0, 1), askew(0.36, 0.48, 0.8);
const Matrix3d upright = Matrix3d::Identity(), upside_down = Vector3d(1, -1, -1).asDiagonal();
constexpr double g = 9.81;

VectorXd flat(const Matrix3d& R) { return R.reshaped(); }
VectorXd number(double x) { return VectorXd::Constant(1, x); }
Matrix3d about(const Vector3d& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

VectorXd joined(const Points& points) {
  std::vector<double> all;
  for (const VectorXd& point : points) all.insert(all.end(), point.begin(), point.end());
  return Eigen::Map<const VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

double largest_acceleration(const System& system, const Points& points) {
  const VectorXd q = joined(points);
  VectorXd a(system.ambient());
  EXPECT_EQ(q.size(), system.ambient());
  system.check({0, q, VectorXd::Zero(q.size())}, 1e-12);
  Workspace work(system);
  system.acceleration(work, 0, q, VectorXd::Zero(q.size()), a);
  return a.lpNorm<Eigen::Infinity>();
}

void expect_rest(const std::string& id, const Points& points, const std::vector<Setting>& settings = {}) {
  EXPECT_LE(largest_acceleration(derive(from_gallery(id, settings)), points), 2e-12) << id;
}

// Relative equilibria: the configuration moves on, the quasi-velocities are constant.
void expect_steady(const std::string& id, const Points& points, const Points& rates,
                   const std::vector<Setting>& settings = {}) {
  const System system = derive(from_gallery(id, settings));
  const State s = system.state(0, joined(points), joined(rates));
  Workspace work(system);
  VectorXd a(system.ambient()), xi_rate(system.rates());
  system.acceleration(work, 0, s.q, s.v, a);
  system.space().rates_of_acceleration(s.q, s.v, a, xi_rate);
  EXPECT_GT(s.v.norm(), 0.1) << id << " is at rest";
  EXPECT_LE(xi_rate.lpNorm<Eigen::Infinity>(), 1e-12) << id;
}

void expect_motion(const std::string& id, const Points& points) {
  EXPECT_GE(largest_acceleration(derive(from_gallery(id)), points), 0.1) << id;
}

TEST(Equilibria, OfPlanarSystems) {
  for (const double s : {1.0, -1.0}) {
    expect_rest("planar-pendulum", {s * up});
    expect_rest("vf-ts1-dae2", {s * right});
    expect_rest("particle-rotating-hoop", {s * up});
    expect_rest("particle-rotating-hoop", {s * right});
    expect_rest("two-elastic-planar-pendulums", {slanted, s * slanted});
    expect_rest("particle-on-torus", {slanted, s * up});
    expect_rest("furuta-pendulum", {slanted, s * up});
    expect_rest("horizontal-pendulum-on-cart", {slanted, s * slanted});
    expect_rest("planar-slider-crank", {s * up, number(std::sqrt(1.2 * 1.2 - 0.5 * 0.5))});
    for (const double r : {1.0, -1.0}) {
      expect_rest("double-planar-pendulum", {s * up, r * up});
      expect_rest("revolute-robot-3d", {slanted, s * up, r * up});
    }
  }
  expect_rest("particle-hyperbolic-paraboloid", {Vector2d(0, 0)});
}

TEST(Equilibria, OfSphericalSystems) {
  for (const double s : {1.0, -1.0}) {
    expect_rest("spherical-pendulum", {s * e3});
    expect_rest("particle-rotating-sphere", {s * e3});
    expect_rest("spherical-pendulum-three-strings", {s * e3});
    expect_rest("two-elastic-spherical-pendulums", {askew, s * askew});
    expect_rest("spherical-pendulum-on-cart", {s * e3, slanted});
    for (const double r : {1.0, -1.0}) {
      expect_rest("double-spherical-pendulum", {s * e3, r * e3});
      expect_rest("planar-spherical-pendulum", {s * up, r * e3});
    }
  }
  expect_rest("particle-rotating-sphere", {Vector3d(0.6, 0.8, 0)});
}

TEST(Equilibria, OfChains) {
  for (int signs = 0; signs < 8; ++signs) {
    Points links;
    for (int k = 0; k < 3; ++k) links.emplace_back((signs >> k & 1) == 0 ? e3 : Vector3d(-e3));
    expect_rest("chain-pendulum", links, {{"n", 3}});
    links.insert(links.begin(), slanted);
    expect_rest("chain-pendulum-on-cart", links, {{"n", 3}});
  }
  const Points straight(4, askew);
  expect_rest("fixed-free-elastic-rod", straight, {{"n", 4}, {"g", 0}, {"clamp", askew}});
  for (const double s : {1.0, -1.0})
    expect_rest("fixed-free-elastic-rod", Points(4, s * e3), {{"n", 4}, {"clamp", e3}});
}

// Under its own small weight w per length a horizontal rod sags by w L^4 / (8 E I) where its joints have the stiffness
// EI / l of a beam, and four times as much with EI / (4 l) of book 10.5; with a hundred segments by 2 % more.
TEST(Equilibria, OfARodThatSags) {
  constexpr int n = 100;
  constexpr double EI = 0.5, mass = 0.3, g_small = 1e-3;
  for (const double softness : {1.0, 4.0}) {
    const double l = 1.0 / n, stiffness = EI / l / softness, weight = mass / n * g_small;
    Points rods;
    double slope = 0, sag = 0;
    for (int i = 0; i < n; ++i) {  // the joint holds what is beyond it: c (slope_i - slope_{i-1}) = moment
      const double beyond = n - i;
      slope += weight * l * beyond * beyond / 2 / stiffness;
      sag += l * slope;
      rods.emplace_back(Vector3d(1, 0, -slope).normalized());
    }
    EXPECT_NEAR(sag / (mass * g_small / (8 * EI)), 1.020 * softness, 5e-4 * softness);
    const VectorXd c = VectorXd::Constant(n, stiffness);
    const System system = derive(from_gallery("fixed-free-elastic-rod", {{"n", n}, {"g", g_small}, {"c", c}}));
    EXPECT_LE(largest_acceleration(system, rods), 1e-5 * largest_acceleration(system, Points(n, e1)));
  }
}

TEST(Equilibria, OfRotatingBodies) {
  for (const Matrix3d& R : {upright, upside_down}) {
    expect_rest("pendulum-3d", {flat(about(e3, 0.7) * R)});
    expect_rest("3d-pendulum-on-cart", {flat(about(e3, 0.7) * R), slanted}, {{"rho", Vector3d(0, 0, 0.5)}});
  }
  const Matrix3d R = about(askew, 0.9);
  expect_rest("free-rigid-body-so3", {flat(R)});
  expect_rest("free-rigid-body-se3", {flat(R), askew});
  expect_rest("rotating-body-with-appendage", {flat(R), number(0)});
  expect_rest("free-body-with-appendage", {flat(R), askew, number(0)});
  expect_rest("two-bodies-common-point", {flat(R), flat(upside_down), askew});
  expect_rest("spacecraft-cmg", {flat(R), slanted, up});
  expect_rest("spacecraft-reaction-wheels", {flat(R), askew, slanted, up, right});
  const Vector3d axle(0, 0.6, 0.8);  // the centre of mass is lowest and highest
  for (const double angle : {M_PI / 2, -M_PI / 2})
    expect_rest("rigid-body-planar-pendulum", {flat(about(axle, angle))});
}

// Relative to the orbit: its axes are principal ones of the body, in any order and sense.
TEST(Equilibria, OfABodyInOrbit) {
  int attitudes = 0;
  for (const Vector3d& first : {e1, e2, e3})
    for (const Vector3d& second : {e1, e2, e3})
      for (const double s : {1.0, -1.0})
        for (const double r : {1.0, -1.0}) {
          if (first == second) continue;
          Matrix3d R;
          R << s * first, r * second, s * r * first.cross(second);
          expect_rest("rigid-body-circular-orbit", {flat(R)});
          ++attitudes;
        }
  EXPECT_EQ(attitudes, 24);
}

// A slab hangs level from four equal springs.
TEST(Equilibria, OfABodyOnFourSprings) {
  constexpr double m = 2, kappa = 100, l = 0.5, across = 0.1 * 0.1 + 0.15 * 0.15, top = 1 - 0.05;
  const auto pull = [=](double z) {
    const double length = std::sqrt(across + (top - z) * (top - z));
    return 4 * kappa * (length - l) * (top - z) / length - m * g;
  };
  double low = 0, high = 0.5;  // the springs are longer below
  ASSERT_TRUE(pull(low) > 0 && pull(high) < 0);
  for (int k = 0; k < 60; ++k) (pull((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  expect_rest("elastically-supported-rigid-body", {flat(upright), low * e3});
}

TEST(Equilibria, OfTheRegulator) {
  Points goal = {Vector2d(0, 0)};
  for (const double s : {-1, -1, -1, 1, 1}) goal.emplace_back(s * e3);
  expect_rest("chain-pendulum-on-cart-controlled", goal);
  goal[1] = askew;
  expect_motion("chain-pendulum-on-cart-controlled", goal);
}

TEST(RelativeEquilibria, OfPairsAndSpinningBodies) {
  for (const double s : {1.0, -1.0}) {
    expect_steady("two-elastic-planar-pendulums", {slanted, s * slanted}, {number(1.3), number(1.3)});
    const Vector3d omega = 1.3 * askew.cross(e1);
    expect_steady("two-elastic-spherical-pendulums", {askew, s * askew}, {omega, omega});
  }
  const Matrix3d R = about(askew, 0.9);
  for (const Vector3d& axis : {e1, e2, e3}) {
    expect_steady("free-rigid-body-so3", {flat(R)}, {2 * axis});
    expect_steady("t-handle", {flat(R)}, {2 * axis});
  }
  expect_steady("free-rigid-body-se3", {flat(R), askew}, {2 * e3, 0.7 * e3});
  expect_steady("spacecraft-cmg", {flat(R), slanted, up}, {Vector3d(0, 0, 0), number(0), number(60)});
  expect_steady("spacecraft-reaction-wheels", {flat(R), askew, slanted, up, right},
                {Vector3d(0, 0, 0), Vector3d(0, 0, 0), Vector3d(40, -7, 20)});
}

// Steady precession about the vertical: c^2 Gamma x J Gamma = m g rho x Gamma where Gamma, the vertical in the body, is
// no principal axis; rho = (lambda I - c^2 J) Gamma / (m g) for any lambda.
TEST(RelativeEquilibria, OfThePendulumThatPrecesses) {
  constexpr double m = 1.3, c = 1.7;
  const Matrix3d J = Vector3d(0.13, 0.28, 0.17).asDiagonal(), R = about(Vector3d(2, -1, 2) / 3, 0.9);
  const Vector3d Gamma = R.transpose() * e3;
  for (const double lambda : {-0.4, 2.0})
    expect_steady("pendulum-3d", {flat(R)}, {c * Gamma},
                  {{"m", m}, {"J", J}, {"rho", (lambda * Gamma - c * c * J * Gamma) / (m * g)}});
}

// On circular orbits about e3: along the radius, along the path, and along the normal.
TEST(RelativeEquilibria, OfTheDumbbell) {
  constexpr double r = 1.1, half = 0.1;
  const Matrix3d J = Vector3d(0.012, 0.012, 0.002).asDiagonal();
  const Matrix3d radial = about(e2, M_PI / 2), tangential = about(e1, -M_PI / 2);
  const double near = 1 / ((r - half) * (r - half)), far = 1 / ((r + half) * (r + half));
  const double by_radius = std::sqrt((near + far) / (2 * r)), across = std::pow(r * r + half * half, -0.75);
  for (const auto& [R, rate] : {std::pair(radial, by_radius), {tangential, across}, {upright, across}})
    expect_steady("dumbbell-satellite", {flat(R), r * e1}, {rate * R.transpose() * e3, r * rate * R.transpose() * e2},
                  {{"m", 1.0}, {"l", 2 * half}, {"J", J}, {"GM", 1.0}});
}

// The spring is stretched or compressed along the vertical, and the body is above or below its hook.
TEST(Equilibria, OfABodyOnASpring) {
  constexpr double m = 2, kappa = 50, l = 1, d = 0.3;
  for (const double sigma : {-(l + m * g / kappa), l - m * g / kappa})
    for (const double side : {1.0, -1.0}) {
      const Matrix3d R = side > 0 ? upright : upside_down;
      expect_rest("rigid-body-single-elastic-support", {flat(R), (sigma - side * d) * e3}, {{"rho", d * e3}});
    }
}

TEST(Equilibria, AreNotEverywhere) {
  expect_motion("planar-pendulum", {slanted});
  expect_motion("spherical-pendulum", {askew});
  expect_motion("furuta-pendulum", {right, slanted});
  expect_motion("pendulum-3d", {flat(about(e1, 0.5))});
  expect_motion("rigid-body-circular-orbit", {flat(about(e1, 0.5))});
}

}  // namespace
}  // namespace hamel::test::equilibria_test
