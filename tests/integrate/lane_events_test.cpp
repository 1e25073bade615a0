// Events of eight motions at once are those of motions that are integrated alone, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <tuple>

#include "hamel/mechanics/values.hpp"
#include "integrate/lane_motions.hpp"

namespace hamel::test::lane_events_test {
namespace {

// An event by a formula, as ensembles have them.
struct FormulaEvent {
  std::string name;
  Formula value;
  Crossing direction = Crossing::any;
  bool terminal = false;
};

std::vector<Formula> values_of(const std::vector<FormulaEvent>& events) {
  std::vector<Formula> result;
  for (const FormulaEvent& event : events) result.push_back(event.value);
  return result;
}

std::vector<Event> events_of(const System& member, const std::vector<FormulaEvent>& events) {
  const auto values = std::make_shared<Values>(member, values_of(events));
  std::vector<Event> result;
  for (std::size_t k = 0; k < events.size(); ++k)
    result.push_back({events[k].name,
                      [values, k, u = VectorXd(VectorXd::Zero(member.inputs()))](const State& s) {
                        VectorXd all(values->size());
                        (*values)(s.t, s.q, s.v, u, all);
                        return all(static_cast<Eigen::Index>(k));
                      },
                      events[k].direction, events[k].terminal});
  return result;
}

void expect_same(const Recorder& recorder, std::size_t motion, const Trajectory& alone) {
  SCOPED_TRACE(motion);
  expect_same_bits(recorder.states.at(motion), alone.states);
  const std::vector<Occurrence>& found = recorder.occurrences.at(motion);
  ASSERT_EQ(found.size(), alone.occurrences.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].event, alone.occurrences[k].event);
    expect_same_bits({found[k].state}, {alone.occurrences[k].state});
  }
}

// How many there are in all motions.
std::size_t expect_as_alone(const Motions& motions, const Method& method, const Until& until) {
  LaneRuns runs(motions.systems.front(), method, until, LaneParameters::same);
  EXPECT_TRUE(runs.exist());
  if (!runs.exist()) return 0;
  Recorder recorder;
  runs.run(motions.all(), recorder);
  EXPECT_TRUE(recorder.unusual.empty());
  std::size_t count = 0;
  for (std::size_t i = 0; i < motions.systems.size(); ++i) {
    expect_same(recorder, i, integrate(motions.systems[i], motions.starts[i], method, until));
    count += recorder.occurrences[i].size();
  }
  return count;
}

// Each with events of its own.
struct WatchedMotions {
  WatchedMotions(const Motions& motions, const std::vector<FormulaEvent>& formulas) : all(motions.all()) {
    for (const System& member : motions.systems) events.push_back(events_of(member, formulas));
    for (std::size_t i = 0; i < all.size(); ++i) all[i].events = &events[i];
  }
  std::vector<std::vector<Event>> events;
  std::vector<LaneMotion> all;
};

std::size_t expect_as_alone(const Motions& motions, const Method& method, Until until,
                            const std::vector<FormulaEvent>& formulas, Tier tier,
                            LaneParameters parameters = LaneParameters::own) {
  const System& system = motions.systems.front();
  LaneRuns runs(system, method, until, parameters, Values(system, values_of(formulas)));
  if (tier == Tier::native) runs.prepare(1e12, motions.all().front());
  const WatchedMotions watched(motions, formulas);
  Recorder recorder;
  runs.run(watched.all, recorder);
  EXPECT_TRUE(recorder.unusual.empty());
  std::size_t count = 0;
  for (std::size_t i = 0; i < watched.all.size(); ++i) {
    until.events = watched.events[i];
    expect_same(recorder, i, integrate(motions.systems[i], motions.starts[i], method, until));
    count += recorder.occurrences[i].size();
  }
  return count;
}

using Parameter = std::tuple<NamedMethod, Case>;
std::vector<Parameter> with_events_in_lanes() {
  std::vector<Parameter> result;
  for (const Case& c : all_cases()) {
    const Example example = c.make();
    for (const NamedMethod& named : methods_of_the_table(0.01, 1e-8))
      if (is_for(named.info, c) &&
          LaneRuns(example.system, named.method, {.t = 1, .events = {{"some", [](const State& s) { return s.t; }}}},
                   LaneParameters::same)
              .exist())
        result.emplace_back(named, c);
  }
  return result;
}

