// Deriving, and other parameters afterwards.
#include <fmt/format.h>

#include "double_pendulum.hpp"
#include "rows.hpp"

namespace hamel::bench {

// All programs of a chain, without native code; against a limit in microseconds.
void add_deriving(Rows& rows, int links, double limit) {
  const auto model = share(chain_model(chain_numbers(links)));
  Comparison row{"deriving, chain (baseline: the limit)", links, {}, {{}, limit}, 1};
  row.ours.name = fmt::format("deriving/{}", links);
  measure(row.ours.name, [=](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(derive(*model));
  });
  rows.add(row);
}

// A double pendulum with another mass; against a limit in microseconds.
void add_other_parameters(Rows& rows, double limit) {
  const auto system = share(derive(chain_model(double_pendulum())));
  Comparison row{"other parameters, double pendulum (baseline: the limit)", 2, {}, {{}, limit}, 1};
  row.ours.name = "other parameters/2";
  measure(row.ours.name, [=](benchmark::State& state) {
    double mass = 1;
    for (auto _ : state) {
      mass += 1e-6;
      benchmark::DoNotOptimize(system->with({{"m[0]", mass}}));
    }
  });
  rows.add(row);
}

}  // namespace hamel::bench
