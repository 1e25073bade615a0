// Up is where a shift of all points costs energy at a constant rate.
#include <gtest/gtest.h>

#include <hamel/manifold/factors.hpp>

#include "gallery/files.hpp"
#include "report/at_rest.hpp"

namespace hamel::up_test {
namespace {

using Eigen::Vector3d;

using test::scene_at_rest;

void expect_up(const Model& model, const Vector3d& up) {
  const Scene scene = scene_at_rest(model);
  EXPECT_LT((scene.up - up).norm(), 1e-9) << scene.up.transpose();
  EXPECT_TRUE(scene.ground);
}

struct Angles {
  Model model{"two angles"};
  Formula a = model.coordinate("a", Rn(1))[0], b = model.coordinate("b", Rn(1))[0];
  Formula x = model.point("x", Formula::vector({sin(a), -cos(a)}));
  Formula y = model.point("y", x + 2 * Formula::vector({sin(b), -cos(b)}));
  Angles() { model.kinetic(squared_norm(rate(x)) + squared_norm(rate(y))); }
};

TEST(Up, OfPointsThatAnglesMove) {
  Angles angles;
  angles.model.potential(9.81 * (angles.x.y() + 3 * angles.y.y()));
  expect_up(angles.model, Vector3d::UnitZ());
}

TEST(Up, OfAnEnergyInAnglesThatNamesNoPoint) {
  Angles angles;
  angles.model.potential(-9.81 * (4 * cos(angles.a) + 6 * cos(angles.b)));
  expect_up(angles.model, Vector3d::UnitZ());
}

TEST(Up, OfPointsThatTimeMoves) {
  Model model("shaken");
  auto q = model.coordinate<S2>("q");
  const Formula t = model.time();
  const Formula x = model.point("x", Formula::vector({0.3 * sin(2 * t), 0.0, cos(t)}) + 0.5 * q);
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(-9.81 * x.y());
  expect_up(model, -Vector3d::UnitY());
}

TEST(Up, OfALeverWhoseLighterEndIsTheLongerOne) {
  Model model("lever");
  auto q = model.coordinate<S2>("q");
  const Formula x = model.point("x", q), y = model.point("y", -2 * q);
  model.kinetic(squared_norm(rate(x)) + squared_norm(rate(y)));
  model.potential(5 * x.z() + y.z());
  expect_up(model, Vector3d::UnitZ());
}

TEST(Up, InAnyUnits) {
  Angles angles;
  angles.model.potential(9.81e-20 * angles.y.y());
  expect_up(angles.model, Vector3d::UnitZ());
}

TEST(Up, OfASurface) { expect_up(test::gallery_model("particle-hyperbolic-paraboloid").model, Vector3d::UnitZ()); }

// The energy of bending at the wall is linear in the direction of the first segment, and has no weight.
TEST(Up, IsNotTheDirectionOfAClamp) {
  expect_up(test::gallery_model("fixed-free-elastic-rod").model, Vector3d::UnitZ());
}

TEST(Up, SpringsAndAttractionHaveNone) {
  for (const char* id : {"molecules-on-sphere", "full-body-problem", "spin-chain", "two-elastic-spherical-pendulums"})
    EXPECT_FALSE(scene_at_rest(test::gallery_model(id).model).ground) << id;
}

}  // namespace
}  // namespace hamel::up_test
