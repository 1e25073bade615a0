// Gauss methods that choose their steps: by the motion alone, and to an end.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel::test::gauss_adaptive_test {
namespace {

// Two particles on a rod, thrown, with a spring to the origin. The constraint is |x1 - x2|^2 = L^2, or |x1 - x2| = L.
Example rod(bool quadratic) {
  Model model("rod");
  auto x = model.coordinates("x", Rn{3}, 2);
  model.kinetic(squared_norm(rate(x[0])) / 2 + squared_norm(rate(x[1])));
  model.potential(9.81 * (x[0].z() + 2 * x[1].z()) + 3 * squared_norm(x[0]));
  constexpr double length = 1.3;
  const Formula between = x[0] - x[1];
  if (quadratic)
    model.constraint("rod", squared_norm(between) - length * length);
  else
    model.constraint("rod", norm(between) - length);
  VectorXd q(6), v(6);
  q << 0.2, 0, 0, 0.2, 0.5, 1.2;
  v << 1, 0.5, -0.2, -0.7, -1.9, 0.8;  // the same along the rod, (0, 0.5, 1.2)
  return {model.name(), derive(model), {0, q, v}};
}

struct Counts {
  std::size_t steps = 0, newton = 0;
};

Counts counts_of(const Example& example, const Gauss& method, double duration) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  Counts counts;
  for (double t = 0; t < duration && counts.steps < 20000; ++counts.steps) t = stepper->step(duration);
  counts.newton = stepper->newton_steps();
  return counts;
}

TEST(GaussAdaptiveSteps, DoNotDependOnHowAConstraintIsWritten) {
  const Example quadratic = rod(true), other = rod(false);
  for (const double tolerance : {1e-6, 1e-10, 1e-13})
    for (const int order : {4, 8, 16}) {
      const Gauss method{.order = order, .tolerance = tolerance};
      const double duration = order == 4 ? 0.3 : 3;
      const std::size_t expected = counts_of(quadratic, method, duration).steps;
      const std::size_t found = counts_of(other, method, duration).steps;
      EXPECT_LE(found, 2 * expected) << order << " " << tolerance;
      EXPECT_LE(expected, 2 * found) << order << " " << tolerance;
    }
}

TEST(GaussAdaptiveSteps, HaveTheAccuracyThatIsAskedForOnAnyConstraint) {
  const Example example = rod(false);
  const State exact = reference(rod(true), 3);
  for (const double tolerance : {1e-6, 1e-10, 1e-13}) {
    const Trajectory run =
        integrate(example.system, example.start, Gauss{.order = 8, .tolerance = tolerance}, {.t = 3, .keep = false});
    EXPECT_LT(distance(run.back(), exact), 1e3 * tolerance + 1e-11) << tolerance;
  }
}

// One failure of the fixed-point iteration is no reason for dense matrices: a shorter step is.
TEST(GaussAdaptiveSteps, AreCutRatherThanTakenByNewton) {
  const Example example = chain(10);
  for (const int order : {8, 12, 16})
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      const Counts counts = counts_of(example, {.order = order, .tolerance = tolerance}, 3);
      EXPECT_EQ(counts.newton, 0U) << order << " " << tolerance;
      EXPECT_LT(counts.steps, 1000U) << order << " " << tolerance;
    }
}

// A stiff spring that is hardly excited: accuracy allows steps of many of its periods, 2 pi/3000 each.
TEST(GaussAdaptiveSteps, AreTakenByNewtonWhereTheyAreMuchLonger) {
  Model model("stiff");
  auto x = model.coordinate("x", Rn{2});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(2.25e6 * pow(x[0] - x[1], 2) + squared_norm(x) / 2);
  const Example example{"stiff", derive(model), {0, Eigen::Vector2d(1, 1 + 1e-11), Eigen::Vector2d(0, 0)}};
  const Gauss method{.order = 8, .tolerance = 1e-5};
  const Counts counts = counts_of(example, method, 10);
  EXPECT_GT(2 * counts.newton, counts.steps);
  EXPECT_LT(counts.steps, 60U);
  EXPECT_NEAR(integrate(example.system, example.start, method, {.t = 10}).back().q(0), std::cos(10), 1e-5);
}

// x = x0 cos(t - t0) + v0 sin(t - t0), with a first step that has to be chosen from one state.
TEST(GaussAdaptiveSteps, BeginAnywhere) {
  Model model("oscillator");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(squared_norm(x) / 2);
  const System system = derive(model);
  for (const double t0 : {0.0, 5.0, -1e4})
    for (const double x0 : {0.0, 1e-300, 1e-17, 1.0})
      for (const double v0 : {0.0, 1e-300, 1.0, 1e10}) {
        const State start{t0, VectorXd::Constant(1, x0), VectorXd::Constant(1, v0)};
        const Trajectory run = integrate(system, start, Gauss{.order = 8, .tolerance = 1e-10}, {.t = t0 + 4});
        EXPECT_NEAR(run.back().q(0), x0 * std::cos(4) + v0 * std::sin(4), 1e-9 * std::max(x0, v0)) << x0 << " " << v0;
        EXPECT_LT(run.steps, 1000U) << x0 << " " << v0;
      }
}

// T = x^2 x'^2 / 2: x^2 = 1 - 2 t, and at t = 1/2 there is no mass left.
TEST(GaussAdaptiveSteps, EndWithASentence) {
  Model model("vanishing mass");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(x[0] * x[0] * squared_norm(rate(x)) / 2);
  const System system = derive(model);
  const State start{0, VectorXd::Ones(1), -VectorXd::Ones(1)};
  for (const int order : {4, 8, 16}) {
    const std::string what = message_of<StepError>(
        [&] { integrate(system, start, Gauss{.order = order, .tolerance = 1e-8}, {.t = 1, .keep = false}); });
    EXPECT_TRUE(
        what.starts_with(fmt::format("gauss{} of vanishing mass cannot go on at t = 0.5: its step fell to ", order)))
        << what;
    EXPECT_TRUE(
        what.ends_with("(tolerance 1e-08); the motion may be singular there, or the tolerance too small for "
                       "rounding"))
        << what;
  }
}

// U = sqrt(x) is not defined behind x = 0.
TEST(GaussAdaptiveSteps, EndWhereTheMotionLeavesItsDomain) {
  Model model("wall");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(sqrt(x[0]));
  const System system = derive(model);
  const State start{0, VectorXd::Ones(1), -VectorXd::Ones(1)};
  const std::string what = message_of<StepError>(
      [&] { integrate(system, start, Gauss{.order = 8, .tolerance = 1e-8}, {.t = 2, .keep = false}); });
  EXPECT_TRUE(what.starts_with("gauss8 of wall cannot go on at t = 0.")) << what;
}

}  // namespace
}  // namespace hamel::test::gauss_adaptive_test
