#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <hamel/manifold/factors.hpp>
#include <hamel/report/draw.hpp>
#include <hamel/report/page.hpp>

#include "gallery/files.hpp"
#include "hamel/report/view_options.hpp"
#include "report/box.hpp"
#include "systems/models.hpp"

namespace hamel::draw_test {
namespace {

using Eigen::Vector3d;

// Random states; for a picture they need not be a motion.
std::vector<State> some_states(const Model& model, int count = 3) {
  Random random(7);
  std::vector<Manifold> spaces;
  for (const Coordinate& coordinate : model.coordinates()) spaces.push_back(coordinate.space);
  const Manifold space = product(spaces);
  std::vector<State> states;
  for (int i = 0; i < count; ++i) {
    const VectorXd q = space.random_point(random);
    states.push_back({.t = i * 0.1, .q = q, .v = VectorXd::Zero(q.size())});
  }
  return states;
}

Scene drawn(const Model& model, const ViewOptions& options = {}) {
  const std::vector<State> states = some_states(model);
  Scene scene = scene_of(model, states, options);
  Page page{.title = model.name(), .time = {}, .scene = scene};
  for (const State& state : states) page.time.push_back(state.t);
  to_html(page);  // refuses a scene that does not fit together
  return scene;
}

std::vector<SceneObject> all(const Scene& scene, Drawn kind) {
  std::vector<SceneObject> found;
  for (const SceneObject& object : scene.objects)
    if (object.kind == kind) found.push_back(object);
  return found;
}

std::size_t count(const Scene& scene, Drawn kind) { return all(scene, kind).size(); }

const SceneObject& named(const Scene& scene, const std::string& name) {
  for (const SceneObject& object : scene.objects)
    if (object.name == name) return object;
  throw std::out_of_range("nothing is called " + name);
}

Vector3d place(const Scene& scene, int track, std::size_t frame) {
  const std::vector<float>& values = scene.tracks[static_cast<std::size_t>(track)].values;
  const float* at = values.data() + (values.size() == 3 ? 0 : 3 * frame);
  return {at[0], at[1], at[2]};
}

Model pendulum_on_cart() {
  Model model("pendulum on a cart");
  auto x = model.coordinate("x", Rn(1));
  auto q = model.coordinate<S2>("q");
  const Vec3 cart = model.point("cart", Formula::vector({x[0], 0.0, 0.0}));
  const Vec3 bob = model.point("bob", cart + 0.5 * q);
  model.kinetic(squared_norm(rate(cart)) + squared_norm(rate(bob)));
  model.potential(9.81 * bob.z());
  return model;
}

Model two_bodies(bool spring) {
  Model model("two bodies");
  auto x = model.coordinates("x", Rn(3), 2);
  for (const Formula& point : x) model.kinetic(squared_norm(rate(point)) / 2);
  const Formula distance = norm(x[0] - x[1]);
  model.potential(spring ? pow(distance - 1, 2) : -1 / distance);
  return model;
}

Model rigid_pendulum(const MatrixXd& J) {
  Model model("rigid pendulum");
  auto R = model.coordinate<SO3>("R");
  const Vec3 x = model.body("body", {.attitude = R, .mass = 2.0, .inertia = J, .center_of_mass = Vector3d(0, 0, 0.5)});
  model.potential(-2 * 9.81 * x.z());
  return model;
}

// About a corner frame: J = J_c + m (|c|^2 I - c c^T) of a box with these sides and mass 2.
MatrixXd inertia_of_box(const Vector3d& size, const Vector3d& c) {
  const Vector3d s = size.cwiseProduct(size);
  const Vector3d central(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return Eigen::Matrix3d((central / 6).asDiagonal()) +
         2 * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
}

TEST(Scene, ADoublePendulumIsTwoLinks) {
  Model model("double pendulum");
  auto l = model.parameter("l", {1.0, 2.0});
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = model.point("x1", l[0] * q[0]), x2 = model.point("x2", x1 + l[1] * q[1]);
  model.kinetic(squared_norm(rate(x1)) + squared_norm(rate(x2)));
  model.potential(-x1.z() - x2.z());  // e3 points down
  const Scene scene = drawn(model);
  EXPECT_EQ(scene.up, Vector3d(0, 0, -1));
  EXPECT_TRUE(scene.ground);
  const auto links = all(scene, Drawn::link);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].to, links[1].at);  // one track for both
  EXPECT_EQ(links[1].to, named(scene, "x2").at);
  EXPECT_FALSE(named(scene, "x1").trail);
  EXPECT_TRUE(named(scene, "x2").trail);
  const auto states = some_states(model);
  const Vector3d expected = states[2].q.head(3) + 2 * states[2].q.tail(3);
  EXPECT_LT((place(scene, named(scene, "x2").at, 2) - expected).norm(), 1e-6);
  EXPECT_EQ(place(scene, links[0].at, 1), Vector3d::Zero());
}

TEST(Scene, PointsNeedNoNames) {
  const Scene scene = drawn(test::double_spherical_pendulum());
  EXPECT_EQ(count(scene, Drawn::link), 2U);
  EXPECT_EQ(count(scene, Drawn::point), 3U);
  EXPECT_EQ(scene.up, Vector3d::UnitZ());
}

TEST(Scene, ACartHasARail) {
  const Scene scene = drawn(pendulum_on_cart());
  ASSERT_EQ(count(scene, Drawn::cart), 1U);
  EXPECT_LT(named(scene, "cart").axis.cross(Vector3d::UnitX()).norm(), 1e-12);
  ASSERT_EQ(count(scene, Drawn::rail), 1U);
  EXPECT_EQ(count(scene, Drawn::link), 1U);
}

TEST(Scene, AChainOnACartInThePlane) {
  const Scene scene = drawn(test::chain_pendulum_on_cart(5));
  EXPECT_EQ(count(scene, Drawn::cart), 1U);
  EXPECT_EQ(count(scene, Drawn::plane), 1U);
  EXPECT_EQ(count(scene, Drawn::link), 5U);
  EXPECT_EQ(count(scene, Drawn::point), 5U);
}

TEST(Scene, APlaneIsDrawnUpright) {
  const Model model = test::planar_pendulum();
  const Scene scene = drawn(model);
  EXPECT_EQ(scene.up, Vector3d::UnitZ());
  EXPECT_EQ(scene.note, "The plane of the motion is drawn upright.");
  const auto links = all(scene, Drawn::link);
  ASSERT_EQ(links.size(), 1U);
  const auto states = some_states(model);
  const Vector3d expected = test::L * Vector3d(states[0].q(0), 0, states[0].q(1));
  EXPECT_LT((place(scene, links[0].to, 0) - expected).norm(), 1e-6);
}

TEST(Scene, AnglesAreLinksToo) {
  Model model("two angles");
  auto a = model.coordinate("a", Rn(1)), b = model.coordinate("b", Rn(1));
  const Vec2 x = model.point("x", Formula::vector({sin(a[0]), -cos(a[0])}));
  const Vec2 y = model.point("y", x + 2 * Formula::vector({sin(b[0]), -cos(b[0])}));
  model.kinetic(squared_norm(rate(x)) + squared_norm(rate(y)));
  const Scene scene = drawn(model);
  ASSERT_EQ(count(scene, Drawn::link), 2U);
  EXPECT_EQ(all(scene, Drawn::link)[1].at, named(scene, "x").at);
}

TEST(Scene, ARigidBodyIsTheBoxOfItsInertia) {
  const Vector3d size(0.2, 0.4, 1.2);
  const Scene scene = drawn(rigid_pendulum(inertia_of_box(size, Vector3d(0, 0, 0.5))));
  ASSERT_EQ(count(scene, Drawn::body), 1U);
  EXPECT_LT((named(scene, "body").size - size).norm(), 1e-12);
  EXPECT_EQ(count(scene, Drawn::link), 1U);
  EXPECT_EQ(scene.up, -Vector3d::UnitZ());
}

TEST(InertiaBox, FindsItsPrincipalAxes) {
  const Vector3d size(1, 2, 3);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.4, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const Eigen::Matrix3d J = turn * inertia_of_box(size, Vector3d::Zero()) * turn.transpose();
  const InertiaBox box = inertia_box(2, J, Vector3d::Zero());
  EXPECT_LT((box.size - size).norm(), 1e-9);
  EXPECT_LT((box.axes.cwiseAbs() - turn.cwiseAbs()).norm(), 1e-9);
  EXPECT_NEAR(box.axes.determinant(), 1, 1e-12);
}

TEST(InertiaBox, NeedsNoMassAndIsNeverFlat) {
  const InertiaBox box = inertia_box(0, Vector3d(1, 1, 2).asDiagonal(), Vector3d::Zero());
  EXPECT_NEAR(box.size.x(), 1, 1e-12);
  EXPECT_NEAR(box.size.z(), 0.03, 1e-12);
}

TEST(Scene, ParticlesOnASphere) {
  const Scene scene = drawn(test::two_elastic_spherical_pendulums());
  ASSERT_EQ(count(scene, Drawn::sphere), 1U);
  EXPECT_NEAR(all(scene, Drawn::sphere)[0].radius, test::L, 1e-12);
  EXPECT_EQ(count(scene, Drawn::link), 0U);
  EXPECT_EQ(count(scene, Drawn::point), 2U);
  EXPECT_FALSE(scene.ground);
}

TEST(Scene, ANormIsASpringUnlessItAttracts) {
  const auto links = all(drawn(two_bodies(true)), Drawn::link);
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].style, LinkStyle::spring);
  EXPECT_EQ(count(drawn(two_bodies(false)), Drawn::link), 0U);
}

