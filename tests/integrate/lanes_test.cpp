// Eight motions at once have the bits of motions that are integrated alone.
#include <gtest/gtest.h>

#include <tuple>

#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/lane_motions.hpp"

namespace hamel::test::lanes_test {
namespace {

void expect_as_alone(const Motions& motions, const Method& method, const Until& until, LaneParameters parameters,
                     Tier tier = Tier::interpreted) {
  LaneRuns runs(motions.systems.front(), method, until, parameters);
  if (tier == Tier::native) runs.prepare(1e12, motions.all().front());
  ASSERT_TRUE(runs.exist());
  Recorder recorder;
  runs.run(motions.all(), recorder);
  EXPECT_TRUE(recorder.unusual.empty());
  EXPECT_EQ(recorder.finished.size(), motions.systems.size());
  for (std::size_t i = 0; i < motions.systems.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same_bits(recorder.states[i], integrate(motions.systems[i], motions.starts[i], method, until).states);
  }
}

using Parameter = std::tuple<NamedMethod, Case>;
std::vector<Parameter> with_lanes() {
  std::vector<Parameter> result;
  for (const Case& c : all_cases()) {
    const Example example = c.make();
    for (const NamedMethod& named : methods_of_the_table(0.01, 1e-8))
      if (is_for(named.info, c) && LaneRuns(example.system, named.method, {.t = 1}, LaneParameters::same).exist())
        result.emplace_back(named, c);
  }
  return result;
}

class LaneBits : public testing::TestWithParam<Parameter> {};
INSTANTIATE_TEST_SUITE_P(Methods, LaneBits, testing::ValuesIn(with_lanes()), [](const auto& parameter) {
  return std::get<0>(parameter.param).name + std::get<1>(parameter.param).name;
});

TEST_P(LaneBits, AreThoseOfMotionsAlone) {
  const auto& [named, c] = GetParam();
  const Method& method = named.method;
  const Example example = c.make();
  const Motions motions = along(example, 11);
  for (const double every : {0.0, 0.02, 0.017})
    expect_as_alone(motions, method, {.t = 0.4, .every = every}, LaneParameters::same);
  expect_as_alone(motions, method, {.t = 0.4, .every = 0.1}, LaneParameters::own);
}

// Steps as one piece of native code.
const Dop853 adaptive{.relative = 1e-8, .absolute = 1e-8};
const LieRk rkmk{.step = 0.01}, commutator_free{.step = 0.01, .scheme = LieScheme::commutator_free4};

std::vector<Case> with_native_lanes() {
  std::vector<Case> result;
  for (const Case& c : all_cases())
    if (make_lane_stepper(c.make().system, adaptive, LaneParameters::own) != nullptr) result.push_back(c);
  return result;
}

class NativeLaneBitsLong : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Systems, NativeLaneBitsLong, testing::ValuesIn(with_native_lanes()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(NativeLaneBitsLong, BelongToNativeSteps) {
  const Example example = GetParam().make();
  const bool acts_by_formulas = example.name != group_se2().name && example.name != torus().name;
  for (const Method& method : {Method(adaptive), Method(Rk4{.step = 0.01}), Method(Rk2{.step = 0.01}), Method(rkmk),
                               Method(commutator_free)}) {
    if (std::holds_alternative<LieRk>(method) && !acts_by_formulas) continue;
    LaneRuns runs(example.system, method, {.t = 1}, LaneParameters::own);
    runs.prepare(1e12, {&example.system, &example.start});
    EXPECT_TRUE(runs.have_native_steps()) << describe(method).name;
  }
}

TEST(Lanes, OfVariationalStepsAreNative) {
  const Example example = double_pendulum();
  LaneRuns runs(example.system, Variational{.step = 0.01}, {.t = 1}, LaneParameters::own);
  runs.prepare(1e12, {&example.system, &example.start});
  EXPECT_TRUE(runs.have_native_steps());
}

// A step that is far too long may end where there is no nearest point: that motion is taken alone, and said there.
TEST(Lanes, LeaveMotionsThatCannotBeProjectedAlone) {
  std::size_t left = 0;
  for (const Case& c : all_cases()) {
    const Example example = c.make();
    const Motions motions = along(example, 9);
    for (const double step : {0.3, 3.0, 30.0}) {
      LaneRuns runs(example.system, Rk4{.step = step, .reproject = true}, {.t = 10 * step}, LaneParameters::own);
      if (!runs.exist()) continue;
      Recorder recorder;
      EXPECT_NO_THROW(runs.run(motions.all(), recorder)) << example.name << " " << step;
      EXPECT_EQ(recorder.finished.size() + recorder.unusual.size(), motions.systems.size());
      left += recorder.unusual.size();
    }
  }
  EXPECT_GT(left, 0U);
}

// Where times are large, an end that is beside the grid by more than a millionth of a step may still be on it.
TEST(Lanes, EndWhereMotionsAloneEndLongAfterZero) {
  Motions motions = along(double_pendulum(), 9);
  for (State& start : motions.starts) start.t = 1.7e9;
  for (const double beside : {0.0, 2e-7, -2e-7})
    for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Variational{.step = 0.01})})
      expect_as_alone(motions, method, {.t = 1.7e9 + 1 + beside, .every = 1}, LaneParameters::own, Tier::native);
}

