// Events against closed forms: periods by elliptic integrals, parabolas, Kepler's ellipse.
#include "hamel/integrate/event.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/root.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel::test::event_test {
namespace {

using std::numbers::pi;

std::vector<double> times_of(const Trajectory& run, const std::string& event) {
  std::vector<double> times;
  for (const Occurrence& occurrence : run.occurrences)
    if (occurrence.event == event) times.push_back(occurrence.state.t);
  return times;
}

// q'' = -sin(angle), from rest at an angle; the period is 4 K(sin(angle / 2)).
struct PlanarPendulum {
  static constexpr double angle = 2;
  static System derived() {
    Model model("planar pendulum");
    auto q = model.coordinate<S1>("q");
    model.kinetic(squared_norm(rate(q)) / 2);
    model.potential(q.y());
    return derive(model);
  }
  System system = derived();
  State start = {0, Eigen::Vector2d(std::sin(angle), -std::cos(angle)), Eigen::Vector2d::Zero()};
  double period = 4 * std::comp_ellint_1(std::sin(angle / 2));
};

const PlanarPendulum& pendulum() {
  static const PlanarPendulum example;
  return example;
}

const Event hanging{.name = "hanging", .value = [](const State& s) { return s.q.x(); }};

double error_of_period(const Method& method) {
  const Trajectory run = integrate(pendulum().system, pendulum().start, method,
                                   {.t = 3.1 * pendulum().period, .keep = false, .events = {hanging}});
  const std::vector<double> times = times_of(run, "hanging");
  EXPECT_EQ(times.size(), 6U) << run.method.name;
  if (times.size() != 6) return 1;
  return std::abs(times[4] - times[0] - 2 * pendulum().period);
}

TEST(Events, GiveThePeriodOfAPendulum) {
  EXPECT_LT(error_of_period(Rk45{.relative = 1e-13, .absolute = 1e-13}), 1e-10);
  EXPECT_LT(error_of_period(Rk4{.step = 0.005, .reproject = true}), 1e-9);
  EXPECT_LT(error_of_period(Variational{0.001}), 1e-5);
}

// The time of an event has the order of its method, since it is found on the method itself.
TEST(Events, AreOfTheOrderOfTheMethod) {
  const auto order = [](const auto& at) {
    return std::log2(error_of_period(at(0.08)) / error_of_period(at(0.02))) / 2;
  };
  EXPECT_NEAR(order([](double h) { return Variational{h}; }), 2, 0.1);
  EXPECT_NEAR(order([](double h) { return Rk4{h}; }), 4, 0.4);
}

TEST(Events, AreOnTheManifoldAndOnTheZero) {
  for (const Method& method : {Method(Variational{0.1}), Method(Rk4{.step = 0.1, .reproject = true}),
                               Method(Rk45{.relative = 1e-8, .reproject = true})}) {
    const Trajectory run = integrate(pendulum().system, pendulum().start, method, {.t = 50, .events = {hanging}});
    ASSERT_GE(run.occurrences.size(), 10U);
    for (const auto& [event, state] : run.occurrences) {
      EXPECT_LT(pendulum().system.space().defect(state.q), 1e-15) << run.method.name;
      EXPECT_LT(std::abs(state.q.dot(state.v)), 1e-15) << run.method.name;
      EXPECT_LT(std::abs(state.q.x()), 1e-12 * state.v.norm() + 1e-14 * state.t) << run.method.name;
    }
  }
}

TEST(Events, OnEveryKindOfManifold) {
  const Event event{.name = "some", .value = [](const State& s) { return s.v(0) + 0.2 * s.v(1) + 0.1 * s.q(0); }};
  for (const Example& example : {double_pendulum(), coupled_planar(), body_pendulum(), floating_body(), torus(),
                                 group_se2(), orbit_of_rotations(), slider_crank()})
    for (const Method& method : {Method(Variational{0.02}), Method(Rk4{.step = 0.02, .reproject = true}),
                                 Method(Rk45{.relative = 1e-7, .form = Form::mu, .reproject = true})}) {
      const Trajectory run =
          integrate(example.system, example.start, method, {.t = 6, .keep = false, .events = {event}});
      EXPECT_GE(run.occurrences.size(), 1U) << example.name;
      for (const auto& [name, state] : run.occurrences) {
        EXPECT_LT(example.system.space().defect(state.q), 1e-13) << example.name << " " << run.method.name;
        EXPECT_LT(std::abs(event.value(state)), 1e-11) << example.name << " " << run.method.name;
      }
    }
}

TEST(Events, DoNotChangeTheMotion) {
  for (const Method& method : {Method(Variational{0.1}), Method(Rk4{0.1}), Method(Rk45{})}) {
    const Trajectory with = integrate(pendulum().system, pendulum().start, method, {.t = 20, .events = {hanging}});
    const Trajectory without = integrate(pendulum().system, pendulum().start, method, {.t = 20});
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t k = 0; k < with.size(); ++k) EXPECT_EQ(with.states[k].q, without.states[k].q);
    EXPECT_GT(with.occurrences.size(), 3U);
  }
}