TEST(Scene, MassesOnALineHaveSprings) {
  Model model("three masses");
  auto x = model.coordinates("x", Rn(1), 3);
  for (const Formula& mass : x) model.kinetic(squared_norm(rate(mass)) / 2);
  model.potential(3 * pow(x[1][0] - x[0][0] - 1, 2));
  const Formula stretch = x[1][0] - x[2][0] + 1;
  model.potential(stretch * stretch);
  const Scene scene = drawn(model);
  EXPECT_EQ(count(scene, Drawn::cart), 3U);
  EXPECT_EQ(count(scene, Drawn::rail), 1U);
  const auto links = all(scene, Drawn::link);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[1].style, LinkStyle::spring);
  EXPECT_EQ(links[1].to, named(scene, "x[2]").at);
}

TEST(Scene, OnlyTheTipOfAChainLeavesATrail) {
  int trails = 0;
  for (const SceneObject& object : drawn(test::chain_pendulum(4)).objects) trails += object.trail ? 1 : 0;
  EXPECT_EQ(trails, 1);
}

TEST(Scene, DirectionsThatNoPointUsesAreArrows) {
  Model model("dipoles");
  auto q = model.coordinates<S2>("q", 2);
  for (const Formula& direction : q) model.kinetic(squared_norm(rate(direction)) / 2);
  model.potential(dot(q[0], q[1]));
  const Scene scene = drawn(model, {.places = {{"q[1]", Vector3d(3, 0, 0)}}});
  ASSERT_EQ(count(scene, Drawn::arrow), 2U);
  EXPECT_EQ(place(scene, named(scene, "q[1]").at, 0), Vector3d(3, 0, 0));
}

