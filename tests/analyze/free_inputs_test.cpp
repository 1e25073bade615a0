// Inputs without a law: zero, or constants that are given.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel::test::free_inputs_test {
namespace {

constexpr double g = 9.81;

// A pendulum on a cart that an input pushes.
Model pushed_cart() {
  Model model("cart");
  const Formula x = model.coordinate("x", Rn(1)), q = model.coordinate<S1>("q"), u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)) +
                0.05 * squared_norm(Formula::vector({rate(x) + 0.5 * rate(q).x(), 0.5 * rate(q).y()})));
  model.potential(0.05 * g * q.y());
  model.force_on(x, u);
  return model;
}

TEST(FreeInputs, ConserveWhatIsConservedWhileTheyAreZero) {
  const NoetherReport zero = conserved_momenta(pushed_cart()),
                      anything = conserved_momenta(pushed_cart(), InputsAre::anything);
  EXPECT_TRUE(zero.energy_conserved);
  ASSERT_EQ(zero.momenta.size(), 1U);
  EXPECT_FALSE(anything.energy_conserved);
  EXPECT_TRUE(anything.momenta.empty());
  Model sampled = pushed_cart();
  sampled.law(sampled.input_symbol(0), -sampled.coordinate(0), 0.1);
  EXPECT_FALSE(conserved_momenta(sampled).energy_conserved);
  EXPECT_TRUE(conserved_momenta(sampled.open()).energy_conserved);
}

TEST(FreeInputs, LeaveStabilityToTheEnergy) {
  const Equilibria found = equilibria(derive(pushed_cart()));
  ASSERT_EQ(found.found.size(), 2U);
  const Stability& hanging = found.found[0].stability;
  EXPECT_EQ(hanging.verdict, Verdict::stable_modulo_symmetry) << hanging.reason;
  EXPECT_EQ(hanging.zero_modes.size(), 1U);
  EXPECT_FALSE(found.found[0].linear.has_forces);
}

// With the thrust that carries it, a mass rests at any height: one family.
TEST(ConstantInputs, HoldAFamily) {
  Model model("hover");
  const Formula z = model.coordinate("z", Rn(1)), u = model.input("u");
  model.kinetic(squared_norm(rate(z)));
  model.potential(2 * g * z);
  model.force_on(z, u);
  const Equilibria found = equilibria(derive(model), {.inputs = VectorXd::Constant(1, 2 * g)});
  ASSERT_EQ(found.found.size(), 1U) << found.remark;
  EXPECT_EQ(found.found[0].stability.family, 1);
  EXPECT_EQ(found.found[0].stability.verdict, Verdict::stable_as_a_set) << found.found[0].stability.reason;
}

// A constant torque has a potential nearby: sin a = u/(m g l), lambda^2 = -+ g cos a.
TEST(ConstantInputs, ThatHaveAPotentialAreJudgedByIt) {
  Model model("pendulum");
  const Formula q = model.coordinate<S1>("q"), u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(q)));
  model.potential(g * q.y());
  model.torque(q, u);
  const double torque = 4;
  const Equilibria found = equilibria(derive(model), {.inputs = VectorXd::Constant(1, torque)});
  ASSERT_EQ(found.found.size(), 2U) << found.remark;
  EXPECT_EQ(found.found[0].stability.verdict, Verdict::stable) << found.found[0].stability.reason;
  EXPECT_NE(found.found[0].stability.reason.find("work of the forces"), std::string::npos);
  EXPECT_EQ(found.found[1].stability.verdict, Verdict::unstable);
  const double frequency = std::sqrt(std::sqrt(g * g - torque * torque));
  EXPECT_NEAR(found.found[0].stability.spectrum.rightmost().value.imag(), frequency, 1e-10);
  EXPECT_NEAR(found.found[1].stability.spectrum.rightmost().value.real(), frequency, 1e-10);
}

// A push that turns around the origin does work on a loop: no energy decides, and none is named as the reason.
TEST(ConstantInputs, ThatHaveNoPotentialAreNot) {
  Model model("circulation");
  const Formula x = model.coordinate("x", Rn(2)), u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(0.5 * squared_norm(x));
  model.dissipation(0.25 * squared_norm(rate(x)));
  model.force_on(x, u * Formula::vector({-x.y(), x.x()}));
  const State origin{0, VectorXd::Zero(2), VectorXd::Zero(2)};
  const Linearization linearization(derive(model));
  for (const double push : {0.0, 0.1, 0.6}) {
    const LinearModel linear = linearization.at(origin, VectorXd::Constant(1, push));
    const Stability found = stability(linearization, linear, {});
    EXPECT_EQ(found.verdict, push > 0.5 ? Verdict::unstable : Verdict::asymptotically_stable) << push;
    EXPECT_EQ(found.reason.find("strict minimum") != std::string::npos, push == 0) << push << found.reason;
  }
}

// One input by its law, the other by a regulator: weights and names are those of the second alone.
TEST(FreeInputs, BesideALawAreRegulatedAlone) {
  Model model("two");
  const Formula x = model.coordinate("x", Rn(2)), v = model.input("v", 2), u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(0.5 * (x.y() * x.y() - x.x() * x.x()) + x.x() * x.y() / 3.0);
  model.force_on(x, v + Formula::vector({u, Formula(0.0)}));
  model.law(v, -0.1 * rate(x));
  const LinearModel linear = linearize(derive(model), {0, VectorXd::Zero(2), VectorXd::Zero(2)});
  EXPECT_EQ(input_names(*linear.at.model), std::vector<std::string>{"u"});
  const Regulator regulator = lqr(linear, {.states = {}, .inputs = {{"u", 2.0}}});
  EXPECT_LT(regulator.closed_loop.real().maxCoeff(), -0.05);
  EXPECT_EQ(regulator.gain.rows(), 1);
}

}  // namespace
}  // namespace hamel::test::free_inputs_test
