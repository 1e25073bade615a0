// Runs that are saved and resumed go on to the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "hamel/integrate/integrate.hpp"
#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::resume_test {
namespace {

// Those of the table, and some in other forms.
std::vector<NamedMethod> methods() {
  std::vector<NamedMethod> all = methods_of_the_table(0.005, 1e-8);
  const auto add = [&](const char* name, const Method& method) { all.push_back({name, method, describe(method)}); };
  add("Rk4InPi", Rk4{.step = 0.02, .form = Form::pi});
  add("Rk4ReprojectedInVelocities", Rk4{.step = 0.02, .form = Form::velocity, .reproject = true});
  add("Ode45ReprojectedInMu", Rk45{.relative = 1e-7, .form = Form::mu, .reproject = true, .code = Rk45Code::ode45});
  add("Dop853ReprojectedInMu", Dop853{.relative = 1e-9, .form = Form::mu, .reproject = true});
  return all;
}

std::vector<Case> systems() {
  return {
      {"DoublePendulum", [] { return double_pendulum(); }},
      {"DoublePendulumReduced", [] { return double_pendulum(Path::reduced); }},
      {"Chain", [] { return chain(4); }},
      {"BodyPendulum", [] { return body_pendulum(); }},
      {"FloatingBody", [] { return floating_body(); }},
      {"SliderCrank", [] { return slider_crank(); }},
      {"SliderCrankReduced", [] { return slider_crank(Path::reduced); }},
      {"Driven", [] { return driven_pendulum(); }},
      {"Torus", [] { return torus(); }},
      {"OrbitOfRotations", [] { return orbit_of_rotations(); }},
      {"Hamiltonian", [] { return hamiltonian_pendulum(); }},
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

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
}

class Resume : public testing::TestWithParam<Parameter> {
 protected:
  const Method& method() const { return std::get<0>(GetParam()).method; }
  Example example() const { return std::get<1>(GetParam()).make(); }

  static State current(Stepper& stepper) {
    State state;
    stepper.current(state);
    return state;
  }
  static State between(Stepper& stepper, double begin, double end) {
    State state;
    stepper.interpolate(begin + 0.3 * (end - begin), state);
    return state;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Resume, testing::ValuesIn(combined()), [](const auto& parameter) {
  return std::get<0>(parameter.param).name + "On" + std::get<1>(parameter.param).name;
});

TEST_P(Resume, SteppersGoOnToTheSameBits) {
  const Example first = example();
  const auto whole = make_stepper(first.system, method());
  whole->start(first.start);
  if (first.system.inputs() > 0) whole->set_inputs(VectorXd::LinSpaced(first.system.inputs(), 0.1, 0.4));
  for (int k = 0; k < 82; ++k) whole->step(INFINITY);
  const double begin = current(*whole).t, end = whole->step(INFINITY);
  std::vector<double> numbers;
  whole->save(numbers);

  const Example second = example();
  const auto rest = make_stepper(second.system, method());
  rest->restore(numbers);
  expect_same(between(*rest, begin, end), between(*whole, begin, end));
  const double next = rest->step(INFINITY);
  EXPECT_EQ(next, whole->step(INFINITY));
  expect_same(between(*rest, end, next), between(*whole, end, next));
  for (int k = 84; k < 200; ++k) EXPECT_EQ(rest->step(INFINITY), whole->step(INFINITY));
  expect_same(current(*rest), current(*whole));
  EXPECT_EQ(rest->rejected(), whole->rejected());
}

TEST_P(Resume, RefusesNumbersOfWrongCount) {
  const Example e = example();
  const auto stepper = make_stepper(e.system, method());
  stepper->start(e.start);
  stepper->step(INFINITY);
  std::vector<double> numbers;
  stepper->save(numbers);
  numbers.pop_back();
  try {
    stepper->restore(numbers);
    FAIL() << "was restored";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("numbers cannot be restored"), std::string::npos) << error.what();
  }
}

std::vector<double> saved(const Method& method) {
  const Example example = driven_pendulum();
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  stepper->step(INFINITY);
  std::vector<double> numbers;
  stepper->save(numbers);
  return numbers;
}

TEST(ResumeStepper, RefusesAnotherStepAndStaysAsItWas) {
  const Example example = driven_pendulum();
  const auto stepper = make_stepper(example.system, Rk4{0.02});
  stepper->start(example.start);
  EXPECT_THROW(stepper->restore(saved(Rk4{0.01})), std::invalid_argument);
  EXPECT_EQ(stepper->step(INFINITY), example.start.t + 0.02);
}

TEST(ResumeStepper, RefusesDamagedCounts) {
  std::vector<double> numbers = saved(Rk4{0.01});
  numbers[7] = 0.5;  // after three inputs, the step and three times: the count of steps
  const Example example = driven_pendulum();
  EXPECT_THROW(make_stepper(example.system, Rk4{0.01})->restore(numbers), std::invalid_argument);
}

// Whole runs: everything that an observer sees.
struct Request {
  const char* name;
  std::function<Example()> make;
  Method method;
  Until until;
  Control control = {};
};

const Control feedback{[](double t, const State& s, VectorXd& u) {
                         for (Eigen::Index i = 0; i < u.size(); ++i) u(i) = std::sin(t) - 0.1 * s.v(i);
                       },
                       0};
Control held(double every) { return {feedback.law, every}; }

const Event upwards{.name = "upwards", .value = [](const State& s) { return s.v(0); }, .direction = Crossing::rising};

std::vector<Request> requests() {
  const auto pendulum = [] { return double_pendulum(); };
  const auto body = [] { return body_pendulum(); };
  const auto driven = [] { return driven_pendulum(); };
  return {
      {"EveryStep", pendulum, Variational{0.01}, {.t = 2.003}},
      {"BetweenSteps", pendulum, Variational{0.01}, {.t = 2.003, .every = 0.0037}},
      {"SeveralSteps", pendulum, Gauss{.step = 0.05}, {.t = 4.01, .every = 0.17}},
      {"Compositions", body, Variational{0.04, 6}, {.t = 3.01, .every = 0.013}},
      {"LieGroup", body, LieRk{0.05}, {.t = 3.01, .every = 0.013}},
      {"Reprojected", body, Rk4{.step = 0.05, .reproject = true}, {.t = 3.01, .every = 0.013}},
      {"Adaptive", pendulum, Rk45{.relative = 1e-8}, {.t = 3, .every = 0.013}},
      {"AdaptiveGauss", body, Gauss{.order = 8, .tolerance = 1e-10}, {.t = 5, .every = 0.013}},
      {"Control", driven, Variational{0.01}, {.t = 2.003, .every = 0.03}, feedback},
      {"HeldControl", driven, Gauss{.step = 0.02}, {.t = 2.003, .every = 0.03}, held(0.075)},
      {"HeldControlAdaptive", driven, Rk45{.relative = 1e-8}, {.t = 2.003, .every = 0.03}, held(0.075)},
      {"Events", pendulum, Variational{0.01}, {.t = 3.003, .every = 0.017, .events = {upwards}}},
      {"EventsOfGauss", body, Gauss{.step = 0.03}, {.t = 6, .every = 0.17, .events = {upwards}}},
      {"Halvings", pendulum, Variational{0.6}, {.t = 30.1, .every = 0.37, .events = {upwards}, .halvings = 6}},
      {"HalvedGauss", pendulum, Gauss{.step = 2.5, .order = 4}, {.t = 40.1, .every = 0.37, .halvings = 6}},
  };
}

class ResumeRun : public testing::TestWithParam<Request> {};
INSTANTIATE_TEST_SUITE_P(Requests, ResumeRun, testing::ValuesIn(requests()),
                         [](const auto& request) { return std::string(request.param.name); });

void append(Trajectory& run, const Trajectory& rest) {
  run.states.insert(run.states.end(), rest.states.begin(), rest.states.end());
  run.occurrences.insert(run.occurrences.end(), rest.occurrences.begin(), rest.occurrences.end());
}

TEST_P(ResumeRun, GoesOnToTheSameBits) {
  const auto& [name, make, method, until, control] = GetParam();
  const Example first = make();
  const Trajectory whole = integrate(first.system, first.start, method, until, {}, control);
  Integration run(first.system, first.start, method, until, {}, control);
  for (std::size_t k = 0; 3 * k < whole.steps; ++k) run.advance();
  Trajectory pieces = run.trajectory();
  Checkpoint checkpoint = run.checkpoint();
  EXPECT_EQ(checkpoint.outputs, pieces.states.size());
  for (int interruption = 0; interruption < 2; ++interruption) {  // the second in the middle of what is left
    const Example again = make();
    Integration rest(again.system, checkpoint, method, until, {}, control);
    while (rest.trajectory().steps < 2 * whole.steps / 3 || interruption == 1)
      if (!rest.advance()) break;
    append(pieces, rest.trajectory());
    checkpoint = rest.checkpoint();
    EXPECT_EQ(rest.trajectory().outputs, pieces.states.size());
  }
  EXPECT_EQ(checkpoint.t, until.t);
  EXPECT_EQ(checkpoint.steps, whole.steps);
  ASSERT_EQ(pieces.states.size(), whole.states.size());
  for (std::size_t k = 0; k < whole.states.size(); ++k) expect_same(pieces.states[k], whole.states[k]);
  ASSERT_EQ(pieces.occurrences.size(), whole.occurrences.size());
  EXPECT_EQ(until.events.empty(), whole.occurrences.empty());
  for (std::size_t k = 0; k < whole.occurrences.size(); ++k)
    expect_same(pieces.occurrences[k].state, whole.occurrences[k].state);
  EXPECT_EQ(until.halvings > 0, whole.halved > 0);
}

TEST(ResumeRunOf, TheBitsAreThoseOfNativeCodeAndOfTheInterpreter) {
  const Method method = Gauss{.step = 0.1};
  const Until until{.t = 1e5, .every = 0, .keep = false};  // long enough for a compiler
  const Example first = double_pendulum();
  Integration whole(first.system, first.start, method, until);
  for (int k = 0; k < 50; ++k) whole.advance();
  const Checkpoint checkpoint = whole.checkpoint();
  for (int k = 0; k < 50; ++k) whole.advance();

  const Example second = double_pendulum();
  Integration rest(second.system, checkpoint, method, {.t = 6, .every = 0, .keep = false});
  EXPECT_FALSE(canonical(second.system).program().program().is_native(4));
  for (int k = 0; k < 10; ++k) rest.advance();
  EXPECT_EQ(rest.time(), 6);
  EXPECT_FALSE(rest.advance());

  const Example third = double_pendulum();
  Integration longer(third.system, rest.checkpoint(), method, until);
  for (int k = 0; k < 40; ++k) longer.advance();
  expect_same(longer.trajectory().back(), whole.trajectory().back());
}

TEST(ResumeRunOf, AnotherMethodOrIntervalIsRefused) {
  const Example example = double_pendulum();
  Integration run(example.system, example.start, Variational{0.01}, {.t = 1, .every = 0.1});
  run.advance();
  const Checkpoint checkpoint = run.checkpoint();
  EXPECT_THROW(Integration(example.system, checkpoint, Gauss{.step = 0.01}, {.t = 1, .every = 0.1}),
               std::invalid_argument);
  EXPECT_THROW(Integration(example.system, checkpoint, Variational{0.02}, {.t = 1, .every = 0.1}),
               std::invalid_argument);
  EXPECT_THROW(Integration(example.system, checkpoint, Variational{0.01}, {.t = 1, .every = 0.2}),
               std::invalid_argument);
}

TEST(ResumeRunOf, AStoppedRunHasNoCheckpoint) {
  const Example example = double_pendulum();
  Integration run(example.system, example.start, Variational{0.01}, {.t = 1},
                  [](const State& s) { return s.t < 0.05; });
  EXPECT_NO_THROW(run.checkpoint());
  EXPECT_EQ(run.finish().outputs, 6);
  EXPECT_THROW(run.checkpoint(), std::runtime_error);
}

TEST(ResumeRunOf, AShorterRunHasTheOutputsOfALongerOne) {
  const Example example = double_pendulum();
  Integration run(example.system, example.start, Variational{0.01}, {.t = 1, .every = 0.3});
  while (run.advance()) {
  }
  Integration longer(example.system, run.checkpoint(), Variational{0.01}, {.t = 2, .every = 0.3});
  const VectorXd times = longer.finish().times();
  ASSERT_EQ(times.size(), 4);
  EXPECT_TRUE(times.isApprox(Eigen::Vector4d(1.2, 1.5, 1.8, 2.0), 1e-12)) << times.transpose();
}

}  // namespace
}  // namespace hamel::test::resume_test
