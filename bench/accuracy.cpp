// Time at equal accuracy.
#include <fmt/format.h>

#include "baseline_dop853.hpp"
#include "double_pendulum.hpp"
#include "hamel/integrate/stepper.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

constexpr double seconds = 10;

// The largest energy error of a run, relative to the range of T + |U| of this pendulum.
template <class Step, class Energy>
double run_for(double h, double duration, const State& start, Step& step, const Energy& energy) {
  constexpr double range = 300;  // of T + |U|, for masses and lengths of add_accuracy
  std::array<double, 6> q{}, v{};
  const double initial = energy(start.q.data(), start.v.data());
  double worst = 0;
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int k = 0; k < steps; ++k) {
    step(q.data(), v.data());
    const double now = energy(q.data(), v.data());
    worst = std::max(worst, std::abs(now - initial) / range);
  }
  return worst;
}

template <class Run>
double longest_step(const Run& run, double error) {
  double h = 0.5;
  while (!(run(h) <= error)) {
    h /= 1.1;
    if (h < 1e-6) throw std::runtime_error(fmt::format("no step reaches an energy error of {:.0e}", error));
  }
  return h;
}

auto energy_of(const std::shared_ptr<const System>& system) {
  return [system, work = share(Workspace(*system))](const double* q, const double* v) {
    return system->energy(*work, 0, Eigen::Map<const VectorXd>(q, 6), Eigen::Map<const VectorXd>(v, 6)).total;
  };
}

template <class WithStep>
void measure_method(const std::string& name, const std::shared_ptr<const System>& system, WithStep with_step,
                    double error) {
  const State start = example_start();
  const auto started = [=](double h) {
    auto stepper = make_stepper(*system, with_step(h));
    stepper->start(start);
    stepper->prepare(1e9);
    return stepper;
  };
  const auto error_of = [=, energy = energy_of(system)](double h) {
    try {
      const auto stepper = started(h);
      auto step = [&, state = State()](double* q, double* v) mutable {
        stepper->step(never);
        stepper->current(state);
        std::copy(state.q.begin(), state.q.end(), q);
        std::copy(state.v.begin(), state.v.end(), v);
      };
      return run_for(h, seconds, start, step, energy);
    } catch (const StepError&) {
      return std::numeric_limits<double>::infinity();
    }
  };
  const double h = longest_step(error_of, error);
  measure(name, [=](benchmark::State& state) {
    const auto stepper = started(h);
    const long steps = std::lround(seconds / h);
    for (auto _ : state)
      for (long k = 0; k < steps; ++k) benchmark::DoNotOptimize(stepper->step(never));
  });
}

void measure_dop853(const std::string& name, const std::shared_ptr<const System>& system,
                    const std::shared_ptr<ChainBaseline>& baseline, double error) {
  const State start = example_start();
  using Y = Dop853ByHand<12>::Vector;
  const auto field = [=](const Y& y, Y& rate) { chain_field(*baseline, y, rate); };
  Y y0;
  y0 << start.q, start.v;
  const auto error_of = [=, energy = energy_of(system)](double h) {
    auto step = [=, method = Dop853ByHand<12>(), y = y0](double* q, double* v) mutable {
      method.step(field, h, y);
      std::copy(y.data(), y.data() + 6, q);
      std::copy(y.data() + 6, y.data() + 12, v);
    };
    return run_for(h, seconds, start, step, energy);
  };
  const double h = longest_step(error_of, error);
  measure(name, [=](benchmark::State& state) {
    Dop853ByHand<12> method;
    Y y = y0;
    const long steps = std::lround(seconds / h);
    for (auto _ : state) {
      y = y0;
      for (long k = 0; k < steps; ++k) method.step(field, h, y);
    }
    benchmark::DoNotOptimize(y.data());
  });
}

}  // namespace

// The time for ten seconds of the double spherical pendulum, with the longest steps that keep the energy error below
// a given one: a Gauss method against a general method of order 8 for equations by hand, and orders against another.
void add_accuracy(Rows& rows) {
  const std::string long_steps = "10 s at energy error 1e-13, gauss16 | DOP853 by hand",
                    orders = "10 s at energy error 1e-8, variational8 | variational";
  if (!rows.is_wanted(long_steps, 2) && !rows.is_wanted(orders, 2)) return;
  const Chain chain = double_pendulum();
  const auto system = derive_for(chain_model(chain), Tier::native);
  const auto gauss16 = [](double h) { return Gauss{.step = h, .order = 16}; };
  const auto variational = [](double h) { return Variational{.step = h}; };
  const auto variational8 = [](double h) { return Variational{.step = h, .order = 8}; };

  const Comparison& first = rows.add(long_steps, 2, 2);
  measure_method(first.ours.name, system, gauss16, 1e-13);
  measure_dop853(first.baseline.name, system, share(ChainBaseline(chain)), 1e-13);
  const Comparison& second = rows.add(orders, 2, 1);
  measure_method(second.ours.name, system, variational8, 1e-8);
  measure_method(second.baseline.name, system, variational, 1e-8);
}

}  // namespace hamel::bench
