// Steps of the general methods.
#include "baseline_dop853.hpp"
#include "baseline_dopri5.hpp"
#include "double_pendulum.hpp"
#include "hamel/integrate/stepper.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

// True once in a thousand steps: what leaves its manifold for longer is no motion any more, and ends as NaN.
struct Again {
  int steps = 0;
  bool operator()() { return steps++ % 1000 == 0; }
};

void measure_steps(const std::string& name, const std::shared_ptr<const System>& system, const Method& method) {
  measure(name, [=](benchmark::State& state) {
    const auto stepper = make_stepper(*system, method);
    stepper->start(example_start());
    stepper->prepare(1e9);
    Again again;
    for (auto _ : state) {
      if (again()) stepper->start(example_start());
      benchmark::DoNotOptimize(stepper->step(never));
    }
  });
}

}  // namespace

// Steps of one size of the general methods, against the same ones around equations by hand.
void add_general_methods(Rows& rows) {
  const Chain chain = double_pendulum();
  const auto system = derive_for(chain_model(chain), Tier::native);
  const auto baseline = share(ChainBaseline(chain));
  constexpr double h = 0.01, any = 1e9;  // tolerance
  using Y = Dopri5ByHand<12>::Vector;
  const State start = example_start();
  Y y0;
  y0 << start.q, start.v;
  const auto field = [=](const Y& y, Y& rate) { chain_field(*baseline, y, rate); };

  const Comparison& rk45 = rows.add("step of rk45, double pendulum", 2, 1.5);
  measure_steps(rk45.ours.name, system, Rk45{.relative = any, .absolute = any, .first_step = h, .largest_step = h});
  measure(rk45.baseline.name, [=](benchmark::State& state) {
    Dopri5ByHand<12> method;
    Y y = y0;
    Again again;
    for (auto _ : state) {
      if (again()) method.start(field, y = y0);
      benchmark::DoNotOptimize(method.step(field, h, y));
    }
  });
  const Comparison& dop853 = rows.add("step of dop853, double pendulum", 2, 1.5);
  measure_steps(dop853.ours.name, system, Dop853{.relative = any, .absolute = any, .first_step = h, .largest_step = h});
  measure(dop853.baseline.name, [=](benchmark::State& state) {
    Dop853ByHand<12> hand;
    Y y = y0;
    Again again;
    for (auto _ : state) {
      if (again()) y = y0;
      hand.step(field, h, y);
      benchmark::DoNotOptimize(y.data());
    }
  });
}

}  // namespace hamel::bench
