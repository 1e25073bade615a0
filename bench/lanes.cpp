// Motions in the lanes of a core, against motions one by one.
#include <fmt/format.h>

#include <cmath>

#include "hamel/integrate/lane_runs.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/manifold/spaces.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

struct Nobody : LaneObserver {
  bool output(std::size_t, const State&) override { return true; }
  void ended(std::size_t, const std::vector<Occurrence>&) override {}
  void is_unusual(std::size_t) override { throw std::logic_error("this motion was to be a usual one"); }
};

}  // namespace

void add_lanes(Rows& rows, int links, const Method& method, double bound) {
  const std::string name = fmt::format("motion in a lane, {}", describe(method).name);
  if (!rows.is_wanted(name, links)) return;
  const auto system = derive_for(chain_model(chain_numbers(links)), Tier::native);
  const auto start = share(chain_start(links));
  const Until until{.t = 10, .every = 10, .keep = false};
  const auto stepper = make_stepper(*system, method);  // both sides run native code
  stepper->start(*start);
  stepper->prepare(1e9);
  const Comparison& row = rows.add(name, links, bound);
  measure(row.ours.name, [=](benchmark::State& state) {
    LaneRuns runs(*system, method, until, LaneParameters::own);
    runs.prepare(1e6, {system.get(), start.get()});
    std::vector<LaneMotion> motions;
    // Google Benchmark counts motions: so many are taken at a time.
    while (state.KeepRunningBatch(8 * LaneStepper::lanes)) {
      motions.assign(8 * LaneStepper::lanes, {system.get(), start.get()});
      Nobody nobody;
      runs.run(motions, nobody);
    }
  });
  measure(row.baseline.name, [=](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(integrate(*system, *start, method, until));
  });
}

// What a motion takes beside its steps: the check of its start, its first step, its way into a lane and out of it.
void add_short_motions(Rows& rows, double bound) {
  constexpr int count = 256;
  const std::string name = "motion of one step in a lane, free body, dop853 (baseline: of 10 s)";
  if (!rows.is_wanted(name, 1)) return;
  Model model("free body");
  const Formula R = model.coordinate("R", SO3());
  model.body("body", {.attitude = R, .inertia = Formula(MatrixXd(Eigen::Vector3d(1, 2, 3).asDiagonal()))});
  const auto system = derive_for(model, Tier::native);
  std::vector<State> starts;
  for (int k = 0; k < count; ++k)
    starts.push_back(system->state(0, Eigen::Matrix3d::Identity().reshaped(),
                                   Eigen::Vector3d(std::sin(k), std::cos(2 * k), std::sin(3 * k))));
  const Comparison& row = rows.add(name, 1, bound);
  const auto measure_motions = [&, starts = share(std::move(starts))](const std::string& side, double duration) {
    measure(side, [=](benchmark::State& state) {
      LaneRuns runs(*system, Dop853{.relative = 1e-6, .absolute = 1e-6}, {.t = duration, .every = duration},
                    LaneParameters::own);
      std::vector<LaneMotion> motions;
      for (const State& start : *starts) motions.push_back({system.get(), &start});
      runs.prepare(1e6, motions.front());
      Nobody nobody;
      while (state.KeepRunningBatch(count)) runs.run(motions, nobody);
    });
  };
  measure_motions(row.ours.name, 0.01);
  measure_motions(row.baseline.name, 10);
}

}  // namespace hamel::bench