TEST(Events, HaveADirection) {
  Event rising = hanging, falling = hanging;
  rising.name = "rising";
  rising.direction = Crossing::rising;
  falling.name = "falling";
  falling.direction = Crossing::falling;
  const double T = pendulum().period;
  const Trajectory run = integrate(pendulum().system, pendulum().start, Rk45{.relative = 1e-12},
                                   {.t = 1.9 * T, .events = {rising, hanging, falling}});
  const auto up = times_of(run, "rising"), down = times_of(run, "falling"), any = times_of(run, "hanging");
  ASSERT_EQ(any.size(), 4U);
  ASSERT_EQ(down.size(), 2U);
  ASSERT_EQ(up.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(down[k], (0.25 + static_cast<double>(k)) * T, 1e-9);
    EXPECT_NEAR(up[k], (0.75 + static_cast<double>(k)) * T, 1e-9);
    EXPECT_EQ(any[2 * k], down[k]);
    EXPECT_EQ(any[2 * k + 1], up[k]);
  }
}

// z'' = -10 from z = 0 with speed 15: over the ground until t = 3, at most 11.25 high; x = 2 t.
struct Projectile {
  static System derived() {
    Model model("projectile");
    auto x = model.coordinate("x", Rn{2});
    model.kinetic(squared_norm(rate(x)) / 2);
    model.potential(10 * x.y());
    return derive(model);
  }
  System system = derived();
  State start = {0, Eigen::Vector2d(0, 0), Eigen::Vector2d(2, 15)};
};

const Projectile& projectile() {
  static const Projectile example;
  return example;
}

const std::vector<Method> methods = {Variational{0.7}, Rk4{0.7}, Rk45{}};

Event height(double h, bool terminal = false) {
  return {.name = "height " + std::to_string(h),
          .value = [=](const State& s) { return s.q.y() - h; },
          .terminal = terminal};
}

// All methods are exact on parabolas. The projectile is on the ground at the start as well, which is no event.
TEST(TerminalEvent, EndsTheTrajectoryThere) {
  for (const Method& method : methods) {
    const Trajectory run = integrate(projectile().system, projectile().start, method,
                                     {.t = 100, .every = 0.4, .events = {height(0, true)}});
    EXPECT_EQ(run.ended_by, height(0).name);
    EXPECT_FALSE(run.stopped);
    ASSERT_EQ(run.occurrences.size(), 1U);
    EXPECT_EQ(run.occurrences[0].state.q, run.back().q);
    EXPECT_NEAR(run.back().t, 3, 3e-12) << run.method.name;
    EXPECT_LT((run.back().q - Eigen::Vector2d(6, 0)).norm(), 1e-10) << run.method.name;
    EXPECT_LT((run.back().v - Eigen::Vector2d(2, -15)).norm(), 1e-10) << run.method.name;
    ASSERT_EQ(run.size(), 9U);  // at 0, 0.4, ..., 2.8, and on the ground
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(run.states[k].t, static_cast<double>(k) * 0.4);
  }
}

TEST(TerminalEvent, AtEveryStep) {
  for (const Method& method : methods) {
    const Trajectory run =
        integrate(projectile().system, projectile().start, method, {.t = 100, .events = {height(0, true)}});
    EXPECT_EQ(run.size(), run.steps + 1);
    EXPECT_NEAR(run.back().t, 3, 3e-12);
    EXPECT_LT(run.states[run.size() - 2].t, 3);
  }
}

// From where it ended one can go on; the zero at the new start is no event.
TEST(TerminalEvent, IsAStart) {
  State state = projectile().start;
  for (int bounce = 1; bounce <= 5; ++bounce) {
    const Trajectory run = integrate(projectile().system, state, Rk4{0.1}, {.t = 100, .events = {height(0, true)}});
    state = run.back();
    EXPECT_NEAR(state.t, 3 * bounce, 1e-11);
    state.v.y() *= -1;
  }
  const Trajectory below = integrate(
      projectile().system,
      integrate(projectile().system, projectile().start, Rk4{0.1}, {.t = 100, .events = {height(0, true)}}).back(),
      Rk4{0.1}, {.t = 10, .events = {height(0, true)}});
  EXPECT_EQ(below.ended_by, "");
  EXPECT_TRUE(below.occurrences.empty());
}