// As many steps as it takes, whether they are of many motions or of a long one.
TEST(Lanes, OfManyStepsAreNative) {
  const auto are_native = [](const Method& method, double motions, double duration) {
    const Example example = double_pendulum();
    LaneRuns runs(example.system, method, {.t = duration}, LaneParameters::own);
    runs.prepare(motions, {&example.system, &example.start});
    return runs.have_native_steps();
  };
  for (const Method& method : {Method(adaptive), Method(rkmk), Method(Rk4{.step = 0.01})}) {
    EXPECT_FALSE(are_native(method, 100, 1)) << describe(method).name;
    EXPECT_TRUE(are_native(method, 1e6, 1)) << describe(method).name;
    EXPECT_TRUE(are_native(method, 100, 1e6)) << describe(method).name;
  }
}

TEST_P(NativeLaneBitsLong, OfRungeKuttaStepsAreThoseOfMotionsAlone) {
  const Motions motions = along(GetParam().make(), 11);
  for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Rk2{.step = 0.01})})
    for (const double every : {0.0, 0.017, 0.1, 1.0})
      expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, Tier::native);
}

TEST_P(NativeLaneBitsLong, OfLieGroupStepsAreThoseOfMotionsAlone) {
  if (GetParam().make().name == torus().name) GTEST_SKIP() << "no group acts there";
  const Motions motions = along(GetParam().make(), 11);
  for (const LieRk& method : {rkmk, commutator_free}) {
    for (const double every : {0.0, 0.017, 0.1, 1.0})
      expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, Tier::native);
    expect_as_alone(motions, method, {.t = 0.4, .every = 0.1}, LaneParameters::same, Tier::native);
  }
}

TEST_P(NativeLaneBitsLong, OfVariationalStepsAreThoseOfMotionsAlone) {
  const Example example = GetParam().make();
  if (example.system.path() != Path::constant_mass) GTEST_SKIP() << "no lanes";
  const Motions motions = along(example, 11);
  for (const Variational& method : {Variational{.step = 0.01}, Variational{.step = 0.01, .order = 4}})
    for (const double every : {0.0, 0.017, 0.1, 1.0})
      expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, Tier::native);
  expect_as_alone(motions, Variational{.step = 0.01}, {.t = 0.4, .every = 0.1}, LaneParameters::same, Tier::native);
}

