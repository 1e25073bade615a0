// Equilibria of laws that rounding, overflow or very different sizes make hard to judge.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hamel/analyze/equilibria.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel::test::equilibria_laws_test {
namespace {

using Potential = std::function<Formula(const Formula& x)>;

Equilibria in_potential(int n, const Potential& potential) {
  Model model("particle");
  const auto x = model.coordinate("x", Rn(n));
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(potential(x));
  return equilibria(derive(model));
}

// 1 - exp(-x) is made of rounding errors where x is 1e-16, which is no length of the law.
TEST(EquilibriaOfLaws, AreNotToldApartByRoundingErrors) {
  const Equilibria bond = in_potential(1, [](const Formula& x) { return pow(1 - exp(-x.x()), 2); });
  ASSERT_EQ(bond.found.size(), 1U);
  EXPECT_NEAR(bond.found[0].linear.at.q(0), 0, 1e-9);
  const Equilibria ring =
      in_potential(2, [](const Formula& x) { return pow(norm(x - unit_vector(0, 2)) - 1, 2) + x.y() * x.y(); });
  EXPECT_EQ(ring.found.size(), 4U);
}

Model heavy_and_light(double stiffness, const std::function<Formula(const Formula& x, const Formula& y)>& potential) {
  Model model("heavy and light");
  const auto x = model.coordinate("x", Rn(1)), y = model.coordinate("y", Rn(1));
  model.kinetic(0.5e12 * squared_norm(rate(x)) + squared_norm(rate(y)) / 2);
  model.potential(stiffness * pow(x.x() - 1, 2) / 2 + potential(x.x(), y.x()));
  return model;
}

TEST(EquilibriaOfLaws, BalanceLightCoordinatesBesideHeavyOnes) {
  const System pulled = derive(heavy_and_light(1e9, [](const Formula&, const Formula& y) { return y; }));
  EXPECT_TRUE(equilibria(pulled).found.empty());
  EXPECT_THROW(linearize(pulled, {0, VectorXd{{1, 0}}, VectorXd::Zero(2)}), std::domain_error);
  const auto coupled = [](const Formula& x, const Formula& y) { return sin(y) + 0.5 * y + 0.2 * y * x; };
  for (const Equilibrium& one : equilibria(derive(heavy_and_light(1, coupled))).found) {
    const double x = one.linear.at.q(0), y = one.linear.at.q(1);
    EXPECT_NEAR(std::cos(y) + 0.5 + 0.2 * x, 0, 1e-6) << x << ", " << y;
  }
}

TEST(EquilibriaOfLaws, DoNotComeFromOverflow) {
  const Equilibria bowl = in_potential(1, [](const Formula& x) { return cosh(x.x()) - 1; });
  ASSERT_EQ(bowl.found.size(), 1U);
  EXPECT_NEAR(bowl.found[0].linear.at.q(0), 0, 1e-9);
  EXPECT_EQ(in_potential(1, [](const Formula& x) { return exp(x.x() * x.x()); }).found.size(), 1U);
}

// Far out tanh and exp have forces that are zero as numbers; a clearance has none in truth.
TEST(EquilibriaOfLaws, AreNotWhereForcesFadeAway) {
  for (const Potential& slope : {Potential([](const Formula& x) { return tanh(x.x()); }),
                                 Potential([](const Formula& x) { return -exp(x.x()); })}) {
    const Equilibria all = in_potential(1, slope);
    EXPECT_TRUE(all.found.empty());
    EXPECT_NE(all.remark.find("where forces only fade away, far out, there is none"), std::string::npos) << all.remark;
  }
  const Equilibria well = in_potential(2, [](const Formula& x) { return -exp(-squared_norm(x)); });
  ASSERT_EQ(well.found.size(), 1U);
  EXPECT_NEAR(well.found[0].linear.at.q.norm(), 0, 1e-9);
  const Equilibria clearance = in_potential(1, [](const Formula& x) { return pow(max(0.0, x.x() - 1), 2); });
  ASSERT_EQ(clearance.found.size(), 1U);
  EXPECT_EQ(clearance.found[0].stability.family, 1);
  EXPECT_EQ(in_potential(1, [](const Formula& x) { return pow(x.x(), 4); }).found.size(), 1U);
}

Model pulled_along(const std::function<Formula(const Formula& v)>& drag) {
  Model model("pulled along");
  const auto x = model.coordinate("x", Rn(2)), y = model.coordinate("y", Rn(2));
  model.kinetic(squared_norm(rate(x)) / 2 + squared_norm(rate(y)) / 2);
  model.potential(squared_norm(x) + squared_norm(y - x));
  model.force_on(x, drag(rate(x)));
  return model;
}

// |v| v has the slope 0 at rest, as a limit; v / |v| has none, and no start is one.
TEST(EquilibriaOfLaws, HaveQuadraticDrag) {
  const Equilibria all = equilibria(derive(pulled_along([](const Formula& v) { return -0.2 * norm(v) * v; })));
  ASSERT_EQ(all.found.size(), 1U) << all.remark;
  EXPECT_NEAR(all.found[0].linear.at.q.norm(), 0, 1e-12);
  EXPECT_EQ(all.found[0].linear.D.norm(), 0);
  const Equilibria dry = equilibria(derive(pulled_along([](const Formula& v) { return -v / norm(v); })));
  EXPECT_TRUE(dry.found.empty());
  EXPECT_NE(dry.remark.find("starts, of which 301 were refused: "), std::string::npos) << dry.remark;
}

TEST(EquilibriaOfLaws, HaveDissipationOfOtherPowers) {
  for (const std::function<Formula(const Formula& v)>& power :
       {std::function<Formula(const Formula&)>([](const Formula& v) { return pow(squared_norm(v), 1.5); }),
        std::function<Formula(const Formula&)>([](const Formula& v) { return norm(v) * squared_norm(v); })}) {
    Model model("pendulum");
    const auto q = model.coordinate<S2>("q");
    model.kinetic(squared_norm(rate(q)) / 2);
    model.potential(9.81 * q.z());
    model.dissipation(0.1 * power(rate(q)));
    const Equilibria all = equilibria(derive(model));
    ASSERT_EQ(all.found.size(), 2U) << all.remark;
    EXPECT_EQ(all.found[0].stability.verdict, Verdict::stable);
  }
}

}  // namespace
}  // namespace hamel::test::equilibria_laws_test