TEST(Scene, ManyDirectionsArePointsOnASphere) {
  const Scene scene = drawn(test::gallery_model("molecules-on-sphere").model);
  EXPECT_EQ(count(scene, Drawn::arrow), 0U);
  EXPECT_EQ(count(scene, Drawn::point), 162U);
  EXPECT_EQ(count(scene, Drawn::sphere), 1U);
}

TEST(Scene, AnAttitudeAloneIsABody) {
  Model model("free body");
  auto pose = model.coordinate<SE3>("pose");
  model.kinetic(squared_norm(rate(position(pose))) + trace(rate(rotation(pose)) * transpose(rate(rotation(pose)))));
  const Scene scene = drawn(model);
  ASSERT_EQ(count(scene, Drawn::body), 1U);
  EXPECT_EQ(place(scene, all(scene, Drawn::body)[0].at, 1),
            some_states(model)[1].q.tail(3).cast<float>().cast<double>());
}

TEST(Scene, EveryExhibitCanBeDrawn) {
  for (const test::Exhibit& exhibit : test::gallery()) {
    const Scene scene = drawn(exhibit.model());
    EXPECT_GE(scene.objects.size(), 1U) << exhibit.name;
  }
}

TEST(Scene, OptionsAreObeyed) {
  ViewOptions options{.up = Vector3d(0, 2, 0), .ground = false};
  options.trails = {"cart"};
  options.colors["bob"] = "red";
  options.radii["bob"] = 0.25;
  options.sizes["cart"] = Vector3d(1, 2, 3);
  options.links = {{"origin", "bob", LinkStyle::string}};
  options.camera.follow = "cart";
  const Scene scene = drawn(pendulum_on_cart(), options);
  EXPECT_EQ(scene.up, Vector3d::UnitY());
  EXPECT_FALSE(scene.ground);
  EXPECT_TRUE(named(scene, "cart").trail);
  EXPECT_FALSE(named(scene, "bob").trail);
  EXPECT_EQ(named(scene, "bob").color, "red");
  EXPECT_EQ(named(scene, "bob").radius, 0.25);
  EXPECT_EQ(named(scene, "cart").size, Vector3d(1, 2, 3));
  EXPECT_EQ(all(scene, Drawn::link).back().style, LinkStyle::string);
  EXPECT_EQ(scene.camera.follow, "cart");
}

TEST(Scene, WhatIsHiddenTakesItsLinksAlong) {
  const Scene scene = drawn(pendulum_on_cart(), {.hidden = {"bob"}});
  EXPECT_EQ(count(scene, Drawn::link), 0U);
  EXPECT_EQ(count(scene, Drawn::point), 0U);
  EXPECT_EQ(count(scene, Drawn::cart), 1U);
}

TEST(Scene, UnknownNamesAreRefused) {
  try {
    drawn(pendulum_on_cart(), {.hidden = {"bop"}});
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "[view] hide: nothing that is drawn is called bop; did you mean bob?");
  }
}

TEST(Scene, RefusesStatesOfAnotherModel) {
  const auto states = some_states(test::planar_pendulum());
  EXPECT_THROW(scene_of(pendulum_on_cart(), states), std::invalid_argument);
}

// Every model of the gallery, as its file wants to be drawn.
TEST(Scene, ModelsOfTheGalleryAreSeen) {
  for (const auto& entry : std::filesystem::directory_iterator(test::gallery_folder())) {
    SCOPED_TRACE(entry.path());
    const ModelFile file = read_model(entry.path());
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    const std::vector<State> states(2, start_state(file, system, remarks));
    EXPECT_FALSE(scene_of(file.model, states, view_options(file.view)).objects.empty());
  }
}

}  // namespace
}  // namespace hamel::draw_test