TEST_P(NativeLaneBitsLong, OfGaussStepsAreThoseOfMotionsAlone) {
  const Example example = GetParam().make();
  const Motions motions = along(example, 11);
  for (const int order : {2, 4, 6, 8, 12}) {
    const Gauss method{.step = 0.01, .order = order};
    if (make_lane_stepper(example.system, method, LaneParameters::own) == nullptr) GTEST_SKIP() << "no lanes";
    SCOPED_TRACE(order);
    for (const double every : {0.0, 0.017, 0.1, 1.0})
      expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, Tier::native);
  }
  expect_as_alone(motions, Gauss{.step = 0.01, .order = 8}, {.t = 0.4, .every = 0.1}, LaneParameters::same,
                  Tier::native);
}

TEST_P(NativeLaneBitsLong, AreThoseOfMotionsAlone) {
  const Example example = GetParam().make();
  const Motions motions = along(example, 11);
  for (const double every : {0.0, 0.017, 0.4})
    expect_as_alone(motions, adaptive, {.t = 0.4, .every = every}, LaneParameters::own, Tier::native);
  expect_as_alone(motions, adaptive, {.t = 0.4, .every = 0.1}, LaneParameters::same, Tier::native);
  expect_as_alone(motions, Dop853{.relative = 1e-8, .absolute = 1e-8, .reproject = true}, {.t = 0.4, .every = 0.1},
                  LaneParameters::own, Tier::native);
}

// Long enough for the normal part of p to be taken out, in each lane at another time; with another number of steps to
// each output, and some that are shorter.
TEST(Lanes, OfGaussStepsDropWhatMeansNothing) {
  const Motions motions = along(double_pendulum(), 11);
  for (const double every : {0.7, 5.0})
    expect_as_alone(motions, Gauss{.step = 0.05, .order = 8}, {.t = 25, .every = every}, LaneParameters::own,
                    Tier::native);
}

// Where the fixed-point iteration does not contract, Newton's method takes over: alone.
TEST(Lanes, OfGaussStepsLeaveWhatIsStiff) {
  Model model("stiff spring");
  const Formula k = model.parameter("k", 1.0), x = model.coordinate("x", Rn{2});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(k / 2 * squared_norm(x));
  Motions motions =
      along({model.name(), derive(model), derive(model).state(0, Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1))}, 9);
  motions.systems[6] = motions.systems[6].with({{"k", 1e6}});
  LaneRuns runs(motions.systems.front(), Gauss{.step = 0.1, .order = 6}, {.t = 2}, LaneParameters::own);
  EXPECT_FALSE(runs.exist()) << "without native code there are none";
  runs.prepare(1e12, motions.all().front());
  ASSERT_TRUE(runs.exist());
  Recorder recorder;
  runs.run(motions.all(), recorder);
  EXPECT_EQ(recorder.unusual, (std::set<std::size_t>{6}));
  EXPECT_EQ(recorder.finished.size(), 8u);
}

TEST(Lanes, HaveParametersOfTheirOwn) {
  Motions motions = along(hanging_pendulum(), 19);
  for (std::size_t i = 0; i < motions.systems.size(); ++i)
    motions.systems[i] =
        motions.systems[i].with({{"m", 1 + 0.1 * static_cast<double>(i)}, {"l", 1 + 0.03 * static_cast<double>(i)}});
  for (const Method& method : {Method(Variational{.step = 0.01, .order = 4}), Method(Rk4{.step = 0.01}),
                               Method(Dop853{.relative = 1e-9, .absolute = 1e-9})})
    for (const Tier tier : {Tier::interpreted, Tier::native})
      expect_as_alone(motions, method, {.t = 1, .every = 0.1}, LaneParameters::own, tier);
  expect_as_alone(motions, Gauss{.step = 0.02, .order = 8}, {.t = 1, .every = 0.1}, LaneParameters::own, Tier::native);
}

