// Motions in the lanes of a core, against motions one by one.
#include <fmt/format.h>

#include "hamel/integrate/lane_runs.hpp"
#include "hamel/integrate/stepper.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

struct Nobody : LaneObserver {
  bool output(std::size_t, const State&) override { return true; }
  void ended(std::size_t) override {}
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
    runs.prepare(1e6, until.t);
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

}  // namespace hamel::bench
