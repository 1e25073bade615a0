// `make bench`: hamel against code written by hand for each system, in one run, and what may be lost by generality.
// usage: hamel_bench [--benchmark_...] [FILE]    FILE: where the table goes as JSON, bench.json by default

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>
#include <unordered_map>

#include "comparison.hpp"
#include "hamel/integrate/variational.hpp"
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
  if (tier == Tier::native) system->prepare(1e15);
  return system;
}

template <class Repeat>
void measure(const std::string& name, Repeat repeat) {
  benchmark::RegisterBenchmark(name.c_str(), [repeat](benchmark::State& state) { repeat(state); });
}

class Table {
 public:
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
    const auto system = derive_for(chain_model(chain), tier);
    const auto baseline = share(ChainBaseline(chain));
    const State start = chain_start(links);
    require_same_steps(what, *system, *baseline, start, h);
    const std::string name = fmt::format("variational step, {}, {}", what, to_string(tier));
    const Comparison& row = add(name, links, bound);
    measure(row.ours.name, [=](benchmark::State& state) {
      const auto stepper = variational_stepper(*system, {.step = h});
      stepper->start(start);
      for (auto _ : state) benchmark::DoNotOptimize(stepper->step(never));
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
    const Chain chain = chain_numbers(to);
    const auto system = derive_for(chain_model(chain), Tier::native);
    const State start = chain_start(to);
    const double h = chain_step(to);
    Comparison row{fmt::format("variational step, chain, growth from {}", from), to, {}, {}, bound};
    row.ours.name = fmt::format("{}/{}/ours", row.name, to);
    row.baseline.name = fmt::format("variational step, chain, native/{}/ours", from);
    measure(row.ours.name, [=](benchmark::State& state) {
      const auto stepper = variational_stepper(*system, {.step = h});
      stepper->start(start);
      for (auto _ : state) benchmark::DoNotOptimize(stepper->step(never));
    });
    rows_.push_back(row);
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
  const Comparison& add(const std::string& name, int size, double bound) {
    const std::string benchmark = fmt::format("{}/{}", name, size);
    rows_.push_back({name, size, {benchmark + "/ours"}, {benchmark + "/baseline"}, bound});
    return rows_.back();
  }

  template <class Baseline>
  void add_acceleration(const std::string& what, Tier tier, int size, const Model& model,
                        const std::shared_ptr<Baseline>& baseline, const VectorXd& q, const VectorXd& rates) {
    const auto system = derive_for(model, tier);
    const auto work = share(Workspace(*system));
    VectorXd ours(rates.size()), theirs(rates.size());
    system->natural_acceleration(*work, 0, q.data(), rates.data(), ours.data());
    baseline->acceleration(q.data(), rates.data(), theirs.data());
    const std::string name = fmt::format("acceleration, {}, {}", what, to_string(tier));
    require_agreement(name, ours.data(), theirs.data(), ours.size());
    const Comparison& row = add(name, size, tier == Tier::native ? 1.5 : 30);
    measure(row.ours.name, [=](benchmark::State& state) {
      VectorXd a(rates.size());
      for (auto _ : state) {
        system->natural_acceleration(*work, 0, q.data(), rates.data(), a.data());
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
    const auto stepper = variational_stepper(system, {.step = h});
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

  std::vector<Comparison> rows_;
};

Table make_table() {
  Table table;
  for (const Tier tier : {Tier::native, Tier::interpreted}) {
    for (const int links : {1, 2, 5, 10}) table.add_chain_accelerations(tier, links);
    table.add_body_accelerations(tier);
    const double bound = tier == Tier::native ? 2 : 30;
    table.add_steps("double pendulum", tier, {{1, 1}, {9.81, 9.81}, 9.81}, 0.01, bound);
    for (const int links : {2, 5, 10}) table.add_steps("chain", tier, chain_numbers(links), chain_step(links), bound);
  }
  for (const int links : {100, 1000})
    table.add_steps("chain", Tier::native, chain_numbers(links), chain_step(links), 3);
  table.add_growth(1000, 10000, 12);
  table.add_deriving(10, 50e3);
  table.add_deriving(100, 1e6);
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
