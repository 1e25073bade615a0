// Eight motions at once have the bits of motions that are integrated alone.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "hamel/integrate/lane_runs.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::lanes_test {
namespace {

struct Recorder : LaneObserver {
  std::map<std::size_t, std::vector<State>> states;
  std::set<std::size_t> finished, unusual;
  std::size_t most = std::numeric_limits<std::size_t>::max();  // outputs of a motion

  bool output(std::size_t motion, const State& state) override {
    states[motion].push_back(state);
    return states[motion].size() < most;
  }
  void ended(std::size_t motion) override { finished.insert(motion); }
  void is_unusual(std::size_t motion) override {
    states.erase(motion);
    unusual.insert(motion);
  }
};

bool same_bits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void expect_same_bits(const std::vector<State>& found, const std::vector<State>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].t, expected[i].t) << i;
    ASSERT_TRUE(same_bits(found[i].q, expected[i].q)) << i << " at t = " << found[i].t;
    ASSERT_TRUE(same_bits(found[i].v, expected[i].v)) << i << " at t = " << found[i].t;
    EXPECT_EQ(found[i].model, expected[i].model);
  }
}

// More motions than lanes, of which none is a copy of another.
struct Motions {
  std::vector<System> systems;
  std::vector<State> starts;

  std::vector<LaneMotion> all() const {
    std::vector<LaneMotion> result;
    for (std::size_t i = 0; i < systems.size(); ++i) result.push_back({&systems[i], &starts[i]});
    return result;
  }
};

Motions along(const Example& example, int count) {
  Motions result;
  for (int i = 0; i < count; ++i) {
    result.systems.push_back(example.system);
    result.starts.push_back(i == 0 ? example.start
                                   : advance(example, result.starts.back(), Gauss{.step = 0.02, .order = 8}, 1));
  }
  return result;
}

enum class Tier { interpreted, native };

void expect_as_alone(const Motions& motions, const Method& method, const Until& until, LaneParameters parameters,
                     Tier tier = Tier::interpreted) {
  LaneRuns runs(motions.systems.front(), method, until, parameters);
  ASSERT_TRUE(runs.exist());
  if (tier == Tier::native) runs.prepare(1e12, 1);
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
      if (is_for(named.info, c) && make_lane_stepper(example.system, named.method, LaneParameters::same) != nullptr)
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
  const System system = GetParam().make().system;
  for (const Method& method : {Method(adaptive), Method(Rk4{.step = 0.01}), Method(Rk2{.step = 0.01})}) {
    LaneRuns runs(system, method, {.t = 1}, LaneParameters::own);
    runs.prepare(1e12, 1);
    EXPECT_TRUE(runs.have_native_steps()) << describe(method).name;
  }
}

TEST(Lanes, OfVariationalStepsAreNative) {
  LaneRuns runs(double_pendulum().system, Variational{.step = 0.01}, {.t = 1}, LaneParameters::own);
  runs.prepare(1e12, 1);
  EXPECT_TRUE(runs.have_native_steps());
}

TEST_P(NativeLaneBitsLong, OfRungeKuttaStepsAreThoseOfMotionsAlone) {
  const Motions motions = along(GetParam().make(), 11);
  for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Rk2{.step = 0.01})})
    for (const double every : {0.0, 0.017, 0.1, 1.0})
      expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, Tier::native);
}

TEST_P(NativeLaneBitsLong, OfVariationalStepsAreThoseOfMotionsAlone) {
  const Example example = GetParam().make();
  const Motions motions = along(example, 11);
  for (const Variational& method : {Variational{.step = 0.01}, Variational{.step = 0.01, .order = 4}})
    for (const double every : {0.0, 0.017, 0.1, 1.0})
      expect_as_alone(motions, method, {.t = 0.405, .every = every}, LaneParameters::own, Tier::native);
  expect_as_alone(motions, Variational{.step = 0.01}, {.t = 0.4, .every = 0.1}, LaneParameters::same, Tier::native);
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

// A pendulum on a spring, in the plane: masses, lengths and the straight way are of each lane.
Example hanging_pendulum() {
  Model model("hanging pendulum");
  const Formula m = model.parameter("m", 1.0), l = model.parameter("l", 0.9);
  const Formula x = model.coordinate("x", Rn{2}), q = model.coordinate("q", S1{});
  const Formula bob = x + l * q;
  model.kinetic(0.7 * squared_norm(rate(x)) + m / 2 * squared_norm(rate(bob)));
  model.potential(9.81 * m * bob.y() + 3 * squared_norm(x));
  Example example{model.name(), derive(model), {}};
  example.start = example.system.state(0, Eigen::Vector4d(0.3, -0.1, 0.6, 0.8), Eigen::Vector3d(0.2, -0.5, 1.5));
  return example;
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
    if (tier == Tier::native) runs.prepare(1e12, 1);
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

TEST(Lanes, AreNotForEverything) {
  const Example example = double_pendulum();
  const auto exist = [&](const System& system, const Method& method, const Until& until) {
    return LaneRuns(system, method, until, LaneParameters::same).exist();
  };
  EXPECT_TRUE(exist(example.system, Rk4{.step = 0.1}, {.t = 1}));
  EXPECT_FALSE(exist(example.system, Rk4{.step = 0.1}, {.t = 1, .halvings = 2}));
  EXPECT_FALSE(exist(torus_of_angles().system, Rk4{.step = 0.1}, {.t = 1}));
}

}  // namespace
}  // namespace hamel::test::lanes_test
