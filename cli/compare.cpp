#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/report/log_plot.hpp"
#include "hamel/report/words.hpp"
#include "hamel/symmetry/noether.hpp"
#include "reference.hpp"
#include "signals.hpp"
#include "summary.hpp"

namespace hamel::cli {

namespace {

struct CompareOptions : Options {
  std::string model, plot;
  std::vector<std::string> integrators;
  std::vector<double> steps, tolerances;
  double until = 0;
};

bool chooses_steps(const std::string& integrator) { return !find_method(integrator)->takes_step; }

struct Case {
  std::string integrator;
  double step = 0, tolerance = 0;
};

std::vector<Case> cases_of(const CompareOptions& options, const ModelFile& file) {
  std::vector<double> steps = options.steps, tolerances = options.tolerances;
  if (steps.empty() && file.run.step > 0) steps = {file.run.step, file.run.step / 2, file.run.step / 4};
  if (tolerances.empty()) tolerances = {1e-6, 1e-9, 1e-12};
  std::vector<Case> cases;
  for (const std::string& integrator : options.integrators) {
    if (chooses_steps(integrator))
      for (const double tolerance : tolerances) cases.push_back({integrator, 0, tolerance});
    else
      for (const double step : steps) cases.push_back({integrator, step, 0});
    if (!chooses_steps(integrator) && steps.empty())
      throw UsageError(fmt::format("{} needs steps: use --steps, or [run] in the model file", integrator));
  }
  return cases;
}

struct Result {
  Case what;
  std::optional<RunSummary> summary = {};
  std::string failure = {};
  double state_error = 0;  // where there is a reference
};

// Several runs where one is short, so that the time can be measured.
Result measure(const System& system, const State& start, const Case& what, double until,
               const std::atomic<bool>& stop) {
  Result result{.what = what};
  constexpr double shortest = 0.05;
  try {
    const Method method = method_named(what.integrator, what.step, what.tolerance);
    RunSettings settings{.until = {until}};
    settings.stop = &stop;
    double total = 0, best = 0;
    do {
      result.summary = recorded_run(system, start, method, settings);
      const double seconds = result.summary->wall_seconds;
      best = best == 0 ? seconds : std::min(best, seconds);
      total += seconds;
    } while (total < shortest && !stop);
    result.summary->wall_seconds = best;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  return result;
}

std::string setting_text(const Case& what) {
  return what.tolerance > 0 ? fmt::format("tolerance {}", brief(what.tolerance))
                            : fmt::format("step {}", brief(what.step));
}

// Energy tells how good a run is where it is conserved; elsewhere a solution does.
std::optional<Reference> reference_of(const System& system, const State& start, double until,
                                      const std::atomic<bool>& stop) {
  if (system.is_conservative() || conserved_momenta(system.model()).energy_conserved) return {};
  try {
    return Reference(system, start, until, stop);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "the energy of this model is not conserved, and a solution to compare with cannot be had: {}; try a "
        "shorter run, --until",
        error.what()));
  }
}

Json comparison_json(const std::vector<Result>& results, const Model& model,
                     const std::optional<Reference>& reference) {
  Json rows = Json::array();
  for (const Result& result : results) {
    Json row = {
        {"integrator", result.what.integrator}, {"step", result.what.step}, {"tolerance", result.what.tolerance}};
    if (result.summary) row["run"] = summary_json(model, *result.summary);
    if (result.summary && reference) {
      row["state_error"] = result.state_error;
      row["reference"] = {{"method", reference->text()}, {"error", reference->error()}};
    }
    if (!result.summary) row["failure"] = result.failure;
    rows.push_back(row);
  }
  return rows;
}

// An error that is smaller than that of the solution is not known.
std::string state_error_text(double error, const Reference& reference) {
  return error > reference.error() ? brief(error, 3) : "below " + brief(reference.error(), 2);
}

std::vector<std::string> errors_of(const Result& result, const std::optional<Reference>& reference) {
  if (reference) return {state_error_text(result.state_error, *reference)};
  return {brief(result.summary->energy.max_error, 3), brief(result.summary->energy.slope, 2)};
}

void print_comparison(const std::vector<Result>& results, const std::optional<Reference>& reference) {
  std::vector<std::vector<std::string>> rows = {{"integrator", "", "steps"}};
  for (const char* title : {"energy error", "drift per time"})
    if (!reference) rows[0].emplace_back(title);
  if (reference) rows[0].emplace_back("error at the end");
  rows[0].insert(rows[0].end(), {"momentum error", "manifold error", "time"});
  for (const Result& result : results) {
    if (!result.summary) {
      rows.push_back({result.what.integrator, setting_text(result.what), "failed: " + result.failure.substr(0, 80)});
      continue;
    }
    const RunSummary& summary = *result.summary;
    double momentum = 0;
    for (const auto& errors : summary.momenta) momentum = std::max(momentum, errors.max_error);
    std::vector<std::string> row = {result.what.integrator, setting_text(result.what), std::to_string(summary.steps)};
    for (std::string& text : errors_of(result, reference)) row.push_back(std::move(text));
    row.insert(row.end(), {summary.momenta.empty() ? "-" : brief(momentum, 3), brief(summary.manifold.max_error, 3),
                           fmt::format("{} s", brief(summary.wall_seconds, 3))});
    rows.push_back(std::move(row));
  }
  print_table(rows);
  if (reference)
    say("\nThe energy is not conserved. Errors at the end are those of points and rates, relative to their largest "
        "size, "
        "against a solution by {} (good to {}).\n",
        reference->text(), brief(reference->error(), 2));
}

// Error against cost, one curve per integrator.
LogPlot plot_of(const std::vector<Result>& results, const ModelFile& file, bool has_reference) {
  constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555"};
  LogPlot plot{.title = file.model.name(),
               .x_label = "time per simulated time",
               .y_label = has_reference ? "error of the state at the end, relative"
                                        : "largest energy error, of T and the change of U",
               .curves = {}};
  for (const Result& result : results) {
    if (!result.summary) continue;
    const double error = has_reference ? result.state_error : result.summary->energy.relative_error();
    if (!(error > 0)) continue;
    if (plot.curves.empty() || plot.curves.back().name != result.what.integrator)
      plot.curves.push_back({result.what.integrator, colours[plot.curves.size() % std::size(colours)], {}});
    plot.curves.back().points.push_back({result.summary->wall_seconds / result.summary->time, error});
  }
  return plot;
}

void write_plot(const CompareOptions& options, const LogPlot& plot) {
  if (plot.curves.empty()) throw std::runtime_error("there is nothing to plot: no run had an error");
  OutputFile file(options.plot, options.overwrite);
  file.write(draw(plot));
  file.publish();
}

void compare(const CompareOptions& options) {
  if (!options.plot.empty()) need_output(options.plot, options.overwrite, {model_path(options.model)});
  const ModelFile file = load_model(options.model, options);
  const double until = options.until > 0 ? options.until : file.run.until.t;
  if (!(until > file.start.t)) throw UsageError("until when? Use --until, or [run] in the model file");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const std::atomic<bool>& stop = stop_on_signal();
  const std::vector<Case> cases = cases_of(options, file);
  const std::optional<Reference> reference = reference_of(system, start, until, stop);
  std::vector<Result> results;
  for (const Case& what : cases) {
    if (stop) break;
    results.push_back(measure(system, start, what, until, stop));
    if (reference && results.back().summary)
      results.back().state_error = reference->distance(results.back().summary->final);
  }
  if (!options.plot.empty()) write_plot(options, plot_of(results, file, reference.has_value()));
  if (options.json)
    print_json(comparison_json(results, file.model, reference));
  else
    print_comparison(results, reference);
  if (!options.plot.empty() && !options.json) say("\nplot  {}\n", options.plot);
  if (stop) throw std::runtime_error("stopped");
}

}  // namespace

void add_compare(CLI::App& program) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = add_command(program, "compare", "what integrators keep of a model, and what they cost",
                                  "  hamel compare double-spherical-pendulum --integrators variational,gauss8,rk4,rk45 "
                                  "--steps 0.1,0.05 --plot cost.svg",
                                  *options);
  add_model_argument(*command, options->model, *options);
  command->add_option("--integrators", options->integrators, "which ones, separated by commas")
      ->delimiter(',')
      ->required()
      ->check(one_of("integrator", method_names()))
      ->type_name("A,B,...");
  command
      ->add_option("--steps", options->steps,
                   "of those with a fixed step; default: that of [run], its half and quarter")
      ->delimiter(',')
      ->check(positive_number())
      ->type_name("H1,H2,...");
  command->add_option("--tolerances", options->tolerances, "of those that choose their steps; default: 1e-6,1e-9,1e-12")
      ->delimiter(',')
      ->check(positive_number())
      ->type_name("E1,E2,...");
  command->add_option("--until", options->until, "end time")->check(positive_number());
  command->add_option("--plot", options->plot, "draw errors against time in this SVG file")->type_name("FILE");
  add_overwrite_option(*command, *options);
  command->callback([options] { compare(*options); });
}

}  // namespace hamel::cli
