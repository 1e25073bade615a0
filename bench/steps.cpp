// Variational steps of chains.
#include <fmt/format.h>

#include "hamel/integrate/stepper.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

constexpr int steps_compared = 20;

void require_same_steps(const std::string& what, const System& system, ChainBaseline& baseline, const State& start,
                        double h) {
  const auto stepper = make_stepper(system, Variational{.step = h});
  stepper->start(start);
  State now = start, next = start, ours;
  baseline.start();
  for (int i = 0; i < steps_compared; ++i) {
    stepper->step(never);
    baseline.step(h, now.q.data(), now.v.data(), next.q.data(), next.v.data());
    std::swap(now, next);
  }
  stepper->current(ours);
  require_agreement("q after steps of the " + what, ours.q.data(), now.q.data(), now.q.size());
  require_agreement("v after steps of the " + what, ours.v.data(), now.v.data(), now.v.size());
}

}  // namespace

void add_steps(Rows& rows, const std::string& what, Tier tier, const Chain& chain, double h, double bound) {
  const int links = static_cast<int>(chain.masses.size());
  const std::string name = fmt::format("variational step, {}, {}", what, to_string(tier));
  if (!rows.is_wanted(name, links)) return;
  const auto system = derive_for(chain_model(chain), tier);
  const auto baseline = share(ChainBaseline(chain));
  const State start = chain_start(links);
  require_same_steps(what, *system, *baseline, start, h);
  const Comparison& row = rows.add(name, links, bound);
  measure(row.ours.name, [=](benchmark::State& state) {
    const auto stepper = make_stepper(*system, Variational{.step = h});
    stepper->start(start);
    State now = start;
    for (auto _ : state) {
      benchmark::DoNotOptimize(stepper->step(never));
      stepper->current(now);  // with its velocity, which the baseline computes too
    }
  });
  measure(row.baseline.name, [=](benchmark::State& state) {
    State now = start, next = start;
    baseline->start();
    for (auto _ : state) {
      baseline->step(h, now.q.data(), now.v.data(), next.q.data(), next.v.data());
      now.q.swap(next.q);
      now.v.swap(next.v);
    }
  });
}

// From one length to another, against ourselves.
void add_growth(Rows& rows, int from, int to, double bound) {
  Comparison row{fmt::format("variational step, chain, growth from {}", from), to, {}, {}, bound};
  if (!rows.is_wanted(row.name, to)) return;
  const Chain chain = chain_numbers(to);
  const auto system = derive_for(chain_model(chain), Tier::native);
  const State start = chain_start(to);
  const double h = chain_step(to);
  row.ours.name = fmt::format("{}/{}/ours", row.name, to);
  row.baseline.name = fmt::format("variational step, chain, native/{}/ours", from);
  measure(row.ours.name, [=](benchmark::State& state) {
    const auto stepper = make_stepper(*system, Variational{.step = h});
    stepper->start(start);
    State now = start;
    for (auto _ : state) {
      benchmark::DoNotOptimize(stepper->step(never));
      stepper->current(now);
    }
  });
  rows.add(row);
}

}  // namespace hamel::bench
