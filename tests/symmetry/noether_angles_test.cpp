// Cyclic angles, however the model is written with them.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "symmetry/momenta.hpp"

namespace hamel::test {
namespace {

Formula turn_about_e3(const Scalar& angle) {
  return Formula::columns({Formula::vector({cos(angle), sin(angle), 0.0}),
                           Formula::vector({-sin(angle), cos(angle), 0.0}), Formula::vector({0.0, 0.0, 1.0})});
}

Formula turn_about_e1(const Scalar& angle) {
  return Formula::columns({Formula::vector({1.0, 0.0, 0.0}), Formula::vector({0.0, cos(angle), sin(angle)}),
                           Formula::vector({0.0, -sin(angle), cos(angle)})});
}

// p_phi = m r^2 phi'
TEST(NoetherOfAngles, PolarCoordinates) {
  Model model("Kepler in polar coordinates");
  const auto r = model.coordinate("r", Rn(1)), phi = model.coordinate("phi", Rn(1));
  const Formula x = Formula::vector({r * cos(phi), r * sin(phi)});
  model.kinetic(0.35 * squared_norm(rate(x)));
  model.potential(-1.0 / norm(x));
  const NoetherReport report = conserved_momenta(model);
  ASSERT_EQ(names(report), std::vector<std::string>{"momentum (phi)"});
  EXPECT_EQ(report.momenta[0].generator, "shift of phi");
  EXPECT_EQ(report.momenta[0].formula, "p_phi");
  EXPECT_TRUE(report.energy_conserved);
  const State state{0, Eigen::Vector2d(1.3, 0.4), Eigen::Vector2d(0.2, 0.7)};
  const System system = derive(model);
  Workspace w(system);
  EXPECT_NEAR(report.momenta[0].value(system, w, state), 0.7 * 1.3 * 1.3 * 0.7, 1e-14);
  EXPECT_LT(largest_change(model, report, state), 1e-12);
}

TEST(NoetherOfAngles, PolarCoordinatesWithACircle) {
  Model model("Kepler with a direction");
  const auto r = model.coordinate("r", Rn(1)), q = model.coordinate<S1>("q");
  const Formula x = r * q;
  model.kinetic(0.35 * squared_norm(rate(x)));
  model.potential(-1.0 / norm(x));
  EXPECT_EQ(names(conserved_momenta(model)), std::vector<std::string>{"angular momentum (q)"});
}

TEST(NoetherOfAngles, SphericalCoordinates) {
  Model model("spherical pendulum by angles");
  const auto theta = model.coordinate("theta", Rn(1)), phi = model.coordinate("phi", Rn(1));
  const Formula x = 0.37 * Formula::vector({sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)});
  model.kinetic(0.65 * squared_norm(rate(x)));
  model.potential(1.3 * 9.81 * x.z());
  const NoetherReport report = conserved_momenta(model);
  EXPECT_EQ(names(report), std::vector<std::string>{"momentum (phi)"});
  EXPECT_LT(largest_change(model, report, {0, Eigen::Vector2d(0.6, 0.1), Eigen::Vector2d(0.3, 1)}), 1e-8);
}

// Lagrange's top by Euler's angles: precession and spin are cyclic, nutation is not.
TEST(NoetherOfAngles, Gimbals) {
  for (const double asymmetry : {0.0, 0.1}) {
    Model model("top in gimbals");
    const auto a = model.coordinate("a", Rn(1)), b = model.coordinate("b", Rn(1)), c = model.coordinate("c", Rn(1));
    const Formula R = turn_about_e3(a) * turn_about_e1(b) * turn_about_e3(c);
    model.body("top", {.attitude = R, .mass = 1.0, .inertia = diagonal(0.3 + asymmetry, 0.3, 0.5)});
    model.potential(2.0 * 9.81 * (R * Formula(Eigen::Vector3d(0, 0, 0.3))).z());
    const NoetherReport report = conserved_momenta(model);
    EXPECT_EQ(names(report), asymmetry == 0 ? std::vector<std::string>({"momentum (a)", "momentum (c)"})
                                            : std::vector<std::string>({"momentum (a)"}));
    EXPECT_LT(largest_change(model, report, {0, Eigen::Vector3d(0.1, 0.7, 0.2), Eigen::Vector3d(0.5, 0.2, 3)}), 1e-9);
  }
}

// Only together, and together with a rotation in space.
TEST(NoetherOfAngles, SeveralAtOnce) {
  Model model("double pendulum about a centre");
  const auto a = model.coordinate("a", Rn(1)), b = model.coordinate("b", Rn(1)), x = model.coordinate("x", Rn(3));
  const Formula p = Formula::vector({cos(a), sin(a), 0.0});
  const Formula q = p + 0.7 * Formula::vector({cos(b), sin(b), 0.0});
  model.kinetic(0.65 * squared_norm(rate(p)) + 0.2 * squared_norm(rate(q)) + 0.4 * squared_norm(rate(x)));
  model.potential(3.0 * norm(x - q) + x.z());
  const NoetherReport report = conserved_momenta(model);
  ASSERT_EQ(report.momenta.size(), 1u);
  EXPECT_EQ(report.momenta[0].generator, "shift of a + shift of b + rotation about e3 of x");
  EXPECT_EQ(report.momenta[0].name, "momentum of shift of a + shift of b + rotation about e3 of x");
  expect_conserved(model, report);
}

// A belt: the angles move at their ratio.
TEST(NoetherOfAngles, InARatio) {
  Model model("two wheels and a belt");
  const auto a = model.coordinate("a", Rn(1)), b = model.coordinate("b", Rn(1));
  model.kinetic(0.5 * squared_norm(rate(Formula::vector({cos(a), sin(a)}))) + 1.5 * rate(b) * rate(b));
  const Scalar stretch = 0.3 * a - 0.7 * b;
  model.potential(5.0 * stretch * stretch);
  const NoetherReport report = conserved_momenta(model);
  ASSERT_EQ(report.momenta.size(), 1u);
  EXPECT_EQ(report.momenta[0].generator, "shift of a + 0.428571 shift of b");
  expect_conserved(model, report);
}

}  // namespace
}  // namespace hamel::test
