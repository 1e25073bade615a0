// Outputs between steps: as accurate as the steps and on the same manifold, without changing them.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel::test::outputs_test {
namespace {

// Those of the table, and some in other forms or finer.
std::vector<NamedMethod> methods() {
  std::vector<NamedMethod> all = methods_of_the_table(0.05, 1e-8);
  for (NamedMethod& m : all)
    if (auto* gauss = std::get_if<Gauss>(&m.method)) {
      if (gauss->step > 0 && gauss->order == 2) gauss->step = 0.02;
      if (gauss->tolerance > 0) gauss->tolerance = gauss->order < 6 ? 1e-6 : 1e-11;
    }
  const auto add = [&](const char* name, const Method& method) { all.push_back({name, method, describe(method)}); };
  add("Rk4InMu", Rk4{.step = 0.05, .form = Form::mu});
  add("Rk4InPi", Rk4{.step = 0.05, .form = Form::pi});
  add("Rk45ToRounding", Rk45{.relative = 1e-13, .absolute = 1e-14, .form = Form::velocity});
  add("Dop853ToRounding", Dop853{.relative = 1e-14, .absolute = 1e-15, .form = Form::velocity});
  return all;
}

// S^2, S^1 x S^1 x R^2, R^3, SO(3), SE(3), constraints, a quartic, a mass that varies, a group, inputs and explicit
// time.
std::vector<Case> systems() {
  return {
      {"DoublePendulum", [] { return double_pendulum(); }},
      {"DoublePendulumReduced", [] { return double_pendulum(Path::reduced); }},
      {"CoupledPlanar", [] { return coupled_planar(); }},
      {"Relativistic", [] { return relativistic(); }},
      {"BodyPendulum", [] { return body_pendulum(); }},
      {"FloatingBody", [] { return floating_body(); }},
      {"SliderCrank", [] { return slider_crank(); }},
      {"Torus", [] { return torus(); }},
      {"TorusOfAngles", [] { return torus_of_angles(); }},
      {"GroupSE2", [] { return group_se2(); }},
      {"Driven", [] { return driven_pendulum(); }},
  };
}

using Parameter = std::tuple<NamedMethod, Case>;

std::vector<Parameter> combined() {
  std::vector<Parameter> result;
  for (const NamedMethod& method : methods())
    for (const Case& c : systems())
      if (is_for(method.info, c)) result.emplace_back(method, c);
  return result;
}

constexpr double duration = 0.8, every = 0.0137;

class Outputs : public testing::TestWithParam<Parameter> {
 protected:
  const Method& method() const { return std::get<0>(GetParam()).method; }
  const Example example = std::get<1>(GetParam()).make();
};
INSTANTIATE_TEST_SUITE_P(Methods, Outputs, testing::ValuesIn(combined()), [](const auto& parameter) {
  return std::get<0>(parameter.param).name + "On" + std::get<1>(parameter.param).name;
});

struct Errors {
  double state = 0, manifold = 0, constraint = 0;
};

// The largest in a run; the exact motion takes steps to every time that is asked for.
Errors errors_of(const Example& example, const Trajectory& run) {
  const System& system = example.system;
  const auto exact = make_stepper(system, Gauss{.order = 16, .tolerance = 1e-15});
  exact->start(example.start);
  Workspace work(system);
  VectorXd c(system.constraints());
  State there = example.start;
  Errors errors;
  for (const State& state : run.states) {
    while (there.t < state.t) {
      exact->step(state.t);
      exact->current(there);
    }
    errors.state = std::max(errors.state, distance(state, there));
    errors.manifold = std::max(errors.manifold, system.space().defect(state.q));
    if (c.size() == 0) continue;
    system.constraint(work, state.q, c);
    errors.constraint = std::max(errors.constraint, c.cwiseAbs().maxCoeff());
  }
  return errors;
}

// Returns the number of outputs.
std::size_t compare_with_steps(const Example& example, const Method& method, double interval) {
  const Trajectory at_steps = integrate(example.system, example.start, method, {.t = duration});
  const Trajectory between = integrate(example.system, example.start, method, {.t = duration, .every = interval});
  EXPECT_EQ(between.steps, at_steps.steps);
  const Errors allowed = errors_of(example, at_steps), found = errors_of(example, between);
  const State& end = at_steps.back();
  const double size = std::max({1.0, end.q.lpNorm<Eigen::Infinity>(), end.v.lpNorm<Eigen::Infinity>()});
  EXPECT_LE(found.state, 10 * allowed.state + 1e-13 * size) << allowed.state;
  EXPECT_LE(found.manifold, 10 * allowed.manifold + 1e-13 * size) << allowed.manifold;
  EXPECT_LE(found.constraint, 10 * allowed.constraint + 1e-13 * size) << allowed.constraint;
  return between.size();
}

TEST_P(Outputs, BetweenStepsAreAsAccurateAsTheSteps) { EXPECT_EQ(compare_with_steps(example, method(), every), 60U); }

// A billionth of a step before their ends or behind.
TEST_P(Outputs, NearStepsAreAsAccurateAsTheSteps) {
  const double step = fixed_step(method());
  if (step == 0) GTEST_SKIP() << "it chooses its steps";
  for (const double factor : {1 - 1e-9, 1 + 1e-9}) EXPECT_GE(compare_with_steps(example, method(), factor * step), 17U);
}

TEST_P(Outputs, DoNotChangeTheSteps) {
  Integration with(example.system, example.start, method(), {.t = duration, .every = every});
  Integration without(example.system, example.start, method(), {.t = duration});
  while (without.advance()) {
    ASSERT_TRUE(with.advance());
    ASSERT_EQ(with.time(), without.time());
  }
  EXPECT_EQ(with.trajectory().rejected, without.trajectory().rejected);
  EXPECT_EQ(with.trajectory().back().q, without.trajectory().back().q);
  EXPECT_EQ(with.trajectory().back().v, without.trajectory().back().v);
}

// q' = cos(t) e3 x q: a turn by sin(t).
TEST(OutputsOfAField, AreAsAccurateAsTheSteps) {
  Model model("led around");
  const Formula q = model.coordinate<S2>("q");
  model.angular_field(q, Formula(Eigen::Vector3d::UnitZ().eval()) * cos(model.time()));
  const System system = derive(model);
  const State start = system.state(0, Eigen::Vector3d(0.6, 0, 0.8));
  const auto error = [&](const Method& method, double interval) {
    double largest = 0;
    for (const State& s : integrate(system, start, method, {.t = 2, .every = interval}).states) {
      const Eigen::Vector3d there(0.6 * std::cos(std::sin(s.t)), 0.6 * std::sin(std::sin(s.t)), 0.8);
      largest = std::max(largest, (s.q - there).norm());
    }
    return largest;
  };
  for (const auto& [name, method, info] : methods()) {
    if (info.needs_energies) continue;
    EXPECT_LE(error(method, every), 10 * error(method, 0) + 1e-13) << name;
  }
}

TEST(OutputInterval, MayHaveAnyLength) {
  const Example example = lagrangian_pendulum();
  for (const double interval : {1e-4, 0.003, 0.049, 0.05, 0.07, 0.4, 0.8, 5.0, 1e300}) {
    const Trajectory run = integrate(example.system, example.start, Gauss{.step = 0.05}, {.t = 0.8, .every = interval});
    EXPECT_EQ(run.steps, 16U) << interval;
    const double whole = std::max(1.0, std::ceil(0.8 / interval - 1e-9));
    ASSERT_EQ(static_cast<double>(run.size()), whole + 1) << interval;
    for (std::size_t k = 0; k + 1 < run.size(); ++k) EXPECT_EQ(run.states[k].t, static_cast<double>(k) * interval);
    EXPECT_EQ(run.back().t, 0.8) << interval;
  }
}

TEST(OutputInterval, ThatNoClockResolvesIsRefused) {
  const Example example = lagrangian_pendulum();
  const auto attempt = [&](double interval) {
    return message_of<std::invalid_argument>(
        [&] { integrate(example.system, example.start, Gauss{.step = 0.05}, {.t = 0.8, .every = interval}); });
  };
  EXPECT_TRUE(attempt(1e-16).starts_with("the output interval 1e-16 is too small for a run from t = 0 to 0.8: "));
  EXPECT_EQ(attempt(-0.1), "the output interval must be positive, or 0 for every step; it is -0.1");
}

}  // namespace
}  // namespace hamel::test::outputs_test
