#include "hamel/integrate/integrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/spaces.hpp"
#include "hamel/model/formula.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel::test::integrate_test {
namespace {

const Example& pendulum() {
  static const Example example = lagrangian_pendulum();
  return example;
}

TEST(Integrate, EndsEveryStepOnTheGridOfTheMethod) {
  const Trajectory run = integrate(pendulum().system, pendulum().start, Variational{0.01}, {.t = 1});
  ASSERT_EQ(run.size(), 101U);
  EXPECT_EQ(run.steps, 100U);
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(run.states[k].t, 0.0 + static_cast<double>(k) * 0.01);
  EXPECT_EQ(run.back().t, 1.0);
  EXPECT_EQ(run.front().q, pendulum().start.q);
  EXPECT_EQ(run.times().size(), 101);
}

TEST(Integrate, MakesTheLastStepShorter) {
  for (const Method& method : {Method(Variational{0.3}), Method(Rk4{0.3})}) {
    const Trajectory run = integrate(pendulum().system, pendulum().start, method, {.t = 1});
    EXPECT_EQ(run.steps, 4U);
    EXPECT_EQ(run.times(), (Eigen::Vector<double, 5>() << 0, 0.3, 0.6, 3 * 0.3, 1).finished());
    EXPECT_LT(distance(run.back(), reference(pendulum(), 1)), 0.1);
  }
}

TEST(Integrate, StartsAtAnyTime) {
  State start = pendulum().start;
  start.t = -3;
  const Trajectory run = integrate(pendulum().system, start, Variational{0.1}, {.t = -2});
  EXPECT_EQ(run.steps, 10U);
  EXPECT_EQ(run.back().t, -2);
  const Trajectory same = integrate(pendulum().system, pendulum().start, Variational{0.1}, {.t = 1});
  EXPECT_LT(distance(run.back(), same.back()), 1e-14);
}

TEST(Integrate, GivesTheStartWhereNothingIsToBeDone) {
  const Trajectory run = integrate(pendulum().system, pendulum().start, Rk45{}, {.t = 0});
  EXPECT_EQ(run.size(), 1U);
  EXPECT_EQ(run.steps, 0U);
}

TEST(Integrate, HandsOutStatesOnTheOutputGrid) {
  for (const Method& method :
       {Method(Variational{0.004}), Method(Rk4{0.013}), Method(Rk45{.relative = 1e-8, .absolute = 1e-8})}) {
    const Trajectory run = integrate(pendulum().system, pendulum().start, method, {.t = 1.05, .every = 0.1});
    ASSERT_EQ(run.size(), 12U);
    for (std::size_t k = 1; k < 11; ++k) {
      EXPECT_EQ(run.states[k].t, static_cast<double>(k) * 0.1);
      EXPECT_LT(distance(run.states[k], reference(pendulum(), run.states[k].t)), 2e-5) << run.method.name;
    }
    EXPECT_EQ(run.back().t, 1.05);
    EXPECT_LT(distance(run.back(), reference(pendulum(), 1.05)), 2e-5);
  }
}

TEST(Integrate, HandsOutStatesOnTheManifold) {
  const Trajectory run = integrate(pendulum().system, pendulum().start, Variational{0.05}, {.t = 1, .every = 0.007});
  for (const State& state : run.states) {
    EXPECT_LT(pendulum().system.space().defect(state.q), 1e-15);
    EXPECT_LT(std::abs(state.q.dot(state.v)), 1e-15);
  }
}

TEST(Integrate, HandsOutStatesInTheLastStepToo) {
  for (const Method& method : {Method(Variational{0.01}), Method(Rk4{0.01})}) {
    const Trajectory run = integrate(pendulum().system, pendulum().start, method, {.t = 0.999, .every = 0.003});
    ASSERT_EQ(run.size(), 334U);
    for (std::size_t k : {330U, 331U, 332U, 333U})
      EXPECT_LT(distance(run.states[k], reference(pendulum(), run.states[k].t)), 2e-4) << run.states[k].t;
  }
}

TEST(Integrate, TakesOutputsThatAreStepsAsTheyAre) {
  const Trajectory fine = integrate(pendulum().system, pendulum().start, Variational{0.01}, {.t = 30});
  const Trajectory coarse = integrate(pendulum().system, pendulum().start, Variational{0.01}, {.t = 30, .every = 0.1});
  ASSERT_EQ(coarse.size(), 301U);
  for (std::size_t k = 0; k < 301; ++k) EXPECT_EQ(coarse.states[k].q, fine.states[10 * k].q);
}

TEST(Integrate, ShowsEveryOutputToTheObserver) {
  std::vector<double> times;
  const Trajectory run = integrate(pendulum().system, pendulum().start, Rk4{0.1},
                                   {.t = 1, .every = 0.25, .keep = false}, [&](const State& state) {
                                     times.push_back(state.t);
                                     return true;
                                   });
  EXPECT_EQ(times, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  ASSERT_EQ(run.size(), 1U);
  EXPECT_EQ(run.back().t, 1);
  EXPECT_FALSE(run.stopped);
}

TEST(Integrate, StopsWhenTheObserverSaysSo) {
  const Trajectory run = integrate(pendulum().system, pendulum().start, Variational{0.1}, {.t = 100},
                                   [](const State& state) { return state.t < 0.45; });
  EXPECT_TRUE(run.stopped);
  EXPECT_EQ(run.steps, 5U);
  EXPECT_EQ(run.back().t, 0.5);
}

TEST(Integrate, CountsRejectedSteps) {
  const Trajectory run =
      integrate(pendulum().system, pendulum().start, Rk45{.relative = 1e-6, .first_step = 2}, {.t = 5});
  EXPECT_GT(run.rejected, 0U);
  EXPECT_EQ(run.states.size(), run.steps + 1);
}

// u = -d q' - k P e1 held over each sample: the same numbers as runs that are pieced together by hand.
TEST(ControlLaw, IsHeldBetweenItsSamples) {
  const Example example = driven_pendulum();
  const auto law = [](double, const State& state, VectorXd& u) { u = -2 * state.v - 5 * Eigen::Vector3d::UnitX(); };
  for (const Method& method : {Method(Variational{0.002}), Method(Rk4{0.01}), Method(Rk45{.relative = 1e-10})}) {
    const Trajectory run = integrate(example.system, example.start, method, {.t = 1}, {}, {law, 0.25});
    State state = example.start;
    for (int k = 0; k < 4; ++k) {
      const auto stepper = make_stepper(example.system, Rk45{.relative = 1e-12});
      VectorXd u = VectorXd::Zero(3);
      law(0, state, u);
      stepper->start(state);
      stepper->set_inputs(u);
      while (stepper->step(0.25 * (k + 1)) < 0.25 * (k + 1)) {
      }
      stepper->current(state);
    }
    EXPECT_LT(distance(run.back(), state), 2e-5) << run.method.name;
    EXPECT_GT(distance(run.back(), reference(example, 1)), 0.1);
  }
}

TEST(ControlLaw, IsAskedAtEveryStepOfAFixedMethod) {
  const Example example = driven_pendulum();
  int calls = 0;
  const auto law = [&](double, const State&, VectorXd& u) {
    ++calls;
    u.setZero();
  };
  const Trajectory run = integrate(example.system, example.start, Rk4{0.1}, {.t = 1}, {}, {law});
  EXPECT_EQ(calls, 11);
  EXPECT_LT(distance(run.back(), reference(example, 1)), 1e-3);
}

TEST(Describe, SaysWhatAMethodIs) {
  const MethodInfo variational = describe(Variational{0.1}), rk4 = describe(Rk4{0.1}), rk45 = describe(Rk45{});
  EXPECT_EQ(variational.name, "variational");
  EXPECT_EQ(variational.order, 2);
  EXPECT_TRUE(variational.symplectic && variational.symmetric && variational.keeps_manifold);
  EXPECT_FALSE(variational.is_explicit || variational.adaptive);
  EXPECT_EQ(rk4.name, "rk4");
  EXPECT_EQ(rk4.order, 4);
  EXPECT_TRUE(rk4.is_explicit);
  EXPECT_FALSE(rk4.symplectic || rk4.symmetric || rk4.adaptive || rk4.keeps_manifold);
  EXPECT_EQ(rk45.order, 5);
  EXPECT_TRUE(rk45.is_explicit && rk45.adaptive);
  EXPECT_EQ(describe(Rk4{.step = 0.1, .reproject = true}).name, "rk4-reprojected");
  EXPECT_TRUE(describe(Rk45{.reproject = true}).keeps_manifold);
}

TEST(Refuses, SizesThatAreNotPositive) {
  const auto attempt = [](const Method& method) {
    return message_of([&] { integrate(pendulum().system, pendulum().start, method, {.t = 1}); });
  };
  EXPECT_EQ(attempt(Variational{0}), "the step of variational must be a positive number, not 0");
  EXPECT_EQ(attempt(Variational{-0.1}), "the step of variational must be a positive number, not -0.1");
  EXPECT_EQ(attempt(Rk4{NAN}), "the step of rk4 must be a positive number, not nan");
  EXPECT_EQ(attempt(Rk4{INFINITY}), "the step of rk4 must be a positive number, not inf");
  EXPECT_EQ(attempt(Rk45{.relative = 0}), "the relative tolerance of rk45 must be a positive number, not 0");
  EXPECT_EQ(attempt(Rk45{.absolute = -1}), "the absolute tolerance of rk45 must be a positive number, not -1");
  EXPECT_EQ(attempt(Rk45{.first_step = -1}), "the first step of rk45 must be a positive number, not -1");
  EXPECT_EQ(attempt(Rk45{.largest_step = 0}), "the largest step of rk45 must be a positive number, not 0");
  EXPECT_EQ(attempt(Variational{1e-14}),
            "the step 1e-14 is too small for a run from t = 0 to 1: 1e+14 of them; take at least 1.0e-12");
}

TEST(Refuses, TimesThatMakeNoSense) {
  const auto attempt = [](Until until) {
    return message_of([&] { integrate(pendulum().system, pendulum().start, Variational{0.1}, until); });
  };
  EXPECT_EQ(attempt({.t = -1}),
            "pendulum by its Lagrangian cannot be integrated backwards: it starts at t = 0 and should end at t = -1");
  EXPECT_EQ(attempt({.t = NAN}), "the end time must be finite, not nan");
  EXPECT_EQ(attempt({.t = INFINITY}), "the end time must be finite, not inf");
  EXPECT_EQ(attempt({.t = 1, .every = -0.1}), "the output interval must be positive, or 0 for every step; it is -0.1");
  EXPECT_EQ(attempt({.t = 1, .every = 1e-13}),
            "the output interval 1e-13 is too small for a run from t = 0 to 1: 1e+13 of them; take at least 1.0e-12");
}

TEST(Refuses, StartsOffTheManifold) {
  State start = pendulum().start;
  start.q *= 1.001;
  EXPECT_THROW(integrate(pendulum().system, start, Variational{0.1}, {.t = 1}), std::domain_error);
  start = pendulum().start;
  start.v += 0.01 * start.q;
  EXPECT_EQ(message_of([&] { integrate(pendulum().system, start, Variational{0.1}, {.t = 1}); }),
            "the rate of q is not tangent to S2: its normal part is 1.00e-02 (tolerance 1e-09); project it first or "
            "correct the numbers");
  start = pendulum().start;
  start.v(0) = NAN;
  EXPECT_EQ(message_of([&] { integrate(pendulum().system, start, Variational{0.1}, {.t = 1}); }),
            "the rate of q is not finite");
}

TEST(Refuses, StartsThatViolateAConstraint) {
  const Example example = slider_crank();
  State start = example.start;
  start.q(2) += 0.1;
  EXPECT_THROW(integrate(example.system, start, Variational{0.1}, {.t = 1}), std::domain_error);
  start = example.start;
  start.v(2) += 0.1;
  EXPECT_THROW(integrate(example.system, start, Variational{0.1}, {.t = 1}), std::domain_error);
}

TEST(Refuses, ControlLawsThatCannotWork) {
  const Example example = driven_pendulum();
  const auto law = [](double, const State&, VectorXd& u) { u.setZero(); };
  EXPECT_EQ(message_of([&] { integrate(example.system, example.start, Rk45{}, {.t = 1}, {}, {law}); }),
            "a control law under rk45 needs an interval of its own, since steps vary: set Control::every");
  EXPECT_EQ(message_of([&] { integrate(pendulum().system, pendulum().start, Rk4{0.1}, {.t = 1}, {}, {law}); }),
            "pendulum by its Lagrangian has no inputs that a control law could set");
  const auto wrong = [](double, const State&, VectorXd& u) { u = Eigen::Vector2d(1, 2); };
  EXPECT_EQ(message_of([&] { integrate(example.system, example.start, Rk4{0.1}, {.t = 1}, {}, {wrong}); }),
            "the control law at t = 0 gave 2 inputs, or one that is not finite; expected 3");
}

TEST(Control, ContinuousLawsAreThoseOfTheModel) {
  const auto driven = [](bool by_law) {
    Model model("driven");
    const Formula q = model.coordinate("q", S2()), u = model.input("u", 3);
    model.kinetic(squared_norm(rate(q)) / 2);
    model.potential(q.z());
    model.force_on(q, u);
    if (by_law) model.law(u, -0.3 * rate(q) - q.x() * Formula(VectorXd(Eigen::Vector3d(1, 2, 0))));
    return derive(model);
  };
  const System own = driven(true), asked = driven(false);
  const auto law = [](double, const State& state, VectorXd& u) {
    u = -0.3 * state.v - state.q(0) * Eigen::Vector3d(1, 2, 0);
  };
  const VectorXd q0 = Eigen::Vector3d(0.6, 0, -0.8), w0 = Eigen::Vector3d(0, 0.5, 0);
  for (const Method& method : {Method(Rk2{.step = 0.05}), Method(Rk4{.step = 0.05}), Method(LieRk{.step = 0.05}),
                               Method(Rk45{}), Method(Dop853{})}) {
    const State want = integrate(own, own.state(0, q0, w0), method, {.t = 3}).back();
    const Trajectory got =
        integrate(asked, asked.state(0, q0, w0), method, {.t = 3}, {}, {.law = law, .continuous = true});
    EXPECT_LT((got.back().q - want.q).norm() + (got.back().v - want.v).norm(), 1e-12) << describe(method).name;
  }
  const auto refusal = [&](const Method& method, const Control& control) {
    return message_of([&] { integrate(asked, asked.state(0, q0, w0), method, {.t = 1}, {}, control); });
  };
  EXPECT_NE(refusal(Variational{0.1}, {.law = law, .continuous = true}).find("variational solves equations"),
            std::string::npos);
  EXPECT_NE(refusal(Gauss{.step = 0.1}, {.law = law, .continuous = true}).find("gauss8 solves equations"),
            std::string::npos);
  EXPECT_EQ(refusal(Rk4{0.1}, {.law = law, .every = 0.1, .continuous = true}),
            "a continuous control law has no interval; 0.1 is one of a sampled law");
  EXPECT_EQ(refusal(Rk4{0.1}, {.law = [](double t, const State&, VectorXd& u) { u.setConstant(t > 0.45 ? NAN : 0); },
                               .continuous = true}),
            "the control law at t = 0.5 gave 3 inputs, or one that is not finite; expected 3");
}

TEST(Refuses, StepsThatTurnTooFar) {
  State start = pendulum().start;
  start.v *= 3 / start.v.norm();
  const std::string what = message_of([&] { integrate(pendulum().system, start, Variational{0.9}, {.t = 1}); });
  EXPECT_TRUE(what.starts_with("the variational step of pendulum by its Lagrangian at t = 0 with step 0.9 ")) << what;
}

// x'' = 3 x^5: infinite after a finite time.
TEST(Refuses, MotionsThatEnd) {
  Model model("escape");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(-pow(x[0], 6) / 2);
  const System system = derive(model);
  const State start{0, VectorXd::Ones(1), VectorXd::Ones(1)};  // x = (1 - 2 t)^(-1/2)
  const std::string adaptive = message_of([&] { integrate(system, start, Rk45{}, {.t = 1}); });
  EXPECT_TRUE(adaptive.starts_with("rk45 of escape cannot go on at t = 0.5")) << adaptive;
  for (const Method& method : {Method(Rk4{0.01}), Method(Variational{0.01})}) {
    const std::string fixed = message_of([&] { integrate(system, start, method, {.t = 1}); });
    EXPECT_NE(fixed.find("escape"), std::string::npos) << fixed;
    EXPECT_NE(fixed.find(" at t = 0."), std::string::npos) << fixed;
  }
}

}  // namespace
}  // namespace hamel::test::integrate_test
