// Conserved momenta of what is free to move: also those about the centre of mass.
#include <gtest/gtest.h>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "symmetry/momenta.hpp"

namespace hamel::test {
namespace {

Model body_in_space(const Eigen::Vector3d& centre, double gravity) {
  Model model("body in space");
  const auto g = model.coordinate<SE3>("g");
  const Formula offset(centre);
  model.body("body", {.attitude = rotation(g),
                      .position = position(g),
                      .mass = 2.0,
                      .inertia = diagonal(1, 2, 2.5),
                      .center_of_mass = offset});
  model.potential(2.0 * gravity * (position(g) + rotation(g) * offset).z());
  return model;
}

TEST(NoetherAboutTheCentre, FreeBodyInSpace) {
  const Model model = body_in_space({0, 0, 0}, 0);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(report.momenta.size(), 9u);
  EXPECT_EQ(report.functional_rank, 8);
  EXPECT_EQ(names(report).front(), "angular momentum about e1 (g)");
  EXPECT_EQ(names(report).back(), "angular momentum about e3 through the centre of mass (g)");
  expect_conserved(model, report);
}

// Gravity has no moment about the centre of mass, wherever in the body the origin is.
TEST(NoetherAboutTheCentre, BodyInGravityKeepsTheAngularMomentumAboutItsCentre) {
  for (const Eigen::Vector3d& centre : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0.1, -0.2, 0.3)}) {
    const Model model = body_in_space(centre, 9.81);
    const NoetherReport report = conserved_momenta(model);
    EXPECT_EQ(names(report), (std::vector<std::string>{"angular momentum about e3 (g)", "momentum along e1 (g)",
                                                       "momentum along e2 (g)",
                                                       "angular momentum about e1 through the centre of mass (g)",
                                                       "angular momentum about e2 through the centre of mass (g)",
                                                       "angular momentum about e3 through the centre of mass (g)"}));
    EXPECT_TRUE(all_exact(report));
    expect_conserved(model, report);
  }
}

TEST(NoetherAboutTheCentre, AngularMomentumAboutTheCentreIsThatOfTheBody) {
  const Model model = body_in_space({0.1, -0.2, 0.3}, 9.81);
  const NoetherReport report = conserved_momenta(model);
  const System system = derive(model);
  Workspace w(system);
  const State state = random_state(model);
  const Eigen::Matrix3d R = state.q.head(9).reshaped(3, 3), W = R.transpose() * state.v.head(9).reshaped(3, 3);
  const Eigen::Vector3d Omega(W(2, 1), W(0, 2), W(1, 0)), rho(0.1, -0.2, 0.3);
  const Eigen::Matrix3d J = diagonal(1, 2, 2.5);
  const Eigen::Vector3d spin = R * (J * Omega - 2.0 * rho.cross(Omega.cross(rho)));  // Steiner
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(report.momenta[3 + static_cast<std::size_t>(k)].value(system, w, state), spin(k), 1e-13);
}

Model free_chain(double gravity) {
  Model model("free chain");
  Vec3 x = model.coordinate("x", Rn(3));
  model.kinetic(0.2 * squared_norm(rate(x)));
  model.potential(0.4 * gravity * x.z());
  for (const auto& q : model.coordinates<S2>("q", 3)) {
    x = x + 0.7 * q;
    model.kinetic(0.3 * squared_norm(rate(x)));
    model.potential(0.6 * gravity * x.z());
  }
  return model;
}

TEST(NoetherAboutTheCentre, FreeChain) {
  const std::string about = " through the centre of mass (x, q[0], q[1], q[2])";
  const Model falling = free_chain(9.81), drifting = free_chain(0);
  const NoetherReport report = conserved_momenta(falling);
  EXPECT_EQ(names(report), (std::vector<std::string>{
                               "momentum along e1 (x)", "momentum along e2 (x)",
                               "angular momentum about e3 (x, q[0], q[1], q[2])", "angular momentum about e1" + about,
                               "angular momentum about e2" + about, "angular momentum about e3" + about}));
  EXPECT_EQ(
      report.momenta[3].generator,
      "rotation about e1 of x + rotation about e1 of q[0] + rotation about e1 of q[1] + rotation about e1 of q[2] "
      "- rotation about e1 of the centre of mass");
  EXPECT_TRUE(all_exact(report));
  expect_conserved(falling, report);
  EXPECT_EQ(conserved_momenta(drifting).momenta.size(), 9u);
  expect_conserved(drifting, conserved_momenta(drifting));
}

