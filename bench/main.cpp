// `make bench`: hamel against code written by hand for each system, in one run, and what may be lost by generality.
// usage: hamel_bench [--benchmark_...] [FILE]    FILE: where the table goes as JSON, bench.json by default

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>
#include <regex>
#include <unordered_map>

#include "baseline_dop853.hpp"
#include "baseline_dopri5.hpp"
#include "comparison.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/mechanics/scratch.hpp"
#include "models.hpp"

namespace hamel::bench {
namespace {

// A call on both sides: equations of motion are a function that an integrator calls.
template <class Baseline>
[[gnu::noinline]] void call_acceleration(Baseline& baseline, const double* q, const double* rates, double* a) {
  baseline.acceleration(q, rates, a);
}

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int steps_compared = 20;

enum class Tier { native, interpreted };

std::string to_string(Tier tier) { return tier == Tier::native ? "native" : "interpreted"; }

// Kept alive for the benchmarks, which run after all have been registered.
template <class T>
std::shared_ptr<T> share(T value) {
  return std::make_shared<T>(std::move(value));
}

std::shared_ptr<const System> derive_for(const Model& model, Tier tier) {
  auto system = share(derive(model));
  if (tier == Tier::native) prepare(*system, 1e15);
  return system;
}

template <class Repeat>
void measure(const std::string& name, Repeat repeat) {
  benchmark::RegisterBenchmark(name.c_str(), [repeat](benchmark::State& state) { repeat(state); });
}

// y = (q, v) of a chain, by hand.
template <class Y, class Rate>
void chain_field(ChainBaseline& baseline, const Y& y, Rate& rate) {
  rate.template head<6>() = y.template tail<6>();
  baseline.acceleration(y.data(), y.data() + 6, rate.data() + 6);
}

// Example 1 of Lee, Leok, McClamroch, "Lagrangian mechanics and variational integrators on two-spheres".
State example_start() {
  State state{0, VectorXd(6), VectorXd(6)};
  const Eigen::Vector3d q1(std::sqrt(3) / 2, 0, 0.5), q2(0, 0, 1), omega1(-std::sqrt(3) / 4, 0, 0.75), omega2(0, 1, 0);
  state.q << q1, q2;
  state.v << omega1.cross(q1), omega2.cross(q2);
  return state;
}

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

class Table {
 public:
  // The rows whose names match; what the others need is not made.
  explicit Table(const std::string& filter) : filter_(filter) {}

  void add_chain_accelerations(Tier tier, int links) {
    const Chain chain = chain_numbers(links);
    const State start = chain_start(links);
    add_acceleration("chain", tier, links, chain_model(chain), share(ChainBaseline(chain)), start.q, start.v);
  }

