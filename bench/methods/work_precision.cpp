// At the end of `make bench`: what each method pays for its accuracy, on three motions.
// usage: hamel_work_precision FILE.json FOLDER    the numbers; the folder of the pictures
#include <fmt/format.h>
#include <fmt/os.h>

#include <cmath>

#include "hamel/report/log_plot.hpp"
#include "measure.hpp"

namespace hamel::bench {
namespace {

struct Result {
  Family family;
  std::vector<Measurement> measurements;
};

std::vector<double> halved(double largest, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i) result.push_back(largest * std::pow(0.5, i));
  return result;
}

Family variational(int order, const std::string& colour, double largest) {
  return {order == 2 ? "variational" : fmt::format("variational{}", order), colour,
          [order](double h) { return Variational{.step = h, .order = order}; }, halved(largest, 6)};
}
Family gauss(int order, const std::string& colour, double largest) {
  return {fmt::format("gauss{}", order), colour, [order](double h) { return Gauss{.step = h, .order = order}; },
          halved(largest, 6)};
}
Family rk4(double largest) {
  return {"rk4", "#777777", [](double h) { return Rk4{h}; }, halved(largest, 6)};
}
Family rk45() {
  return {"rk45",
          "#111111",
          [](double e) { return Rk45{.relative = e, .absolute = e / 100}; },
          {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}};
}
Family dop853() {
  return {"dop853",
          "#3a8a3a",
          [](double e) { return Dop853{.relative = e, .absolute = e / 100}; },
          {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14}};
}
Family rkmk4(double largest) {
  return {"rkmk4", "#b08000", [](double h) { return LieRk{h}; }, halved(largest, 6)};
}

// The longest steps in units of a time in which the motion turns by about one radian.
std::vector<Family> families(double unit) {
  return {variational(2, "#f4a08a", 0.4 * unit),
          variational(4, "#e0593f", 0.8 * unit),
          variational(6, "#b3261e", 0.6 * unit),
          variational(8, "#6b0f1a", 1.4 * unit),
          gauss(4, "#8fc1f0", 0.8 * unit),
          gauss(8, "#2f7fd0", 1.4 * unit),
          gauss(16, "#0b2f7a", 2.0 * unit),
          rk4(0.4 * unit),
          rk45(),
          dop853()};
}

Result run(const Subject& subject, const Family& family) {
  Result result{family, {}};
  for (const double step : family.steps) {
    try {
      result.measurements.push_back(measure(subject, family.with(step), step));
    } catch (const StepError&) {
      continue;  // too long for this motion
    }
  }
  return result;
}

void print(const Subject& subject, const std::vector<Result>& results) {
  fmt::print("\n{}, {:g} s\n{:<14} {:>12} {:>14} {:>14} {:>14}\n", subject.name, subject.duration, "method",
             "step or tol.", "energy error", "q at the end", "microsec./s");
  for (const Result& result : results)
    for (const auto& [step, error, cost, way] : result.measurements)
      fmt::print("{:<14} {:>12.3g} {:>14.2e} {:>14} {:>14.1f}\n", result.family.name, step, error,
                 subject.end.size() > 0 ? fmt::format("{:.2e}", way) : "", 1e6 * cost);
}

std::string json(const Subject& subject, const std::vector<Result>& results) {
  std::string rows;
  for (const Result& result : results)
    for (const auto& [step, error, cost, way] : result.measurements)
      rows += fmt::format(
          "{}\n    {{\"system\": \"{}\", \"method\": \"{}\", \"step_or_tolerance\": {:.6g}, \"energy_error\": {:.6g}, "
          "\"end_error\": {}, \"seconds_per_second\": {:.6g}}}",
          rows.empty() ? "" : ",", subject.name, result.family.name, step, error,
          subject.end.size() > 0 ? fmt::format("{:.6g}", way) : "null", cost);
  return rows;
}

void draw(const Subject& subject, const std::vector<Result>& results, const std::string& path,
          double Measurement::*error, const std::string& what) {
  constexpr double smallest = 1e-17;  // for zero has no logarithm
  LogPlot plot{
      fmt::format("{}, {:g} s", subject.name, subject.duration), "CPU time per simulated second (s)", what, {}};
  for (const Result& result : results) {
    svg::Curve curve;
    for (const Measurement& m : result.measurements) curve.push_back({m.cost, std::max(m.*error, smallest)});
    if (!curve.empty()) plot.curves.push_back({result.family.name, result.family.colour, curve});
  }
  fmt::output_file(path).print("{}", hamel::draw(plot));
}

void run(const std::string& table, const std::string& folder) {
  std::string rows;
  const auto compare = [&](const Subject& subject, const std::vector<Family>& candidates) {
    std::vector<Result> results;
    for (const Family& family : candidates) results.push_back(run(subject, family));
    print(subject, results);
    rows += (rows.empty() ? "" : ",") + json(subject, results);
    const std::string path = fmt::format("{}/work-precision-{}", folder, subject.file);
    draw(subject, results, path + ".svg", &Measurement::error, "largest energy error / largest T + |U|");
    if (subject.end.size() > 0)
      draw(subject, results, path + "-attitude.svg", &Measurement::way, "error of the attitude at the end");
  };
  compare(double_pendulum(), families(1));
  compare(chain_of_ten(), families(0.1));
  std::vector<Family> for_bodies = families(0.5);
  for_bodies.push_back(rkmk4(0.4));
  compare(tumbling_body(), for_bodies);
  fmt::output_file(table).print("{{\n  \"rows\": [{}\n  ]\n}}\n", rows);
}

}  // namespace
}  // namespace hamel::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: hamel_work_precision FILE.json FOLDER\n");
    return 2;
  }
  try {
    hamel::bench::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "hamel_work_precision: {}\n", error.what());
    return 1;
  }
}