class LaneEventBits : public testing::TestWithParam<Parameter> {};
INSTANTIATE_TEST_SUITE_P(Methods, LaneEventBits, testing::ValuesIn(with_events_in_lanes()), [](const auto& parameter) {
  return std::get<0>(parameter.param).name + std::get<1>(parameter.param).name;
});

// Of positions, rates and time, functions that pass zero where the fifth motion is in the middle of its way.
std::vector<Event> events_near(const State& middle) {
  return {
      {"position", [q = middle.q](const State& s) { return s.q(0) - q(0) + s.q(s.q.size() - 1) - q(q.size() - 1); }},
      {"rate", [v = middle.v](const State& s) { return s.v(0) - v(0); }, Crossing::rising},
      {"speed", [v = middle.v](const State& s) { return s.v.squaredNorm() - v.squaredNorm(); }, Crossing::falling},
      {"time", [](const State& s) { return std::cos(90 * s.t); }}};
}

TEST_P(LaneEventBits, AreThoseOfMotionsAlone) {
  const auto& [named, c] = GetParam();
  const Motions motions = along(c.make(), 11);
  const State middle =
      integrate(motions.systems[5], motions.starts[5], named.method, {.t = motions.starts[5].t + 0.1, .every = 1})
          .back();
  Until until{.t = 0.4, .events = events_near(middle)};
  for (const double every : {0.0, 0.02, 0.017, 0.4}) {
    until.every = every;
    EXPECT_GT(expect_as_alone(motions, named.method, until), 11u);
  }
  for (Event& event : until.events) {
    event.terminal = true;
    until.every = 0.017;
    EXPECT_GT(expect_as_alone(motions, named.method, until), 0u);
    event.terminal = false;
  }
}

// In native steps.
const Dop853 adaptive{.relative = 1e-8, .absolute = 1e-8};

std::vector<Case> with_native_lanes() {
  std::vector<Case> result;
  for (const Case& c : all_cases())
    if (make_lane_stepper(c.make().system, adaptive, LaneParameters::own) != nullptr) result.push_back(c);
  return result;
}