// All groups whose steps are native, and their products; some lanes turn by more than a radian in a step, as
// rotation.hpp has no series for.
TEST(Lanes, OfLieGroupsTurnFarAndNear) {
  Model model("everything that turns");
  const Formula x = model.coordinate("x", Rn{2}), p = model.coordinate("p", S1{}), q = model.coordinate("q", S2{});
  const Formula other = model.coordinate("r", S2{}), R = model.coordinate("R", SO3{}), g = model.coordinate("g", SE3{});
  const Eigen::Matrix3d inertia = Eigen::Vector3d(1.3, 2.1, 2.6).asDiagonal();
  model.body("fixed", {.attitude = R, .position = Formula(Eigen::Vector3d(0, 0, 0)), .mass = 1.0, .inertia = inertia});
  model.body("free", {.attitude = rotation(g), .position = position(g), .mass = 1.5, .inertia = inertia});
  for (const Formula& each : {x, p, q, other}) model.kinetic(squared_norm(rate(each)));
  model.potential(x.x() * p.y() + dot(q, R.column(0)) + dot(other, position(g)) + q.z() * rotation(g)(0, 1));
  const System system = derive(model);
  Motions motions;
  Random random(3);
  for (int i = 0; i < 13; ++i) {
    State start{0, system.space().random_point(random), {}, system.parts().model};
    start.v = (i % 3 == 0 ? 6 : 0.5) * system.space().random_tangent(start.q, random);
    motions.systems.push_back(system);
    motions.starts.push_back(start);
  }
  for (const LieScheme scheme : {LieScheme::rkmk4, LieScheme::commutator_free4})
    for (const Tier tier : {Tier::interpreted, Tier::native})
      expect_as_alone(motions, LieRk{.step = 0.25, .scheme = scheme}, {.t = 4, .every = 2}, LaneParameters::own, tier);
}

// A spring that is torn where it is not defined any more: whatever that does to a lane, the others do not feel it.
TEST(Lanes, DoNotFeelWhatIsNotFinite) {
  Model model("logarithm");
  const Formula x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(-100 * log(x.x()));
  Example example{model.name(), derive(model), {}};
  Motions motions;
  for (int k = 0; k < 9; ++k) {
    motions.systems.push_back(example.system);
    motions.starts.push_back(example.system.state(0, VectorXd::Constant(1, 1 + 0.1 * k), VectorXd::Constant(1, -1)));
  }
  motions.starts[4] = example.system.state(0, VectorXd::Constant(1, 1e-3), VectorXd::Constant(1, -1e4));
  for (const Tier tier : {Tier::interpreted, Tier::native}) {
    LaneRuns runs(motions.systems.front(), adaptive, {.t = 0.5, .every = 0.5}, LaneParameters::same);
    if (tier == Tier::native) runs.prepare(1e12, motions.all().front());
    Recorder recorder;
    runs.run(motions.all(), recorder);
    EXPECT_EQ(recorder.finished.size() + recorder.unusual.size(), 9u);
    for (const std::size_t i : recorder.finished)
      expect_same_bits(recorder.states[i],
                       integrate(motions.systems[i], motions.starts[i], adaptive, {.t = 0.5, .every = 0.5}).states);
  }
}

TEST(Lanes, EndWhereTheObserverEndsThem) {
  const Motions motions = along(double_pendulum(), 9);
  LaneRuns runs(motions.systems.front(), Rk4{.step = 0.01}, {.t = 1, .every = 0.1}, LaneParameters::same);
  Recorder recorder;
  recorder.most = 3;
  runs.run(motions.all(), recorder);
  EXPECT_EQ(recorder.finished.size(), 9u);
  for (const auto& [motion, states] : recorder.states) EXPECT_EQ(states.size(), 3u);
}

// A step that turns too far, a start off the manifold: said by those who integrate it alone.
TEST(Lanes, LeaveWhatIsUnusual) {
  Motions motions = along(double_pendulum(), 9);
  motions.starts[3].v *= 1e3;
  motions.starts[4].q *= 1.1;
  motions.starts[5].t = 2;
  const Until until{.t = 1};
  LaneRuns runs(motions.systems.front(), Variational{.step = 0.01}, until, LaneParameters::same);
  Recorder recorder;
  runs.run(motions.all(), recorder);
  EXPECT_EQ(recorder.unusual, (std::set<std::size_t>{3, 4, 5}));
  EXPECT_EQ(recorder.finished.size(), 6u);
  for (const std::size_t i : recorder.finished)
    expect_same_bits(recorder.states[i],
                     integrate(motions.systems[i], motions.starts[i], Variational{.step = 0.01}, until).states);
}

