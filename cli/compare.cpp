#include "hamel/record/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/log_plot.hpp"
#include "hamel/report/words.hpp"
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

std::vector<ComparedMethod> methods_of(const CompareOptions& options, const ModelFile& file) {
  try {
    return compared_methods(options.integrators, options.steps, options.tolerances, file.run.step);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: use --steps, or [run] in the model file", error.what()));
  }
}

std::string setting_text(const ComparedMethod& what) {
  return what.tolerance > 0 ? fmt::format("tolerance {}", brief(what.tolerance))
                            : fmt::format("step {}", brief(what.step));
}

Json comparison_json(const std::vector<Compared>& results, const Model& model,
                     const std::optional<Reference>& reference) {
  Json rows = Json::array();
  for (const Compared& result : results) {
    Json row = {
        {"integrator", result.method.integrator}, {"step", result.method.step}, {"tolerance", result.method.tolerance}};
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

std::vector<std::string> errors_of(const Compared& result, const std::optional<Reference>& reference) {
  if (reference) return {state_error_text(result.state_error, *reference)};
  return {brief(result.summary->energy.max_error, 3), brief(result.summary->energy.slope, 2)};
}

void print_comparison(const std::vector<Compared>& results, const std::optional<Reference>& reference) {
  std::vector<std::vector<std::string>> rows = {{"integrator", "", "steps"}};
  for (const char* title : {"energy error", "drift per time"})
    if (!reference) rows[0].emplace_back(title);
  if (reference) rows[0].emplace_back("error at the end");
  rows[0].insert(rows[0].end(), {"momentum error", "manifold error", "time"});
  for (const Compared& result : results) {
    if (!result.summary) {
      rows.push_back(
          {result.method.integrator, setting_text(result.method), "failed: " + result.failure.substr(0, 80)});
      continue;
    }
    const RunSummary& summary = *result.summary;
    double momentum = 0;
    for (const auto& errors : summary.momenta) momentum = std::max(momentum, errors.max_error);
    std::vector<std::string> row = {result.method.integrator, setting_text(result.method),
                                    std::to_string(summary.steps)};
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
LogPlot plot_of(const std::vector<Compared>& results, const ModelFile& file, bool has_reference) {
  constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555"};
  LogPlot plot{.title = file.model.name(),
               .x_label = "time per simulated time",
               .y_label = has_reference ? "error of the state at the end, relative"
                                        : "largest energy error, of T and the change of U",
               .curves = {}};
  for (const Compared& result : results) {
    if (!result.summary) continue;
    const double error = has_reference ? result.state_error : result.summary->energy.relative_error();
    if (!(error > 0)) continue;
    if (plot.curves.empty() || plot.curves.back().name != result.method.integrator)
      plot.curves.push_back({result.method.integrator, colours[plot.curves.size() % std::size(colours)], {}});
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

void show_comparison(const CompareOptions& options) {
  if (!options.plot.empty()) need_output(options.plot, options.overwrite, {model_path(options.model)});
  const ModelFile file = load_model(options.model, options);
  const double until = options.until > 0 ? options.until : file.run.until.t;
  if (!(until > file.start.t)) throw UsageError("until when? Use --until, or [run] in the model file");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const std::atomic<bool>& stop = stop_on_signal();
  const auto [results, reference] = compare(system, start, methods_of(options, file), until, stop);
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
  command->callback([options] { show_comparison(*options); });
}

}  // namespace hamel::cli
