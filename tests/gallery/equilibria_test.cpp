// The equilibria that the book names, with its corrections: a system at rest there remains at rest.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "gallery/files.hpp"

namespace hamel::test {
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

double largest_acceleration(const Model& model, const Points& points) {
  const System system = derive(model);
  VectorXd q(system.ambient()), a(system.ambient());
  Eigen::Index at = 0;
  for (const VectorXd& point : points) {
    q.segment(at, point.size()) = point;
    at += point.size();
  }
  EXPECT_EQ(at, system.ambient());
  system.check({0, q, VectorXd::Zero(q.size())}, 1e-12);
  Workspace work(system);
  system.acceleration(work, 0, q, VectorXd::Zero(q.size()), a);
  return a.lpNorm<Eigen::Infinity>();
}

void expect_rest(const std::string& id, const Points& points, const std::vector<Setting>& settings = {}) {
  EXPECT_LE(largest_acceleration(from_gallery(id, settings), points), 1e-12) << id;
}

void expect_motion(const std::string& id, const Points& points) {
  EXPECT_GE(largest_acceleration(from_gallery(id), points), 0.1) << id;
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
}

TEST(Equilibria, OfRotatingBodies) {
  for (const Matrix3d& R : {upright, upside_down}) {
    expect_rest("pendulum-3d", {flat(about(e3, 0.7) * R)});
    expect_rest("3d-pendulum-on-cart", {flat(about(e3, 0.7) * R), slanted}, {{"rho", Vector3d(0, 0, 0.5)}});
  }
  const Matrix3d R = about(askew, 0.9);
  expect_rest("free-rigid-body-so3", {flat(R)});
  expect_rest("rotating-body-with-appendage", {flat(R), number(0)});
  expect_rest("free-body-with-appendage", {flat(R), askew, number(0)});
  expect_rest("two-bodies-common-point", {flat(R), flat(upside_down), askew});
  expect_rest("spacecraft-cmg", {flat(R), slanted, up});
  expect_rest("spacecraft-reaction-wheels", {flat(R), askew, slanted, up, right});
  expect_rest("rigid-body-circular-orbit", {flat(upright)});  // relative: all axes of the orbit are principal ones
  expect_rest("rigid-body-circular-orbit", {flat(about(e2, M_PI / 2))});
  const Vector3d axle(0, 0.6, 0.8);  // the centre of mass is lowest and highest
  for (const double angle : {M_PI / 2, -M_PI / 2})
    expect_rest("rigid-body-planar-pendulum", {flat(about(axle, angle))});
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
}  // namespace hamel::test
