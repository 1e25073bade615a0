// What a motion in a lane may cost, beside the same motion alone: both in native code, in one run, the least of some.
// On quiet processors with vectors of 64 bytes lanes are twice and more below these bounds (docs/performance.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <hamel/integrate/lane_runs.hpp>
#include <hamel/integrate/stepper.hpp>
#include <hamel/language/model_file.hpp>
#include <limits>
#include <stdexcept>
#include <vector>

namespace hamel::test {
namespace {

struct Nobody : LaneObserver {
  bool output(std::size_t, const State&) override { return true; }
  void ended(std::size_t, const std::vector<Occurrence>&) override {}
  void is_unusual(std::size_t) override { throw std::logic_error("this motion was to be a usual one"); }
};

double cpu_seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double least_seconds(const std::function<void()>& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 5; ++k) {
    const double begin = cpu_seconds_now();
    work();
    least = std::min(least, cpu_seconds_now() - begin);
  }
  return least;
}

struct InLanes {
  Method method;
  double most;  // of the time of a motion alone
};

class LanesBudget : public ::testing::TestWithParam<InLanes> {};

TEST_P(LanesBudget, IsKept) {
  const auto& [method, most] = GetParam();
  const ModelFile file = read_model(HAMEL_SOURCE_DIR "/models/double-spherical-pendulum.toml");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const Until until{.t = 5, .every = 5, .keep = false};
  const auto stepper = make_stepper(system, method);
  stepper->start(start);
  stepper->prepare(1e9);
  LaneRuns runs(system, method, until, LaneParameters::own);
  runs.prepare(1e6, {&system, &start});
  ASSERT_TRUE(runs.have_native_steps());

  const std::vector<LaneMotion> motions(std::size_t{8} * LaneStepper::lanes, {&system, &start});
  const double in_lanes = least_seconds([&] {
                            Nobody nobody;
                            runs.run(motions, nobody);
                          }) /
                          static_cast<double>(motions.size());
  const double alone = least_seconds([&] { integrate(system, start, method, until); });
  fmt::print("{}: {:.1f} us in a lane, {:.1f} us alone, {:.2f}\n", describe(method).name, 1e6 * in_lanes, 1e6 * alone,
             in_lanes / alone);
  EXPECT_LE(in_lanes, most * alone);
}

INSTANTIATE_TEST_SUITE_P(Methods, LanesBudget,
                         ::testing::Values(InLanes{Rk4{.step = 0.01}, 0.25}, InLanes{LieRk{.step = 0.01}, 0.25},
                                           InLanes{Variational{.step = 0.01}, 0.33},
                                           InLanes{Gauss{.step = 0.05, .order = 8}, 0.7},
                                           InLanes{Dop853{.relative = 1e-6, .absolute = 1e-6}, 0.33}),
                         [](const auto& test) { return describe(test.param.method).name; });

}  // namespace
}  // namespace hamel::test
