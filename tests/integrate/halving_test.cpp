// Steps that cannot be taken, and their halves.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::halving_test {
namespace {

// A pendulum that is slow at the top and fast at the bottom: 0.5 s turn it by more than a quarter there.
Example swinging() {
  Model model("swinging");
  auto q = model.coordinate<S1>("q");
  auto u = model.input("u", 2);
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(4 * q.y());
  model.force_on(q, u);
  Example example{model.name(), derive(model), {}};
  example.start = {0, Eigen::Vector2d(0, 1), Eigen::Vector2d(0.3, 0)};
  return example;
}

TEST(Halving, HappensOnRequestOnly) {
  const Example example = swinging();
  EXPECT_THROW(integrate(example.system, example.start, Variational{0.5}, {.t = 20}), StepError);
  const Trajectory run = integrate(example.system, example.start, Variational{0.5}, {.t = 20, .halvings = 3});
  EXPECT_GT(run.halved, 3U);
  EXPECT_LT(run.halved, 40U);
  EXPECT_EQ(run.steps, 40 + run.halved);  // each halving makes two steps of one
  EXPECT_GE(run.smallest_step, 0.5 / 8 - 1e-12);
  EXPECT_LE(run.smallest_step, 0.25);
  ASSERT_EQ(run.size(), 41U);  // outputs at the ends of whole steps
  for (std::size_t k = 0; k <= 40; ++k) EXPECT_NEAR(run.states[k].t, 0.5 * static_cast<double>(k), 1e-13);
  for (const State& state : run.states) EXPECT_LT(example.system.space().defect(state.q), 1e-14);
}

TEST(Halving, IsTheMethodWithSmallerSteps) {
  const Example example = swinging();
  // The first step that fails begins where steps of half the size go on.
  const auto stepper = make_stepper(example.system, Variational{0.5});
  stepper->start(example.start);
  State state = example.start;
  try {
    while (true) {
      stepper->step(INFINITY);
      stepper->current(state);
    }
  } catch (const StepError& error) {
    EXPECT_EQ(error.time(), state.t);
    EXPECT_EQ(error.step(), 0.5);
  }
  const Trajectory run = integrate(example.system, state, Variational{0.5}, {.t = state.t + 0.5, .halvings = 1});
  EXPECT_EQ(run.steps, 2U);
  EXPECT_EQ(run.halved, 1U);
  EXPECT_EQ(run.smallest_step, 0.25);
  EXPECT_LT(distance(run.back(), advance(example, state, 0.25, 2)), 1e-15);
}

TEST(Halving, ChangesNothingWhereNothingFails) {
  const Example example = swinging();
  const Trajectory with = integrate(example.system, example.start, Variational{0.1}, {.t = 20, .halvings = 5});
  const Trajectory without = integrate(example.system, example.start, Variational{0.1}, {.t = 20});
  EXPECT_EQ(with.halved, 0U);
  EXPECT_NEAR(with.smallest_step, 0.1, 1e-13);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t k = 0; k < with.size(); ++k) EXPECT_EQ(with.states[k].q, without.states[k].q);
}

TEST(Halving, EndsSomewhere) {
  const Example example = swinging();
  EXPECT_THROW(integrate(example.system, example.start, Variational{4}, {.t = 20, .halvings = 2}), StepError);
  EXPECT_NO_THROW(integrate(example.system, example.start, Variational{4}, {.t = 20, .halvings = 7}));
}

// Outputs between steps, events and the last step, in halves as in whole steps.
TEST(Halving, KeepsOutputsAndEvents) {
  const Example example = swinging();
  const Event bottom{.name = "bottom", .value = [](const State& s) { return s.q.x(); }};
  const Trajectory run = integrate(example.system, example.start, Variational{0.5},
                                   {.t = 20.2, .every = 0.07, .events = {bottom}, .halvings = 3});
  EXPECT_GT(run.halved, 3U);
  ASSERT_EQ(run.size(), 290U);
  for (std::size_t k = 0; k + 1 < run.size(); ++k) EXPECT_EQ(run.states[k].t, 0.07 * static_cast<double>(k));
  EXPECT_EQ(run.back().t, 20.2);
  for (const State& state : run.states) EXPECT_LT(example.system.space().defect(state.q), 1e-14);
  // Every change of the sign between two outputs is an event there, up to the error of so long steps.
  std::size_t events = 0;
  for (std::size_t k = 1; k < run.size(); ++k) {
    if (run.states[k - 1].q.x() * run.states[k].q.x() >= 0) continue;
    ASSERT_LT(events, run.occurrences.size());
    const State& event = run.occurrences[events++].state;
    EXPECT_GT(event.t, run.states[k - 1].t - 0.05);
    EXPECT_LE(event.t, run.states[k].t + 0.05);
    EXPECT_LT(std::abs(event.q.x()), 1e-11);
  }
  EXPECT_GT(events, 3U);
  EXPECT_EQ(events, run.occurrences.size());
}

TEST(Halving, EndsAtATerminalEvent) {
  const Example example = swinging();
  const Event bottom{.name = "bottom", .value = [](const State& s) { return s.v.x(); }, .terminal = true};
  const auto end = [&](double step) {
    return integrate(example.system, example.start, Variational{step}, {.t = 20, .events = {bottom}, .halvings = 4});
  };
  const Trajectory coarse = end(0.5), fine = end(0.001);
  EXPECT_EQ(coarse.ended_by, "bottom");
  EXPECT_NEAR(coarse.back().t, fine.back().t, 0.2);
}

TEST(Halving, HoldsTheInputs) {
  const Example example = swinging();
  std::vector<double> asked;
  const auto law = [&](double t, const State& state, VectorXd& u) {
    asked.push_back(t);
    u = -0.05 * state.v;
  };
  const Trajectory run =
      integrate(example.system, example.start, Variational{0.5}, {.t = 10, .halvings = 3}, {}, {law});
  EXPECT_GT(run.halved, 0U);
  ASSERT_EQ(asked.size(), 21U);
  for (std::size_t k = 0; k < asked.size(); ++k) EXPECT_NEAR(asked[k], 0.5 * static_cast<double>(k), 1e-13);
}

TEST(Halving, IsLeftToMethodsThatChooseTheirSteps) {
  const Example example = swinging();
  const Trajectory run = integrate(example.system, example.start, Rk45{}, {.t = 20, .halvings = 3});
  EXPECT_EQ(run.halved, 0U);
  EXPECT_GT(run.smallest_step, 0);
  EXPECT_LT(run.smallest_step, 0.1);
}

}  // namespace
}  // namespace hamel::test::halving_test