TEST(TerminalEvent, IsTheLastOfItsStep) {
  const Trajectory run = integrate(projectile().system, projectile().start, Rk4{5.0},
                                   {.t = 100, .events = {height(-20), height(0, true), height(10)}});
  ASSERT_EQ(run.occurrences.size(), 3U);  // 10 on the way up and down, the ground
  EXPECT_NEAR(run.occurrences[0].state.t, 1, 1e-11);
  EXPECT_NEAR(run.occurrences[1].state.t, 2, 1e-11);
  EXPECT_NEAR(run.occurrences[2].state.t, 3, 1e-11);
  EXPECT_EQ(run.steps, 1U);
}

TEST(TerminalEvent, MayBeWhereAStepEnds) {
  const Trajectory run =
      integrate(projectile().system, projectile().start, Rk4{0.5}, {.t = 4, .events = {height(0, true)}});
  EXPECT_EQ(run.ended_by, height(0).name);
  EXPECT_NEAR(run.back().t, 3, 1e-12);
}

TEST(Events, ComeInTheOrderOfTime) {
  std::vector<Event> events;
  for (double h : {3.0, 11.0, 0.5, 7.0}) events.push_back(height(h));
  for (const Method& method : methods) {
    const Trajectory run = integrate(projectile().system, projectile().start, method, {.t = 4, .events = events});
    ASSERT_EQ(run.occurrences.size(), 8U) << run.method.name;
    std::vector<double> expected;
    for (double sign : {-1.0, 1.0})
      for (double h : {0.5, 3.0, 7.0, 11.0}) expected.push_back(1.5 + sign * std::sqrt(2.25 - h / 5));
    std::sort(expected.begin(), expected.end());
    for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(run.occurrences[k].state.t, expected[k], 2e-12) << run.method.name;
  }
}

// Both zeros lie within one step, a third of it apart: seen inside the step.
TEST(Events, InPairsWithinAStepAreFound) {
  const Trajectory run = integrate(projectile().system, projectile().start, Rk4{3.0}, {.t = 3, .events = {height(10)}});
  EXPECT_EQ(run.steps, 1U);
  ASSERT_EQ(run.occurrences.size(), 2U);
  EXPECT_NEAR(run.occurrences[0].state.t, 1, 1e-11);
  EXPECT_NEAR(run.occurrences[1].state.t, 2, 1e-11);
}

std::size_t passages(double h, double step) {
  return integrate(projectile().system, projectile().start, Rk4{step}, {.t = 3, .events = {height(h)}})
      .occurrences.size();
}

// The top is at 11.25; the zeros are 0.0009 apart, and a parabola is what is looked for.
TEST(Events, InNarrowPairsAreFoundWhereTheValueIsSmooth) {
  for (double step : {0.11, 0.7, 2.4}) EXPECT_EQ(passages(11.25 - 1e-6, step), 2U) << step;
}

TEST(Events, TouchedAreNone) {
  for (double step : {0.11, 0.7, 2.4}) EXPECT_EQ(passages(11.25 + 1e-12, step), 0U) << step;
  EXPECT_EQ(passages(11.25, 1.5), 1U);  // a step ends at the top, where the value is zero
}

// Two zeros 0.02 apart, in a dip that is too narrow for steps of 0.8.
TEST(Events, InNarrowPairsCanBeMissed) {
  const auto count = [](double step) {
    const Event dip{.name = "dip",
                    .value = [](const State& s) { return 1 - 1.01 * std::exp(-99.5 * std::pow(s.t - 1.23, 2)); }};
    return integrate(projectile().system, projectile().start, Rk4{step}, {.t = 3, .events = {dip}}).occurrences.size();
  };
  EXPECT_EQ(count(0.05), 2U);
  EXPECT_EQ(count(0.8), 0U);
}

// Perihelia and aphelia of an ellipse with a = 1, e = 0.6 are half a period, pi, apart.
TEST(Events, OfKeplersEllipse) {
  Model model("Kepler");
  auto x = model.coordinate("x", Rn{2});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(-1 / norm(x));
  const System system = derive(model);
  const State start{0, Eigen::Vector2d(0.4, 0), Eigen::Vector2d(0, 2)};  // a perihelion
  const auto radial = [](const State& s) { return s.q.dot(s.v); };
  const Trajectory run = integrate(system, start, Rk45{.relative = 1e-13, .absolute = 1e-14},
                                   {.t = 6.5 * pi,
                                    .keep = false,
                                    .events = {{.name = "perihelion", .value = radial, .direction = Crossing::rising},
                                               {.name = "aphelion", .value = radial, .direction = Crossing::falling}}});
  ASSERT_EQ(run.occurrences.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto& [event, state] = run.occurrences[k];
    EXPECT_EQ(event, k % 2 == 0 ? "aphelion" : "perihelion");
    EXPECT_NEAR(state.t, static_cast<double>(k + 1) * pi, 1e-9);
    EXPECT_NEAR(state.q.norm(), k % 2 == 0 ? 1.6 : 0.4, 1e-9);
  }
}

