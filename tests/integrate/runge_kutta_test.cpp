#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrate/dormand_prince.hpp"
#include "hamel/integrate/stepper.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::runge_kutta_test {
namespace {

State run(const System& system, const State& start, const Method& method, double end) {
  const auto stepper = make_stepper(system, method);
  stepper->start(start);
  while (stepper->step(end) < end) {
  }
  State state;
  stepper->current(state);
  return state;
}

class InEveryForm : public testing::TestWithParam<Form> {};
INSTANTIATE_TEST_SUITE_P(Forms, InEveryForm, testing::Values(Form::velocity, Form::omega, Form::mu, Form::pi));

TEST_P(InEveryForm, Rk4IsOfOrderFour) {
  for (const Example& example :
       {double_pendulum(), body_pendulum(), torus_of_angles(), slider_crank(), damped_pendulum()}) {
    const State exact = reference(example, 0.8);
    std::vector<double> errors;
    for (int steps : {20, 40, 80})
      errors.push_back(distance(run(example.system, example.start, Rk4{0.8 / steps, GetParam()}, 0.8), exact));
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4, 0.3) << example.name << " " << errors[1] << " " << errors[2];
  }
}

TEST_P(InEveryForm, Rk2IsOfOrderTwo) {
  for (const Example& example : {double_pendulum(), body_pendulum(), torus_of_angles(), damped_pendulum()}) {
    const State exact = reference(example, 0.8);
    for (Rk2Rule rule : {Rk2Rule::midpoint, Rk2Rule::heun}) {
      const auto error = [&](int steps) {
        return distance(run(example.system, example.start, Rk2{0.8 / steps, rule, GetParam()}, 0.8), exact);
      };
      EXPECT_NEAR(std::log2(error(400) / error(800)), 2, 0.1) << example.name << " " << error(800);
    }
  }
}

TEST_P(InEveryForm, Rk45KeepsItsTolerance) {
  const Example example = double_pendulum();
  const State exact = reference(example, 2);
  double previous = 1;
  for (double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const double error = distance(
        run(example.system, example.start, Rk45{.relative = tolerance, .absolute = tolerance, .form = GetParam()}, 2),
        exact);
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, previous / 10);
    previous = error;
  }
}

TEST_P(InEveryForm, ReprojectionKeepsTheManifold) {
  for (const Example& example : {double_pendulum(), body_pendulum(), group_se2()}) {
    for (const Method& method :
         {Method(Rk2{.step = 0.005, .form = GetParam(), .reproject = true}),
          Method(Rk4{.step = 0.05, .form = GetParam(), .reproject = true}),
          Method(Rk45{.relative = 1e-4, .absolute = 1e-4, .form = GetParam(), .reproject = true})}) {
      const State end = run(example.system, example.start, method, 1);
      EXPECT_LT(example.system.space().defect(end.q), 1e-14) << example.name;
      VectorXd tangent(end.v.size());
      example.system.space().tangent_project(end.q, end.v, tangent);
      EXPECT_LT((end.v - tangent).norm(), 1e-13) << example.name;
      EXPECT_LT(distance(end, reference(example, 1)), 0.05) << example.name;
    }
  }
}

TEST(RungeKutta, DriftsOffTheManifoldWithoutReprojection) {
  const Example example = double_pendulum();
  EXPECT_GT(example.system.space().defect(run(example.system, example.start, Rk4{0.05}, 1).q), 1e-8);
}

// Halving the step divides the error of the interpolation in the middle of a step by 2^(order + 1).
TEST(RungeKutta, ContinuousOutputOfRk45IsOfOrderFour) {
  const Example example = double_pendulum();
  const auto error = [&](double h) {
    const auto stepper =
        make_stepper(example.system, Rk45{.relative = 1, .absolute = 1, .first_step = h, .largest_step = h});
    stepper->start(example.start);
    stepper->step(10);
    State middle;
    stepper->interpolate(0.4 * h, middle);
    return distance(middle, reference(example, 0.4 * h));
  };
  EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 5, 0.4);
  EXPECT_NEAR(std::log2(error(0.05) / error(0.025)), 5, 0.3);
}

TEST(RungeKutta, InterpolationOfRk4IsOfOrderThree) {
  const Example example = double_pendulum();
  const auto error = [&](double h) {
    const auto stepper = make_stepper(example.system, Rk4{h});
    stepper->start(example.start);
    stepper->step(10);
    State middle;
    stepper->interpolate(0.4 * h, middle);
    return distance(middle, reference(example, 0.4 * h));
  };
  EXPECT_NEAR(std::log2(error(0.05) / error(0.025)), 4, 0.3);
}

// Two exponentials whose rate changes by a factor of ten thousand: steps must follow.
TEST(Rk45, FindsItsSteps) {
  const Example example = coupled_planar();
  for (double first : {0.0, 1e-6, 5.0}) {
    const auto stepper = make_stepper(example.system, Rk45{.relative = 1e-8, .absolute = 1e-8, .first_step = first});
    stepper->start(example.start);
    int steps = 0;
    while (stepper->step(5) < 5) ++steps;
    State state;
    stepper->current(state);
    EXPECT_LT(distance(state, reference(example, 5)), 1e-5) << first;
    EXPECT_LT(steps, 400) << first;
    EXPECT_LT(stepper->rejected(), 40U) << first;
  }
}

// y' = y cos t, y = exp(sin t): the same errors from both codes, by different steps.
TEST(DormandPrince, SolvesEquationsWrittenByHand) {
  const auto rate = [](double t, In y, Out y_rate) { y_rate = std::cos(t) * y; };
  for (Rk45Code code : {Rk45Code::dopri5, Rk45Code::ode45}) {
    DormandPrince solver("growth", 2, rate, Rk45{.relative = 1e-9, .absolute = 1e-10, .code = code});
    solver.start(0, Eigen::Vector2d(1, -2));
    VectorXd y(2);
    double t = 0;
    int steps = 0;
    for (; t < 10; ++steps) {
      const double begin = t;
      t = solver.step(10);
      solver.interpolate(0.3 * begin + 0.7 * t, y);
      EXPECT_NEAR(y(0), std::exp(std::sin(0.3 * begin + 0.7 * t)), 1e-7);
    }
    EXPECT_LT((solver.y() - Eigen::Vector2d(1, -2) * std::exp(std::sin(10))).norm(), 1e-7);
    EXPECT_LT(steps, 300);
  }
}

TEST(DormandPrince, SaysWhereItCannotGoOn) {  // y = 1 / (1 - t)
  DormandPrince solver(
      "blow-up", 1, [](double, In y, Out rate) { rate = y.cwiseProduct(y); }, Rk45{});
  solver.start(0, VectorXd::Ones(1));
  try {
    while (solver.step(2) < 2) {
    }
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("rk45 of blow-up cannot go on at t = 1"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace hamel::test::runge_kutta_test
