// What cannot be integrated, and what is said about it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel::test::refusal_test {
namespace {

const Example& pendulum() {
  static const Example example = lagrangian_pendulum();
  return example;
}

TEST(Steps, LongerThanTheRunAreShortened) {
  for (double step : {2.0, 1e6, 1e300})
    for (const Method& method : {Method(Variational{step}), Method(Rk4{step})}) {
      const Trajectory run = integrate(pendulum().system, pendulum().start, method, {.t = 0.1});
      EXPECT_EQ(run.steps, 1U);
      EXPECT_EQ(run.back().t, 0.1);
      EXPECT_LT(distance(run.back(), reference(pendulum(), 0.1)), 1e-2);
    }
}

TEST(Steps, ThatAreHugeSayWhatToTry) {
  const std::string what =
      message_of<StepError>([] { integrate(pendulum().system, pendulum().start, Variational{1e6}, {.t = 1e9}); });
  EXPECT_TRUE(what.starts_with("the variational step of pendulum by its Lagrangian at t = 0 with step 1e+06 ")) << what;
  EXPECT_NE(what.find("try "), std::string::npos) << what;
}

TEST(Steps, OfNoSize) {
  const auto attempt = [](const Method& method) {
    return message_of<std::invalid_argument>([&] { integrate(pendulum().system, pendulum().start, method, {.t = 1}); });
  };
  EXPECT_EQ(attempt(Variational{NAN}), "the step of variational must be a positive number, not nan");
  EXPECT_EQ(attempt(Variational{INFINITY}), "the step of variational must be a positive number, not inf");
  EXPECT_EQ(attempt(Rk4{0}), "the step of rk4 must be a positive number, not 0");
  EXPECT_EQ(attempt(Rk4{-1}), "the step of rk4 must be a positive number, not -1");
  EXPECT_EQ(attempt(Rk45{.relative = 1e-30}),
            "the relative tolerance of rk45 must be at least 1e-16, which is rounding; it is 1e-30");
  EXPECT_EQ(attempt(Gauss{.tolerance = 1e-17}),
            "the tolerance of gauss8 must be at least 1e-16, which is rounding; it is 1e-17");
  EXPECT_EQ(attempt(Rk45{.relative = NAN}), "the relative tolerance of rk45 must be a positive number, not nan");
  EXPECT_EQ(attempt(Rk45{.largest_step = NAN}), "the largest step of rk45 must be a positive number, not nan");
}

TEST(Steps, OfTheirOwnChoiceAreNotTakenForEver) {
  const Example example = double_pendulum();
  for (const Method& method : {Method(Gauss{.tolerance = 1e-8}), Method(Rk45{})}) {
    Integration run(example.system, example.start, method, {.t = 100, .most_steps = 30});
    const std::string what = message_of<std::runtime_error>([&] { run.finish(); });
    EXPECT_TRUE(what.starts_with(describe(method).name + " has taken 30 steps of double spherical pendulum by t = "))
        << what;
    EXPECT_EQ(run.checkpoint().steps, 30U);
  }
}

TEST(Times, ThatAreNone) {
  const auto attempt = [](Until until) {
    return message_of<std::invalid_argument>(
        [&] { integrate(pendulum().system, pendulum().start, Rk4{0.1}, std::move(until)); });
  };
  EXPECT_EQ(attempt({.t = -INFINITY}), "the end time must be finite, not -inf");
  EXPECT_EQ(attempt({.t = 1, .every = NAN}), "the output interval must be positive, or 0 for every step; it is nan");
  EXPECT_EQ(attempt({.t = 1, .every = INFINITY}),
            "the output interval must be positive, or 0 for every step; it is inf");
  EXPECT_EQ(attempt({.t = 1, .halvings = -1}), "a step may be halved 0 to 20 times, not -1");
  State start = pendulum().start;
  start.t = NAN;
  EXPECT_EQ(message_of<std::invalid_argument>([&] { integrate(pendulum().system, start, Rk4{0.1}, {.t = 1}); }),
            "the time of a state must be finite");
}

TEST(Starts, ThatAreNone) {
  const auto attempt = [](const Example& example, const State& start) {
    return message_of<std::domain_error>([&] { integrate(example.system, start, Rk4{0.1}, {.t = 1}); });
  };
  State start = pendulum().start;
  start.q *= 1.001;
  const std::string off = attempt(pendulum(), start);
  EXPECT_NE(off.find("q is not on S2"), std::string::npos) << off;
  EXPECT_NE(off.find("(tolerance 1e-09)"), std::string::npos) << off;
  start = pendulum().start;
  start.q = VectorXd::Zero(2);
  EXPECT_EQ(message_of<std::invalid_argument>([&] { integrate(pendulum().system, start, Rk4{0.1}, {.t = 1}); }),
            "pendulum by its Lagrangian has 3 ambient coordinates; this state has 2 and 3 rates");

  const Example crank = slider_crank();
  start = crank.start;
  start.q(2) += 0.1;
  EXPECT_EQ(attempt(crank, start), "constraint rod is violated at the start: it is 1.93e-01, not 0 (tolerance 1e-09)");
  start = crank.start;
  start.v(2) += 0.1;
  EXPECT_EQ(attempt(crank, start),
            "the velocity violates constraint rod: its rate is 1.83e-01, not 0 (tolerance 1e-09)");
}

// T = x^2 x'^2 / 2: x^2 = 1 - 2 t, and at t = 1/2 there is no mass left.
TEST(SingularMass, EndsTheMotion) {
  Model model("vanishing mass");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(x[0] * x[0] * squared_norm(rate(x)) / 2);
  const System system = derive(model);
  const State start{0, VectorXd::Ones(1), -VectorXd::Ones(1)};
  const std::string what = message_of<StepError>([&] { integrate(system, start, Rk45{}, {.t = 1}); });
  EXPECT_TRUE(what.starts_with("rk45 of vanishing mass cannot go on at t = 0.5: its step fell to ")) << what;
  EXPECT_TRUE(
      what.ends_with("(relative 1e-09, absolute 1e-12); the motion may be singular there, or the tolerance too "
                     "small for rounding"))
      << what;
}

// T = (r'^2 + r^2 phi'^2) / 2 where r = 1 - t.
TEST(SingularMass, WhereAStepEnds) {
  Model model("polar coordinates");
  auto r = model.coordinate("r", Rn{1});
  auto phi = model.coordinate("phi", Rn{1});
  model.kinetic(squared_norm(rate(r)) / 2 + r[0] * r[0] * squared_norm(rate(phi)) / 2);
  const System system = derive(model);
  const State start{0, Eigen::Vector2d(1, 0.5), Eigen::Vector2d(-1, 0)};
  for (const Method& method : {Method(Variational{0.25}), Method(Rk4{0.25}), Method(Rk4{0.25, Form::pi})})
    EXPECT_TRUE(message_of<std::runtime_error>([&] {
                  integrate(system, start, method, {.t = 2});
                }).starts_with("the equations of motion are singular at t = 1: smallest pivot "));
}

// U = sqrt(x) is not defined behind x = 0.
TEST(Motion, ThatLeavesItsDomain) {
  Model model("wall");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(sqrt(x[0]));
  const System system = derive(model);
  const State start{0, VectorXd::Ones(1), -VectorXd::Ones(1)};
  const auto attempt = [&](const Method& method, int halvings) {
    return message_of<std::runtime_error>([&] { integrate(system, start, method, {.t = 2, .halvings = halvings}); });
  };
  for (int halvings : {0, 5}) {
    EXPECT_TRUE(attempt(Variational{0.1}, halvings)
                    .starts_with("the variational step of wall leaves the finite numbers "
                                 "at t = 0.7"));
    EXPECT_EQ(attempt(Rk4{0.1}, halvings),
              "wall has no finite acceleration at t = 0.8: the equations of motion are singular there");
  }
}

TEST(ControlLaws, ThatFail) {
  const Example example = driven_pendulum();
  const auto attempt = [&](const Control& control) {
    return message_of<std::exception>(
        [&] { integrate(example.system, example.start, Rk4{0.1}, {.t = 1}, {}, control); });
  };
  const auto zero = [](double, const State&, VectorXd& u) { u.setZero(); };
  EXPECT_EQ(attempt({zero, -1}), "the interval of a control law must be positive, or 0 for every step; it is -1");
  EXPECT_EQ(attempt({zero, NAN}), "the interval of a control law must be positive, or 0 for every step; it is nan");
  EXPECT_EQ(attempt({[](double t, const State&, VectorXd& u) { u.setConstant(t > 0.45 ? NAN : 0); }}),
            "the control law at t = 0.5 gave 3 inputs, or one that is not finite; expected 3");
  EXPECT_EQ(attempt({[](double t, const State&, VectorXd& u) {
              u.resize(t > 0.45 ? 4 : 3);
              u.setZero();
            }}),
            "the control law at t = 0.5 gave 4 inputs, or one that is not finite; expected 3");
  EXPECT_EQ(attempt({[](double t, const State&, VectorXd& u) {
              if (t > 0.45) throw std::logic_error("the sensor is broken");
              u.setZero();
            }}),
            "the sensor is broken");
}

TEST(Observers, ThatThrow) {
  struct Own {
    double t;
  };
  for (double when : {0.0, 0.5}) try {
      integrate(pendulum().system, pendulum().start, Variational{0.1}, {.t = 1}, [&](const State& state) {
        if (state.t >= when) throw Own{state.t};
        return true;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Own& own) {
      EXPECT_EQ(own.t, when);
    }
}

}  // namespace
}  // namespace hamel::test::refusal_test