class NativeLaneEventBitsLong : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Systems, NativeLaneEventBitsLong, testing::ValuesIn(with_native_lanes()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(NativeLaneEventBitsLong, AreThoseOfMotionsAlone) {
  const Example example = GetParam().make();
  const Motions motions = along(example, 11);
  const Model& model = example.system.model();
  const State middle = advance(example, motions.starts[7], Gauss{.step = 0.02, .order = 8}, 4);
  const Formula t = model.time(), q = model.coordinate(0);
  std::vector<FormulaEvent> events{{"position", q.cols() == 1 ? dot(q, q) * q.x() - middle.q(0) : t - 0.21},
                                   {"time", cos(90 * t), Crossing::falling},
                                   {"rest", t - 0.3, Crossing::rising}};
  for (const Method& method : {Method(adaptive), Method(Rk4{.step = 0.01}), Method(Rk2{.step = 0.01}),
                               Method(Variational{.step = 0.01}), Method(Variational{.step = 0.01, .order = 4})})
    for (const bool stops : {false, true}) {
      if (make_lane_stepper(example.system, method, LaneParameters::own) == nullptr) continue;
      events[2].terminal = stops;
      for (const double every : {0.0, 0.017, 0.1, 1.0})
        EXPECT_GT(expect_as_alone(motions, method, {.t = 0.405, .every = every}, events, Tier::native), 11u);
    }
}

const HangingPendulum& pendulum() {
  static const HangingPendulum example = hanging_pendulum();
  return example;
}

Motions of_many_pendula() {
  Motions motions = along(pendulum(), 19);
  for (std::size_t i = 0; i < motions.systems.size(); ++i)
    motions.systems[i] =
        motions.systems[i].with({{"m", 1 + 0.1 * static_cast<double>(i)}, {"l", 1 + 0.03 * static_cast<double>(i)}});
  return motions;
}

const std::vector<Method> methods_with_lanes{Rk4{.step = 0.01},
                                             Rk2{.step = 0.01, .reproject = true},
                                             adaptive,
                                             Dop853{.relative = 1e-4, .absolute = 1e-4},
                                             Dop853{.relative = 1e-8, .absolute = 1e-8, .reproject = true},
                                             Variational{.step = 0.01},
                                             Variational{.step = 0.01, .order = 4},
                                             LieRk{.step = 0.01}};
// Heights depend on the parameters of each.
TEST(LaneEventsLong, HaveParametersOfTheirOwn) {
  const Motions motions = of_many_pendula();
  const Formula& bob = pendulum().bob;
  std::vector<FormulaEvent> events{{"height", bob.y() + 0.4, Crossing::rising}, {"side", bob.x(), Crossing::falling}};
  for (const Method& method : methods_with_lanes)
    for (const bool stops : {false, true}) {
      events[1].terminal = stops;
      EXPECT_GT(expect_as_alone(motions, method, {.t = 3, .every = 0.5}, events, Tier::native), 10u);
    }
}

// Rates of lines and circles are known to native steps; those of a start are rounded there.
TEST(LaneEventsLong, MayDependOnRates) {
  const Motions motions = of_many_pendula();
  const Formula& bob = pendulum().bob;
  std::vector<FormulaEvent> events{{"apex", rate(bob).y(), Crossing::falling}, {"side", bob.x()}};
  for (const Method& method : methods_with_lanes)
    EXPECT_GT(expect_as_alone(motions, method, {.t = 3, .every = 0.5}, events, Tier::native), 20u);
  const Model& model = pendulum().system.model();
  for (const long i : {2, 3}) {
    Motions near = motions;
    for (std::size_t k = 0; k < near.systems.size(); ++k) {
      const double v = near.starts[k].v(i);
      near.systems[k] = near.systems[k].with({{"r", k % 3 == 0 ? v : std::nextafter(v, k % 3 == 1 ? 9 : -9)}});
    }
    const Formula v = rate(model.coordinate(1)), value = i == 2 ? v.x() : v.y();
    for (const Method& method : {Method(Rk4{.step = 0.01}), Method(adaptive)})
      expect_as_alone(near, method, {.t = 0.7, .every = 0.7}, {{"as at the start", value - pendulum().r}},
                      Tier::native);
  }
}

bool are_seen_by_native_steps(const LaneMotion& motion, const Method& method, const Formula& value) {
  const System& system = *motion.system;
  LaneRuns runs(system, method, {.t = 1}, LaneParameters::own, Values(system, {value}));
  runs.prepare(1e12, motion);
  EXPECT_TRUE(runs.have_native_steps()) << describe(method).name;
  return runs.have_native_events();
}

TEST_P(NativeLaneEventBitsLong, AreSeenByNativeSteps) {
  const Example example = GetParam().make();
  for (const Method& method : {Method(adaptive), Method(Rk4{.step = 0.01}), Method(Rk2{.step = 0.01})})
    EXPECT_TRUE(are_seen_by_native_steps({&example.system, &example.start}, method, example.system.model().time()))
        << describe(method).name;
}

// Rates of spheres are known to variational steps alone; others are looked at step by step.
TEST(LaneEventsLong, OfSpheresMayDependOnRates) {
  const Motions motions = along(double_pendulum(), 11);
  const System& system = motions.systems.front();
  const Formula q = system.model().coordinate(1);
  const std::vector<FormulaEvent> apex{{"apex", rate(q).z(), Crossing::falling}, {"low", q.z() + 0.8}};
  for (const Method& method : {Method(Rk4{.step = 0.01}), Method(adaptive), Method(Variational{.step = 0.01}),
                               Method(Variational{.step = 0.01, .order = 4})}) {
    EXPECT_EQ(are_seen_by_native_steps(motions.all().front(), method, rate(q).z()),
              std::holds_alternative<Variational>(method));
    EXPECT_GT(expect_as_alone(motions, method, {.t = 3, .every = 0.5}, apex, Tier::native), 5u);
  }
}

Example planar_pendulum() {
  Model model("planar pendulum");
  const Formula q = model.coordinate("q", S1{});
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(9.81 * q.y());
  Example example{model.name(), derive(model), {}};
  example.start = example.system.state(0, Eigen::Vector2d(0.6, 0.8), VectorXd::Constant(1, 0.7));
  return example;
}

// Rates of a field that are no products are looked at step by step, those that are by native steps.
TEST(LaneEventsLong, OfFieldsMayDependOnRates) {
  Model model("field");
  const Formula x = model.coordinate("x", Rn{2}), a = model.parameter("a", 1.0);
  model.field(x, x.y() * unit_vector(0, 2) - a * sin(x.x()) * unit_vector(1, 2));
  const System system = derive(model);
  Motions motions;
  for (int i = 0; i < 19; ++i) {
    motions.systems.push_back(system.with({{"a", 1 + 0.1 * i}}));
    motions.starts.push_back(motions.systems.back().state(0, Eigen::Vector2d(0.1 * i, 1)));
  }
  for (const Method& method : {Method(Rk4{.step = 0.01}), Method(adaptive)})
    for (const Formula& value : {x.x() - 0.5, rate(x).x() + 0.1, rate(x).y()})
      for (const Tier tier : {Tier::interpreted, Tier::native})
        EXPECT_GT(expect_as_alone(motions, method, {.t = 6, .every = 0.5}, {{"zero", value}}, tier), 10u);
}

// Numbers that are rounding alone, so that one bit decides whether there is an event.
TEST(LaneEventsLong, SeeTheLastBit) {
  for (const auto& [example, methods] :
       {std::pair(double_pendulum(),
                  std::vector<Method>{Variational{.step = 0.01}, Variational{.step = 0.01, .order = 4}}),
        std::pair(planar_pendulum(), std::vector<Method>{Variational{.step = 0.01}, Rk4{.step = 0.01}, adaptive})}) {
    const Motions motions = along(example, 11);
    const Formula q = example.system.model().coordinate(0);
    for (const Method& method : methods) {
      EXPECT_TRUE(are_seen_by_native_steps(motions.all().front(), method, dot(q, rate(q))));
      for (const Formula& value : {dot(q, rate(q)), dot(q, q) - 1, dot(q, q) - (1 + 1e-16), dot(q, q) - (1 - 1e-16)})
        for (const Crossing direction : {Crossing::any, Crossing::rising})
          expect_as_alone(motions, method, {.t = 0.6, .every = 0.3}, {{"rounding", value, direction}}, Tier::native);
    }
  }
}

// At the start, at an output, at the end, and several within a step: a number of time alone.
TEST(LaneEventsLong, MayBeAtTheEndsOfSteps) {
  const Motions motions = of_many_pendula();
  const Formula t = motions.systems.front().model().time();
  const auto since = [&](double when) { return t - when; };
  const std::vector<FormulaEvent> events{{"start", since(motions.starts.front().t)},
                                         {"another start", since(motions.starts[3].t)},
                                         {"output", since(0.5)},
                                         {"end", since(1)},
                                         {"just before", since(1 - 1e-13)},
                                         {"touched", since(0.7) * since(0.7)},
                                         {"two in a step", since(0.6031) * since(0.6069)},
                                         {"two that are near", since(0.6131) * since(0.61312)},
                                         {"three in a step", since(0.6231) * since(0.6241) * since(0.6285)}};
  for (const Method& method : methods_with_lanes) {
    const auto ends = [&](Tier tier, double every) {  // before there is native code, and after
      for (std::size_t last : {2U, 3U, 6U, 8U}) {
        std::vector<FormulaEvent> ending = events;
        ending[last].terminal = true;
        EXPECT_GT(expect_as_alone(motions, method, {.t = 1, .every = every}, ending, tier), 19u);
      }
    };
    ends(Tier::interpreted, 1);
    EXPECT_GT(expect_as_alone(motions, method, {.t = 1, .every = 0.1}, events, Tier::native), 19u * 4);
    ends(Tier::native, 0.1);
  }
}

// Rates that are zero at the start alone, not where they are found again from momenta or quasi-velocities.
TEST(LaneEvents, BeginWithTheStartAsItIsGiven) {
  const Motions motions = along(double_pendulum(), 19);
  for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Variational{.step = 0.01}), Method(adaptive)})
    for (const long i : {0, 1, 2, 3}) {
      std::vector<std::vector<Event>> events;
      for (const State& start : motions.starts)
        events.push_back({{"rate", [=, v = start.v](const State& s) { return s.v(i) - v(i); }}});
      std::vector<LaneMotion> all = motions.all();
      for (std::size_t k = 0; k < all.size(); ++k) all[k].events = &events[k];
      Until until{.t = 0.6, .every = 1, .events = events.front()};
      LaneRuns runs(motions.systems.front(), method, until, LaneParameters::same);
      Recorder recorder;
      runs.run(all, recorder);
      for (std::size_t k = 0; k < all.size(); ++k) {
        until.events = events[k];
        expect_same(recorder, k, integrate(motions.systems[k], motions.starts[k], method, until));
      }
    }
}

