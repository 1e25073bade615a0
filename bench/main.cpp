// `make bench`: hamel against code written by hand for each system, in one run, and what may be lost by generality.
// usage: hamel_bench [--benchmark_...] [FILE]    FILE: where the table goes as JSON, bench.json by default

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "double_pendulum.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

Rows make_rows() {
  const std::string filter = benchmark::GetBenchmarkFilter();
  Rows rows(filter.empty() || filter == "all" ? "." : filter);
  for (const Tier tier : {Tier::native, Tier::interpreted}) {
    for (const int links : {1, 2, 5, 10}) add_chain_accelerations(rows, tier, links);
    add_body_accelerations(rows, tier);
    const double bound = tier == Tier::native ? 2 : 30;
    add_steps(rows, "double pendulum", tier, double_pendulum(), 0.01, bound);
    for (const int links : {2, 5, 10}) add_steps(rows, "chain", tier, chain_numbers(links), chain_step(links), bound);
  }
  for (const int links : {100, 1000})
    add_steps(rows, "chain", Tier::native, chain_numbers(links), chain_step(links), 3);
  for (const int links : {100, 1000, 10000}) add_chain_accelerations(rows, Tier::native, links);
  for (const int links : {2, 10})
    for (const Method& method :
         {Method(Rk4{.step = 0.01}), Method(LieRk{.step = 0.01}),
          Method(LieRk{.step = 0.01, .scheme = LieScheme::commutator_free4}), Method(Variational{.step = 0.01}),
          Method(Gauss{.step = 0.05, .order = 8}), Method(Dop853{.relative = 1e-6, .absolute = 1e-6})})
      add_lanes(rows, links, method, links == 2 ? 0.17 : 0.25);
  add_short_motions(rows, 0.42);
  add_accuracy(rows);
  add_general_methods(rows);
  add_growth(rows, 1000, 10000, 12);
  add_deriving(rows, 10, 50e3);
  add_deriving(rows, 100, 1e6);
  add_other_parameters(rows, 50);
  return rows;
}

class Medians : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.aggregate_name == "median" || run.repetitions == 1)
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
  const Rows rows = make_rows();
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  const auto comparisons = rows.finish(medians.microseconds());
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