  void add_body_accelerations(Tier tier) {
    const Body body = body_numbers();
    const Eigen::Matrix3d R = Eigen::AngleAxisd(0.8, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    VectorXd pose(12), rates(6);
    pose << R.reshaped(), 0.9, -0.3, 1.4;
    rates << 0.3, -0.5, 0.7, 0.2, 0.4, -0.6;
    add_acceleration("3-D pendulum", tier, 1, pendulum_model(body), share(PendulumBaseline(body)), pose.head(9),
                     rates.head(3));
    add_acceleration("free body on SE(3)", tier, 1, free_body_model(body), share(FreeBodyBaseline(body)), pose, rates);
  }

  void add_steps(const std::string& what, Tier tier, const Chain& chain, double h, double bound) {
    const int links = static_cast<int>(chain.masses.size());
    const std::string name = fmt::format("variational step, {}, {}", what, to_string(tier));
    if (!is_wanted(name, links)) return;
    const auto system = derive_for(chain_model(chain), tier);
    const auto baseline = share(ChainBaseline(chain));
    const State start = chain_start(links);
    require_same_steps(what, *system, *baseline, start, h);
    const Comparison& row = add(name, links, bound);
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
  void add_growth(int from, int to, double bound) {
    Comparison row{fmt::format("variational step, chain, growth from {}", from), to, {}, {}, bound};
    if (!is_wanted(row.name, to)) return;
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
    rows_.push_back(row);
  }

  // The time for ten seconds of the double spherical pendulum, with the longest steps that keep the energy error below
  // a given one: a Gauss method against a general method of order 8 for equations by hand, and orders against another.
  void add_accuracy() {
    const std::string long_steps = "10 s at energy error 1e-13, gauss16 | DOP853 by hand",
                      orders = "10 s at energy error 1e-8, variational8 | variational";
    if (!is_wanted(long_steps, 2) && !is_wanted(orders, 2)) return;
    const Chain chain{{1, 1}, {9.81, 9.81}, 9.81};
    const auto system = derive_for(chain_model(chain), Tier::native);
    const auto gauss16 = [](double h) { return Gauss{.step = h, .order = 16}; };
    const auto variational = [](double h) { return Variational{.step = h}; };
    const auto variational8 = [](double h) { return Variational{.step = h, .order = 8}; };

    const Comparison& first = add(long_steps, 2, 2);
    measure_method(first.ours.name, system, gauss16, 1e-13);
    measure_dop853(first.baseline.name, system, share(ChainBaseline(chain)), 1e-13);
    const Comparison& second = add(orders, 2, 1);
    measure_method(second.ours.name, system, variational8, 1e-8);
    measure_method(second.baseline.name, system, variational, 1e-8);
  }

  // Steps of one size of the general methods, against the same ones around equations by hand.
  void add_general_methods() {
    const Chain chain{{1, 1}, {9.81, 9.81}, 9.81};
    const auto system = derive_for(chain_model(chain), Tier::native);
    const auto baseline = share(ChainBaseline(chain));
    constexpr double h = 0.01, any = 1e9;  // tolerance
    using Y = Dopri5ByHand<12>::Vector;
    const State start = example_start();
    Y y0;
    y0 << start.q, start.v;
    const auto field = [=](const Y& y, Y& rate) { chain_field(*baseline, y, rate); };

    const Comparison& rk45 = add("step of rk45, double pendulum", 2, 1.5);
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
    const Comparison& dop853 = add("step of dop853, double pendulum", 2, 1.5);
    measure_steps(dop853.ours.name, system,
                  Dop853{.relative = any, .absolute = any, .first_step = h, .largest_step = h});
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

  // All programs of a chain, without native code; against a limit in microseconds.
  void add_deriving(int links, double limit) {
    const auto model = share(chain_model(chain_numbers(links)));
    Comparison row{"deriving, chain (baseline: the limit)", links, {}, {{}, limit}, 1};
    row.ours.name = fmt::format("deriving/{}", links);
    measure(row.ours.name, [=](benchmark::State& state) {
      for (auto _ : state) benchmark::DoNotOptimize(derive(*model));
    });
    rows_.push_back(row);
  }

  // A double pendulum with another mass; against a limit in microseconds.
  void add_other_parameters(double limit) {
    const auto system = share(derive(chain_model({{1, 1}, {9.81, 9.81}, 9.81})));
    Comparison row{"other parameters, double pendulum (baseline: the limit)", 2, {}, {{}, limit}, 1};
    row.ours.name = "other parameters/2";
    measure(row.ours.name, [=](benchmark::State& state) {
      double mass = 1;
      for (auto _ : state) {
        mass += 1e-6;
        benchmark::DoNotOptimize(system->with({{"m[0]", mass}}));
      }
    });
    rows_.push_back(row);
  }

  std::vector<Comparison> finish(const std::unordered_map<std::string, double>& microseconds) {
    std::vector<Comparison> finished;
    for (Comparison row : rows_) {
      bool measured = true;
      for (Side* side : {&row.ours, &row.baseline}) {
        if (side->name.empty()) continue;
        const auto found = microseconds.find(side->name);
        if (found == microseconds.end())
          measured = false;  // left out by a filter
        else
          side->microseconds = found->second;
      }
      if (measured) finished.push_back(row);
    }
    return finished;
  }

 private:
  static constexpr double seconds = 10;

  // True once in a thousand steps: what leaves its manifold for longer is no motion any more, and ends as NaN.
  struct Again {
    int steps = 0;
    bool operator()() { return steps++ % 1000 == 0; }
  };

  static auto energy_of(const std::shared_ptr<const System>& system) {
    return [system, work = share(Workspace(*system))](const double* q, const double* v) {
      return system->energy(*work, 0, Eigen::Map<const VectorXd>(q, 6), Eigen::Map<const VectorXd>(v, 6)).total;
    };
  }

  template <class WithStep>
  static void measure_method(const std::string& name, const std::shared_ptr<const System>& system, WithStep with_step,
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

  static void measure_dop853(const std::string& name, const std::shared_ptr<const System>& system,
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

  static void measure_steps(const std::string& name, const std::shared_ptr<const System>& system,
                            const Method& method) {
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

  bool is_wanted(const std::string& name, int size) const {
    return std::regex_search(fmt::format("{}/{}/ours", name, size), filter_) ||
           std::regex_search(fmt::format("{}/{}/baseline", name, size), filter_);
  }

  const Comparison& add(const std::string& name, int size, double bound) {
    const std::string benchmark = fmt::format("{}/{}", name, size);
    rows_.push_back({name, size, {benchmark + "/ours"}, {benchmark + "/baseline"}, bound});
    return rows_.back();
  }

  template <class Baseline>
  void add_acceleration(const std::string& what, Tier tier, int size, const Model& model,
                        const std::shared_ptr<Baseline>& baseline, const VectorXd& q, const VectorXd& rates) {
    const std::string name = fmt::format("acceleration, {}, {}", what, to_string(tier));
    if (!is_wanted(name, size)) return;
    const auto system = derive_for(model, tier);
    const auto work = share(Workspace(*system));
    const std::shared_ptr<const Kernel> kernel(system, &constant_mass(*system).acceleration);  // keeps the system
    const auto accelerate = [=](VectorXd& a) {
      const double t = 0;
      kernel->run<4, 2>({q.data(), rates.data(), work->u.data(), &t}, {a.data(), work->multipliers.data()},
                        work->scratch().program.data());
    };
    VectorXd ours(rates.size()), theirs(rates.size());
    accelerate(ours);
    baseline->acceleration(q.data(), rates.data(), theirs.data());
    require_agreement(name, ours.data(), theirs.data(), ours.size());
    const Comparison& row = add(name, size, tier == Tier::native ? 1.5 : 30);
    measure(row.ours.name, [=](benchmark::State& state) {
      VectorXd a(rates.size());
      for (auto _ : state) {
        accelerate(a);
        benchmark::ClobberMemory();
      }
    });
    measure(row.baseline.name, [=](benchmark::State& state) {
      VectorXd a(rates.size());
      for (auto _ : state) {
        call_acceleration(*baseline, q.data(), rates.data(), a.data());
        benchmark::DoNotOptimize(a.data());
        benchmark::ClobberMemory();
      }
    });
  }

  static void require_same_steps(const std::string& what, const System& system, ChainBaseline& baseline,
                                 const State& start, double h) {
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

  std::regex filter_;
  std::vector<Comparison> rows_;
};

Table make_table() {
  const std::string filter = benchmark::GetBenchmarkFilter();
  Table table(filter.empty() || filter == "all" ? "." : filter);
  for (const Tier tier : {Tier::native, Tier::interpreted}) {
    for (const int links : {1, 2, 5, 10}) table.add_chain_accelerations(tier, links);
    table.add_body_accelerations(tier);
    const double bound = tier == Tier::native ? 2 : 30;
    table.add_steps("double pendulum", tier, {{1, 1}, {9.81, 9.81}, 9.81}, 0.01, bound);
    for (const int links : {2, 5, 10}) table.add_steps("chain", tier, chain_numbers(links), chain_step(links), bound);
  }
  for (const int links : {100, 1000})
    table.add_steps("chain", Tier::native, chain_numbers(links), chain_step(links), 3);
  for (const int links : {100, 1000, 10000}) table.add_chain_accelerations(Tier::native, links);
  table.add_accuracy();
  table.add_general_methods();
  table.add_growth(1000, 10000, 12);
  table.add_deriving(10, 50e3);
  table.add_deriving(100, 1e6);
  table.add_other_parameters(50);
  return table;
}

class Medians : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.aggregate_name == "median")
        microseconds_[run.run_name.function_name] =
            run.GetAdjustedCPUTime() * 1e6 / benchmark::GetTimeUnitMultiplier(run.time_unit);
  }
  const std::unordered_map<std::string, double>& microseconds() const { return microseconds_; }

 private:
  std::unordered_map<std::string, double> microseconds_;
};

void run(int argc, char** argv) {
  std::vector<std::string> options = {argv[0], "--benchmark_repetitions=9", "--benchmark_min_time=0.02",
                                      "--benchmark_enable_random_interleaving=true"};
  options.insert(options.end(), argv + 1, argv + argc);
  std::vector<char*> arguments;
  for (std::string& option : options) arguments.push_back(option.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  Table table = make_table();
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  const auto comparisons = table.finish(medians.microseconds());
  print_table(comparisons);
  write_json(comparisons, count > 1 ? arguments[1] : "bench.json");
}

}  // namespace
}  // namespace hamel::bench

int main(int argc, char** argv) {
  try {
    hamel::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "hamel_bench: {}\n", error.what());
    return 1;
  }
}