// x'' = u with u = 1 up to t = 1, then -1 held: x' = 0 at t = 2. The step is taken again under the same input.
TEST(Events, KnowTheInputs) {
  Model model("pushed");
  auto x = model.coordinate("x", Rn{1});
  auto u = model.input("u", 1);
  model.kinetic(squared_norm(rate(x)) / 2);
  model.force_on(x, u);
  const System system = derive(model);
  const State start{0, VectorXd::Zero(1), VectorXd::Zero(1)};
  const auto law = [](double t, const State&, VectorXd& input) { input(0) = t < 0.99 ? 1 : -1; };
  const Event turn{.name = "turn", .value = [](const State& s) { return s.v(0); }};
  for (const Method& method : {Method(Variational{0.3}), Method(Rk4{0.3}), Method(Rk45{})}) {
    const Trajectory run = integrate(system, start, method, {.t = 3, .events = {turn}}, {}, {law, 0.5});
    ASSERT_EQ(run.occurrences.size(), 1U) << run.method.name;
    EXPECT_NEAR(run.occurrences[0].state.t, 2, 1e-11) << run.method.name;
    EXPECT_NEAR(run.occurrences[0].state.q(0), 1, 1e-11) << run.method.name;
  }
}

TEST(Events, AfterTheObserverStoppedAreNotReported) {
  const Trajectory run =
      integrate(projectile().system, projectile().start, Rk4{5.0}, {.t = 5, .every = 0.5, .events = {height(10)}},
                [](const State& s) { return s.t < 1.4; });
  EXPECT_TRUE(run.stopped);
  EXPECT_EQ(run.back().t, 1.5);
  EXPECT_EQ(run.occurrences.size(), 1U);
}

TEST(Refuses, EventsThatCannotWork) {
  const auto attempt = [](std::vector<Event> events) {
    return message_of(
        [&] { integrate(projectile().system, projectile().start, Rk4{0.1}, {.t = 1, .events = std::move(events)}); });
  };
  const auto zero = [](const State&) { return 0.0; };
  EXPECT_EQ(attempt({{.name = "top", .value = {}}}), "event top has no value");
  EXPECT_EQ(attempt({{.name = "top", .value = zero}, {.name = "", .value = zero}}), "event 2 has no name");
  EXPECT_EQ(attempt({{.name = "top", .value = zero}, {.name = "top", .value = zero}}),
            "two events are called top; give them different names");
  EXPECT_EQ(attempt({{.name = "top", .value = [](const State& s) { return s.t > 0.45 ? NAN : 1; }}}),
            "event top has the value nan at t = 0.475; it must be a finite number at every state");
  EXPECT_EQ(attempt({{.name = "top", .value = [](const State&) -> double { throw std::logic_error("no"); }}}), "no");
}

TEST(Root, IsFoundInFewSteps) {
  const auto solve = [](const std::function<double(double)>& f, double a, double b, double zero) {
    int calls = 0;
    const auto counted = [&](double x) {
      ++calls;
      return f(x);
    };
    const double x = find_root(counted, a, f(a), b, f(b), 1e-14);
    EXPECT_NEAR(x, zero, 1e-14);
    EXPECT_LE(f(x) * f(a), 0);
    return calls;
  };
  EXPECT_LE(solve([](double x) { return std::cos(x) - x; }, 0, 1, 0.7390851332151607), 8);
  EXPECT_LE(solve([](double x) { return x - 0.3; }, -1, 2, 0.3), 4);
  EXPECT_LE(solve([](double x) { return std::exp(30 * x) - 2; }, -1, 1, std::log(2) / 30), 20);
  EXPECT_LE(solve([](double x) { return x < 0.2 ? -1.0 : 1.0; }, 0, 1, 0.2), 60);
  EXPECT_LE(solve([](double x) { return std::pow(x - 0.1, 9); }, -1, 1, 0.1), 60);
  EXPECT_EQ(solve([](double x) { return x - 1; }, 0, 1, 1), 0);
}

}  // namespace
}  // namespace hamel::test::event_test
