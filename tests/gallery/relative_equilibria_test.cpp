// Steady motions that are found, at given rates and given momenta, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gallery/files.hpp"
#include "hamel/analyze/equilibria.hpp"

namespace hamel::test::relative_test {
namespace {

struct Steady {
  System system;
  std::vector<ConservedMomentum> symmetries;

  explicit Steady(const std::string& id) : system(derive(from_gallery(id))) {
    symmetries = conserved_momenta(system.model()).momenta;
  }
  const ConservedMomentum& symmetry(const std::string& name) const {
    return *std::find_if(symmetries.begin(), symmetries.end(),
                         [&](const ConservedMomentum& one) { return one.generator.find(name) != std::string::npos; });
  }
  Equilibria at_rate(const std::string& name, double rate) const {
    return equilibria(system, {.moving = generator(symmetry(name), system.ambient(), rate)});
  }
  Equilibria at_momentum(const std::string& name, double momentum) const {
    return equilibria(system, {.symmetry = &symmetry(name), .momentum = momentum});
  }
};

int verdicts(const Equilibria& all, Verdict verdict) {
  return static_cast<int>(std::count_if(all.found.begin(), all.found.end(),
                                        [&](const Equilibrium& one) { return one.stability.verdict == verdict; }));
}

// A conical pendulum at rate w has its bob at the height -g/w^2; both poles stay.
TEST(RelativeEquilibriaOf, AConicalPendulumAtARate) {
  const Steady pendulum("spherical-pendulum");
  const double l = 0.9, g = 9.81, w = 4.262237284181;
  const Equilibria all = pendulum.at_rate("e3", w);
  ASSERT_EQ(all.found.size(), 3u);
  const auto cone = std::find_if(all.found.begin(), all.found.end(),
                                 [](const Equilibrium& one) { return one.stability.family == 1; });
  ASSERT_NE(cone, all.found.end());
  EXPECT_NEAR(cone->linear.at.q(2), -g / (l * w * w), 1e-11);
  EXPECT_EQ(cone->stability.verdict, Verdict::stable_modulo_symmetry) << cone->stability.reason;
  EXPECT_NEAR(cone->stability.spectrum.values.back().value.imag(), 6.147086030524, 1e-9);
}

// The same cone by its momentum m l^2 w (1 - z^2).
TEST(RelativeEquilibriaOf, AConicalPendulumAtAMomentum) {
  const Steady pendulum("spherical-pendulum");
  const Equilibria all = pendulum.at_momentum("e3", 2.20954380812);
  ASSERT_EQ(all.found.size(), 1u) << all.remark;
  EXPECT_NEAR(all.found[0].linear.at.q(2), -0.6, 1e-10);
  EXPECT_NEAR(all.found[0].rate, 4.262237284181, 1e-9);
  EXPECT_EQ(all.found[0].stability.verdict, Verdict::stable_modulo_symmetry);
}

// r = p^2 / mu, w = mu^2 / p^3.
TEST(RelativeEquilibriaOf, KeplerAtAMomentumIsACircle) {
  const Equilibria all = Steady("kepler-restricted-two-body").at_momentum("e3", 1.2);
  ASSERT_EQ(all.found.size(), 1u) << all.remark;
  const Equilibrium& circle = all.found[0];
  EXPECT_NEAR(circle.linear.at.q.norm(), 1.44, 1e-10);
  EXPECT_NEAR(circle.rate, 1 / (1.2 * 1.2 * 1.2), 1e-10);
  EXPECT_EQ(circle.stability.verdict, Verdict::stable_modulo_symmetry) << circle.stability.reason;
  EXPECT_EQ(*circle.stability.on_level, (Signature{2, 1, 0}));
}

// The rod is radial, along the orbit or along its normal; only the first is stable.
TEST(RelativeEquilibriaOf, ADumbbellInOrbit) {
  const Equilibria all = Steady("dumbbell-satellite").at_rate("left rotation about e3", 1.015138951628);
  std::vector<const Equilibrium*> orbits;
  for (const Equilibrium& one : all.found)
    if (one.linear.at.q.tail(3).norm() > 0.5) orbits.push_back(&one);  // others balance at the centre of attraction
  ASSERT_EQ(orbits.size(), 6u) << all.remark;                          // either end first
  int stable = 0;
  for (const Equilibrium* one : orbits) {
    const VectorXd rod = one->linear.at.q.segment(6, 3), x = one->linear.at.q.tail(3);
    EXPECT_NEAR(x(2), 0, 1e-9);
    if (one->stability.verdict != Verdict::stable_modulo_symmetry) continue;
    ++stable;
    EXPECT_NEAR(std::abs(rod.dot(x.normalized())), 1, 1e-9);
    EXPECT_NEAR(x.norm(), 1, 1e-9);
    EXPECT_EQ(*one->stability.on_level, (Signature{6, 2, 0}));
  }
  EXPECT_EQ(stable, 2);
}

// Spinning fast about the vertical, a body that hangs tilts: cos = m g h / (w^2 (J2 - J3)) and so on.
TEST(RelativeEquilibriaOf, ABodyThatSpinsAboutTheVertical) {
  const Steady body("pendulum-3d");
  const Equilibria slow = body.at_rate("e3", 2.0), fast = body.at_rate("e3", 12.0);
  EXPECT_EQ(slow.found.size(), 2u);
  EXPECT_EQ(verdicts(slow, Verdict::stable_modulo_symmetry), 1);
  EXPECT_EQ(fast.found.size(), 6u);  // hanging, inverted, and tilted in two planes to either side
  EXPECT_EQ(verdicts(fast, Verdict::stable_modulo_symmetry), 2);
  EXPECT_EQ(verdicts(fast, Verdict::inconclusive), 2);  // gyroscopically
}

// Above the critical rate the top sleeps.
TEST(RelativeEquilibriaOf, ASleepingTop) {
  const Steady top("heavy-top");
  const double critical = 78.30229881683;
  for (const double spin : {0.9 * critical, 1.1 * critical}) {
    const Equilibria all = top.at_rate("left rotation about e3", spin);
    const auto upright = std::find_if(all.found.begin(), all.found.end(),
                                      [](const Equilibrium& one) { return one.linear.at.q(8) > 1 - 1e-9; });
    ASSERT_NE(upright, all.found.end());
    EXPECT_EQ(upright->stability.verdict, spin < critical ? Verdict::unstable : Verdict::stable_modulo_symmetry)
        << upright->stability.reason;
  }
}

TEST(RelativeEquilibriaOf, TwoElasticPendulumsTurnTogether) {
  const Equilibria all = Steady("two-elastic-planar-pendulums").at_rate("rotation", 1.5);
  ASSERT_EQ(all.found.size(), 2u);
  EXPECT_EQ(verdicts(all, Verdict::stable_modulo_symmetry), 1);
  EXPECT_EQ(verdicts(all, Verdict::unstable), 1);
}

}  // namespace
}  // namespace hamel::test::relative_test