// Fields of points alone, whose rates depend on the parameters of each motion: on a space, a sphere and the rotations.
std::vector<Motions> of_fields() {
  std::vector<Motions> result;
  const auto add = [&](const Model& model, const VectorXd& q) {
    const System system = derive(model);
    Motions motions;
    for (int i = 0; i < 11; ++i) {
      motions.systems.push_back(system.with({{"a", 1 + 0.1 * i}}));
      motions.starts.push_back(motions.systems.back().state(0, q));
    }
    result.push_back(motions);
  };
  Model lorenz("Lorenz"), sphere("field on a sphere"), attitude("field on rotations");
  const Formula x = lorenz.coordinate("x", Rn{3}), a = lorenz.parameter("a", 1.0);
  const auto e = [](int i) { return unit_vector(i); };
  lorenz.field(x, 10 * (x.y() - x.x()) * e(0) + (x.x() * (28 * a - x.z()) - x.y()) * e(1) +
                      (x.x() * x.y() - 2.5 * x.z() + sin(lorenz.time())) * e(2));
  add(lorenz, Eigen::Vector3d(1, 1, 1));
  const Formula q = sphere.coordinate("q", S2{});
  sphere.field(q, cross(sphere.parameter("a", 1.0) * e(0) + q.z() * e(1), q));
  add(sphere, Eigen::Vector3d(0, 0.6, 0.8));
  const Formula R = attitude.coordinate("R", SO3{});
  attitude.field(R, R * hat(attitude.parameter("a", 1.0) * e(0) + 0.3 * e(2)));
  add(attitude, Eigen::Matrix3d::Identity().reshaped());
  return result;
}

TEST(Lanes, OfFieldsAreThoseOfMotionsAlone) {
  for (const Motions& motions : of_fields())
    for (const Method& method :
         {Method(Rk4{.step = 0.01}), Method(Rk4{.step = 0.01, .reproject = true}), Method(Rk2{.step = 0.01}),
          Method(adaptive), Method(Dop853{.relative = 1e-8, .absolute = 1e-8, .reproject = true})})
      for (const Tier tier : {Tier::interpreted, Tier::native})
        for (const double every : {0.0, 0.017, 0.1, 1.0})
          expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, tier);
}

TEST(Lanes, AreNotForEverything) {
  const Example example = double_pendulum();
  const auto exist = [&](const System& system, const Method& method, const Until& until) {
    return LaneRuns(system, method, until, LaneParameters::same).exist();
  };
  EXPECT_TRUE(exist(example.system, Rk4{.step = 0.1}, {.t = 1}));
  EXPECT_FALSE(exist(example.system, Rk4{.step = 0.1}, {.t = 1, .halvings = 2}));
  EXPECT_TRUE(exist(torus_of_angles().system, Rk4{.step = 0.1}, {.t = 1}));
  EXPECT_FALSE(exist(torus_of_angles().system, Variational{.step = 0.1}, {.t = 1}));
  EXPECT_FALSE(exist(orbit_of_rotations().system, Rk4{.step = 0.1}, {.t = 1}));
  LaneRuns none(orbit_of_rotations().system, Rk4{.step = 0.1}, {.t = 1}, LaneParameters::same);
  Recorder recorder;
  EXPECT_THROW(none.run({}, recorder), std::logic_error);
  EXPECT_EQ(make_lane_stepper(example.system, Gauss{.tolerance = 1e-8}, LaneParameters::own), nullptr);
  EXPECT_EQ(make_lane_stepper(torus().system, Gauss{.step = 0.1}, LaneParameters::own), nullptr);
}

}  // namespace
}  // namespace hamel::test::lanes_test
