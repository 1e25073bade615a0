// What has no equations of motion is refused: directions without inertia are named, and constraints that move.
#include <fmt/format.h>

#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s2.hpp>
#include <hamel/manifold/so3.hpp>

#include "systems/bodies.hpp"

namespace hamel::test::regularity_test {
namespace {

TEST(Regularity, MissingDirectionOfRn) {
  Model model("bead");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(rate(x).x() * rate(x).x() + pow(rate(x).z(), 2));
  model.potential(squared_norm(x));
  const std::string message =
      "the Lagrangian of bead is not regular: no inertia for x' along (0, 1, 0); add kinetic energy there, remove the "
      "coordinate, or constrain it";
  for (const Path path : {Path::automatic, Path::reduced})
    EXPECT_EQ(message_of([&] { derive(model, {path}); }), message);
  EXPECT_EQ(message_of([&] { derive(model, {Path::constant_mass}); }),
            "bead cannot take the constant-mass path: some coordinate has no inertia of its own");
}

TEST(Regularity, MassesThatNoProductHolds) {
  for (const double mass : {1e160, 1e-160, 1e90, 1e-90}) {
    Model model("bead");
    const Formula x = model.coordinate("x", Rn(3));
    model.kinetic(mass * squared_norm(rate(x)));
    model.potential(mass * squared_norm(x));
    const bool is_refused = mass > 1e100 || mass < 1e-100;
    EXPECT_EQ(message_of([&] { derive(model); }).find(fmt::format("the inertia of bead is about {:.0e}", 2 * mass)),
              is_refused ? 0 : std::string::npos);
  }
}

TEST(Regularity, ConstrainedDirectionIsFine) {
  Model model("bead");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(rate(x).x() * rate(x).x() + pow(rate(x).z(), 2));
  model.potential(squared_norm(x));
  model.constraint("track", x.y() - 0.5);
  const System system = derive(model);
  expect_tiers_agree(model, {{{0, Eigen::Vector3d(1, 0.5, 2), Eigen::Vector3d(1, 0, 0)}}, {}});
  EXPECT_LE(
      distance(acceleration(system, {0, Eigen::Vector3d(1, 0.5, 2), Eigen::Vector3d(1, 0, 0)}), Vector3d(-1, 0, -2)),
      1e-13);
}

// A thin rod has no inertia about its own axis, however its energy is written.
TEST(Regularity, ThinRod) {
  const Matrix3d J = Vector3d(1, 1, 0).asDiagonal();
  for (const bool typed : {false, true}) {
    Model model("thin rod");
    const Formula R = model.coordinate<SO3>("R");
    if (typed)
      model.kinetic(dot(omega(R), Formula(J) * omega(R)) / 2);
    else
      model.body("rod", {.attitude = R, .inertia = J});
    for (const Path path : {Path::automatic, Path::reduced})
      EXPECT_EQ(
          message_of([&] { derive(model, {path}); }),
          "the Lagrangian of thin rod is not regular: no inertia for omega(R) along (0, 0, 1); add kinetic energy "
          "there, remove the coordinate, or constrain it");
    EXPECT_EQ(message_of([&] { derive(model, {Path::constant_mass}); }),
              "thin rod cannot take the constant-mass path: some coordinate has no inertia of its own");
  }
}

// The same, where only the value of a parameter tells.
TEST(Regularity, ThinRodByParameter) {
  Model model("thin rod");
  const Formula J = model.parameter("J", Matrix3d(Vector3d(1, 1, 0).asDiagonal()));
  model.body("rod", {.attitude = model.coordinate<SO3>("R"), .inertia = J});
  EXPECT_EQ(message_of([&] { derive(model); }),
            "the Lagrangian of thin rod is not regular: no inertia for omega(R) along (0, 0, 1); add kinetic energy "
            "there, remove the coordinate, or constrain it");
}

TEST(Regularity, MassThatIsZero) {
  Model model("massless pendulum");
  const Formula q = model.coordinate<S2>("q"), x = model.coordinate("x", Rn(2));
  const Formula mass = model.parameter("m", 0.0);
  model.kinetic(squared_norm(rate(q)) / 2 + mass / 2 * squared_norm(rate(x)));
  EXPECT_EQ(message_of([&] { derive(model); }),
            "the Lagrangian of massless pendulum is not regular: no inertia for x' along (1, 0); x' along (0, 1); add "
            "kinetic energy there, remove the coordinate, or constrain it");
}

TEST(Regularity, SumOfTwoCoordinates) {
  Model model("two carts");
  const Formula x = model.coordinate("x", Rn(1)), y = model.coordinate("y", Rn(1));
  model.kinetic(pow(rate(x) + rate(y), 2));
  for (const Path path : {Path::automatic, Path::reduced})
    EXPECT_EQ(message_of([&] { derive(model, {path}); }),
              "the Lagrangian of two carts is not regular: no inertia for x' along (0.707), y' along (-0.707); add "
              "kinetic energy there, remove the coordinate, or constrain it");
}

TEST(Regularity, ConstraintThatMoves) {
  Model model("moving floor");
  const Formula x = model.coordinate("x", Rn(2));
  model.kinetic(squared_norm(rate(x)) / 2);
  model.constraint("floor", x.y() - sin(model.time()));
  EXPECT_EQ(message_of([&] { derive(model); }),
            "constraint floor depends on time: only constraints between coordinates are supported; make what moves a "
            "coordinate, or write the energies in coordinates that move along");
}

}  // namespace
}  // namespace hamel::test::regularity_test
