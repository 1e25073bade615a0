// What a step evaluates: the force of a potential once, a vector field as one program.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::evaluations_test {
namespace {

// Bodies on spheres that repel each other, with a strength that may depend on time.
Example repelling(int n, bool moving, Path path = Path::automatic) {
  Model model("repelling");
  const auto q = model.coordinates<S2>("q", n);
  const Formula strength = moving ? 1 + 0.5 * sin(3 * model.time()) : Formula(1.0);
  for (int i = 0; i < n; ++i) {
    model.kinetic((0.5 + 0.1 * i) * squared_norm(rate(q[static_cast<std::size_t>(i)])));
    for (int j = 0; j < i; ++j)
      model.potential(strength / norm(q[static_cast<std::size_t>(i)] - q[static_cast<std::size_t>(j)]));
  }
  System system = derive(model, {.path = path});
  Random random(5);
  State start{0, system.space().random_point(random), {}};
  start.v = system.space().random_tangent(start.q, random);
  return {"repelling", std::move(system), start};
}

TEST(PullOfThePotential, IsEvaluatedOnceInAStep) {
  const Example example = repelling(24, false);
  const StepKernels& step = constant_mass(example.system).step;
  ASSERT_FALSE(step.pull.empty());
  const double once = static_cast<double>(step.pull.program().operations());
  EXPECT_LT(static_cast<double>(step.closed.program().operations()), 0.5 * once);
  EXPECT_LT(static_cast<double>(step.finish.program().operations()), 1.5 * once);
}

TEST(PullOfThePotential, IsNotKeptWhereItCostsNothing) {
  EXPECT_TRUE(constant_mass(double_pendulum().system).step.pull.empty());
  EXPECT_TRUE(constant_mass(chain(10).system).step.pull.empty());
}

// Step after step, with the force that the last one left: the same as a step that begins anew.
TEST(PullOfThePotential, IsThatOfTheNextStep) {
  for (const bool moving : {false, true}) {
    const Example fast = repelling(5, moving), slow = repelling(5, moving, Path::reduced);
    ASSERT_FALSE(constant_mass(fast.system).step.pull.empty());
    for (const Method& method : {Method(Variational{.step = 0.01}), Method(Variational{.step = 0.01, .order = 4})}) {
      const State one = advance(fast, fast.start, method, 50), other = advance(slow, slow.start, method, 50);
      EXPECT_LT(distance(one, other), 1e-11) << moving;
    }
  }
}

TEST(PullOfThePotential, ThatDependsOnTimeKeepsTheOrder) {
  const Example example = repelling(3, true);
  const State exact = advance(example, example.start, Gauss{.step = 0.01, .order = 12}, 80);
  const auto error = [&](int n) { return distance(advance(example, example.start, Variational{0.8 / n}, n), exact); };
  EXPECT_NEAR(std::log2(error(100) / error(200)), 2, 0.1);
}

// q' = v, xi' and the multipliers, as the acceleration has them.
TEST(FieldOfQuasiVelocities, IsTheAccelerationAsOneProgram) {
  int programs = 0;
  for (const Case& c : all_cases()) {
    const Example example = c.make();
    const System& system = example.system;
    if (motion(system).empty()) continue;
    ++programs;
    Workspace work(system), other(system);
    Field field(system, Form::omega);
    EXPECT_EQ(field.programs(), std::vector<const Program*>{&motion(system).program()}) << c.name;
    const VectorXd y = field.pack(work, example.start);
    VectorXd rate(field.size()), a(system.ambient()), xi_rate(system.rates());
    field(work, example.start.t, y, rate);
    const auto& [t, q, v] = example.start;
    system.acceleration(other, t, q, v, a);
    system.space().rates_of_acceleration(q, v, a, xi_rate);
    const double size = std::max(1.0, a.norm());
    EXPECT_LT((rate.head(system.ambient()) - v).norm(), 1e-13 * std::max(1.0, v.norm())) << c.name;
    EXPECT_LT((rate.tail(system.rates()) - xi_rate).norm(), 1e-12 * size) << c.name;
    if (system.constraints() > 0) {
      EXPECT_LT((work.multipliers - other.multipliers).norm(), 1e-12 * std::max(1.0, other.multipliers.norm()))
          << c.name;
    }
  }
  EXPECT_GE(programs, 17);
}

TEST(FieldOfQuasiVelocities, IsSeveralProgramsWhereAFactorHasNoFormula) {
  EXPECT_TRUE(motion(orbit_of_rotations().system).empty());
  EXPECT_TRUE(motion(slider_crank(Path::reduced).system).empty());
}

}  // namespace
}  // namespace hamel::test::evaluations_test