// Where the mass depends on the place there is no such centre, but the attitude is still free.
TEST(NoetherAboutTheCentre, AttitudeAlone) {
  Model model("body whose mass depends on its place");
  const auto g = model.coordinate<SE3>("g");
  const Formula x = position(g);
  model.body("body", {.attitude = rotation(g), .mass = 1.0, .inertia = diagonal(1, 2, 2.5)});
  model.kinetic((1.0 + squared_norm(x)) / 2 * squared_norm(rate(x)));
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(report.momenta.size(), 6u);
  EXPECT_EQ(names(report).back(), "angular momentum of the attitude about e3 (g)");
  expect_conserved(model, report);
}

// A force on one end turns the chain, and moves its centre of mass.
TEST(NoetherAboutTheCentre, ForceOnAnEndBreaksTheRotationAboutTheCentre) {
  Model model("pulled pair");
  const auto x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(3));
  model.kinetic(squared_norm(rate(x)) + 0.5 * squared_norm(rate(y)));
  model.potential(2.0 * x.z() - 1.0 / norm(x - y));
  EXPECT_EQ(names(conserved_momenta(model)),
            (std::vector<std::string>{"momentum along e1 (x, y)", "momentum along e2 (x, y)",
                                      "angular momentum about e3 (x, y)",
                                      "angular momentum about e3 through the centre of mass (x, y)"}));
}

TEST(NoetherAboutTheCentre, ChainOnACart) {
  Model model("chain of two on a cart");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinates<S2>("q", 2);
  const Vec3 x0 = Formula::vector({x[0], x[1], 0.0}), x1 = x0 + 0.7 * q[0], x2 = x1 + 0.4 * q[1];
  model.kinetic(1.5 * squared_norm(rate(x0)) + 0.5 * squared_norm(rate(x1)) + 0.3 * squared_norm(rate(x2)));
  model.potential(9.81 * x1.z() + 0.6 * 9.81 * x2.z());
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report),
            (std::vector<std::string>{"momentum along e1 (x)", "momentum along e2 (x)",
                                      "angular momentum about e3 (x, q[0], q[1])",
                                      "angular momentum about e3 through the centre of mass (x, q[0], q[1])"}));
  EXPECT_EQ(report.functional_rank, 4);
  EXPECT_TRUE(all_exact(report));
  expect_conserved(model, report);
}

Model two_bodies(double mass, double coupling) {
  Model model("two bodies");
  const auto x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(3));
  model.kinetic(mass / 2 * squared_norm(rate(x)) + 0.5 * squared_norm(rate(y)));
  model.potential(-coupling / norm(x - y));
  return model;
}

TEST(NoetherAboutTheCentre, TwoBodies) {
  const Model model = two_bodies(2.0, 1.0);
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report).front(), "momentum along e1 (x, y)");
  EXPECT_EQ(names(report).back(), "angular momentum about e3 through the centre of mass (x, y)");
  EXPECT_EQ(report.momenta.size(), 9u);
  EXPECT_EQ(report.functional_rank, 8);  // the centre of mass moves at right angles to its angular momentum
  expect_conserved(model, report);
}

// The rounding of the heavy kinetic energy is as large as the coupling.
TEST(NoetherAboutTheCentre, ScalesFarApart) {
  EXPECT_EQ(conserved_momenta(two_bodies(1e8, 1e-4)).momenta.size(), 9u);
  EXPECT_EQ(conserved_momenta(two_bodies(1e8, 0.0)).momenta.size(), 15u);
}

}  // namespace
}  // namespace hamel::test