TEST(LaneEvents, AreThoseBeforeTheObserverEndsAMotion) {
  const Motions motions = of_many_pendula();
  const Event often{"often", [](const State& s) { return std::cos(100 * s.t); }};
  const Until until{.t = 2, .every = 0.13, .events = {often}};
  LaneRuns runs(motions.systems.front(), Rk4{.step = 0.05}, until, LaneParameters::own);
  Recorder recorder;
  recorder.most = 4;
  runs.run(motions.all(), recorder);
  for (std::size_t i = 0; i < motions.systems.size(); ++i) {
    std::size_t outputs = 0;
    expect_same(recorder, i,
                integrate(motions.systems[i], motions.starts[i], Rk4{.step = 0.05}, until,
                          [&](const State&) { return ++outputs < 4; }));
  }
}

// Said by those who integrate it alone; the others do not feel it.
TEST(LaneEventsLong, LeaveWhatIsNotFiniteOrThrows) {
  const Motions motions = of_many_pendula();
  const double begin = motions.starts.front().t;
  const Event broken{"broken", [=](const State& s) { return s.t > begin + 1 ? std::nan("") : 1.0; }};
  const Event thrown{"thrown", [=](const State& s) {
                       if (s.t > begin + 1) throw std::runtime_error("too late");
                       return 1.0;
                     }};
  for (const Event& event : {broken, thrown}) {
    LaneRuns runs(motions.systems.front(), Rk4{.step = 0.01}, {.t = 1.1, .every = 0.1, .events = {event}},
                  LaneParameters::own);
    Recorder recorder;
    runs.run(motions.all(), recorder);
    EXPECT_EQ(recorder.unusual.size(), motions.systems.size());
  }
  // As a formula: of heights that some do not reach.
  const Formula& bob = pendulum().bob;
  const std::vector<FormulaEvent> root{{"root", sqrt(-0.5 - bob.y()) - 0.1}};
  const Until until{.t = 2, .every = 2};
  for (const Method& method : {Method(adaptive), Method(Rk4{.step = 0.01})})
    for (const Tier tier : {Tier::interpreted, Tier::native}) {
      LaneRuns runs(motions.systems.front(), method, until, LaneParameters::own,
                    Values(motions.systems.front(), values_of(root)));
      if (tier == Tier::native) runs.prepare(1e12, motions.all().front());
      const WatchedMotions watched(motions, root);
      Recorder recorder;
      runs.run(watched.all, recorder);
      EXPECT_EQ(recorder.finished.size() + recorder.unusual.size(), watched.all.size());
      EXPECT_FALSE(recorder.unusual.empty());
      for (std::size_t i = 0; i < watched.all.size(); ++i) {
        Until with = until;
        with.events = watched.events[i];
        const auto alone = [&] { return integrate(motions.systems[i], motions.starts[i], method, with); };
        if (recorder.unusual.contains(i))
          EXPECT_THROW(alone(), std::runtime_error);
        else
          expect_same(recorder, i, alone());
      }
    }
}

TEST(LaneEvents, AreCheckedAsAlone) {
  const Motions motions = along(double_pendulum(), 3);
  const Event nameless{"", [](const State& s) { return s.t - 0.1; }};
  LaneRuns runs(motions.systems.front(), Rk4{.step = 0.01}, {.t = 1, .events = {nameless}}, LaneParameters::same);
  Recorder recorder;
  runs.run(motions.all(), recorder);
  EXPECT_EQ(recorder.unusual.size(), 3u);
}

}  // namespace
}  // namespace hamel::test::lane_events_test
