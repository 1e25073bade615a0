#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/record/writer.hpp"
#include "hamel/report/run_page.hpp"
#include "hamel/report/view_options.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "studio.hpp"
#include "summary.hpp"

namespace hamel::cli {

namespace {

namespace fs = std::filesystem;

struct RunOptions : Options {
  std::string model, out;
  RunChanges changes;  // what the command says comes before what the model file says
  bool resume = false, on_another_machine = false, live = false;
};

Method method_of(const RunSection& run) {
  try {
    return method_named(run.integrator, run.step, run.tolerance);
  } catch (const std::invalid_argument& error) {
    throw UsageError(
        fmt::format("{}: use --integrator, --step, --tolerance, or [run] in the model file", error.what()));
  }
}

// Before anything is computed.
void check_outputs(const RunOptions& options, const std::string& model) {
  if (!options.out.empty() && !options.resume) need_output(options.out, options.overwrite, {model});
  if (!options.report.empty()) need_output(options.report, options.overwrite, {model, options.out});
}

// The record that a report is made from, if none is kept: removed in the end.
class TemporaryRecord {
 public:
  explicit TemporaryRecord(const std::string& report) : path_(temporary_path(report)) {}
  ~TemporaryRecord() {
    std::error_code none;
    fs::remove(path_, none);
  }
  TemporaryRecord(const TemporaryRecord&) = delete;
  TemporaryRecord& operator=(const TemporaryRecord&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void show_live(const RunOptions& options) {
  if (!options.out.empty() || !options.report.empty() || !options.start.empty() || options.resume)
    throw UsageError(
        "--live opens the studio, which records and reports by itself: leave out --out, --report, --start");
  open_studio(
      {.model = options.model, .parameters = options.parameters(), .run = options.changes, .json = options.json});
}

void run(const RunOptions& options) {
  if (options.live) return show_live(options);
  if (options.resume && options.out.empty()) throw UsageError("--resume needs --out FILE, the record to be continued");
  check_outputs(options, model_path(options.model));
  const ModelFile file = load_model(options.model, options);
  const RunSection section = changed(file.run, options.changes);
  const Method method = method_of(section);
  if (!(section.until.t > file.start.t))
    throw UsageError(section.until.t == 0
                         ? "until when? Use --until, or [run] in the model file"
                         : fmt::format("the end {} is not after the start {}", section.until.t, file.start.t));
  const System system = derive(file.model);
  if (!options.report.empty()) check_view(file);
  std::vector<std::string> remarks = file.remarks;
  const State start = start_state(file, system, remarks);
  for (const Input& input : file.model.inputs())
    if (!input.law)
      remarks.push_back(fmt::format("the input {0} is zero; give it a law: {0} = {{ law = \"...\" }}", input.name));
  for (const std::string& remark : remarks) print_note(remark);

  std::optional<TemporaryRecord> temporary;
  if (options.out.empty() && !options.report.empty()) temporary.emplace(options.report);
  RunSettings settings{.until = section.until};
  settings.outputs = recorded_outputs(file);
  settings.conserved = file.conserved;
  settings.path = temporary ? temporary->path() : options.out;
  settings.overwrite = options.overwrite;
  settings.resume = options.resume;
  settings.on_another_machine = options.on_another_machine;
  settings.stop = &stop_on_signal();
  std::string problem;
  const RunSummary summary = [&] {
    ProgressBar bar(!is_quiet() && !options.json);
    settings.progress = [&](const Progress& progress) { bar(progress); };
    try {
      return recorded_run(system, start, method, settings, header_of(file));
    } catch (const RunError& error) {
      problem = options.out.empty() ? error.summary.failure : error.what();
      return error.summary;
    } catch (const RecordError&) {
      if (!temporary) throw;
      throw std::runtime_error(
          fmt::format("the report {} cannot be made, for what it is made from cannot be written beside it: make room",
                      options.report));
    }
  }();

  if (options.json)
    print_json(summary_json(file.model, summary));
  else
    print_summary(file.model, summary);
  if (!options.report.empty()) write_report(options.report, settings.path, file, options.overwrite);
  if (!options.json) {
    if (!options.out.empty()) say("\nrecord  {}\n", options.out);
    if (!options.report.empty()) say("report  {}\n", options.report);
  }
  if (!problem.empty()) throw std::runtime_error(problem);
  if (!summary.finished)
    throw std::runtime_error(
        fmt::format("stopped at t = {}{}", summary.final.t,
                    options.out.empty() ? "" : "; the same command with --resume goes on from there"));
}

}  // namespace

void add_run(CLI::App& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = add_command(program, "run", "the motion of a model",
                                  "  hamel run double-spherical-pendulum --report run.html\n"
                                  "  hamel run my-pendulum.toml --step 0.05 --until 100 --out run.h5 --json\n"
                                  "  hamel run my-pendulum.toml --step 0.05 --until 200 --out run.h5 --resume",
                                  *options);
  add_model_argument(*command, options->model, *options);
  command->add_option("--integrator", options->changes.integrator, "variational, variational8, gauss16, rk4, rk45, ...")
      ->type_name("NAME")
      ->check(one_of("integrator", method_names()));
  const auto positive = [&](const char* name, double& value, const char* description) {
    command->add_option(name, value, description)->check(positive_number());
  };
  positive("--step", options->changes.step, "step of methods with a fixed step");
  positive("--tolerance", options->changes.tolerance, "of methods that choose their steps");
  positive("--until", options->changes.until, "end time");
  positive("--every", options->changes.every, "time between two outputs; default: every step");
  command->add_option("--halvings", options->changes.halvings, "how often a step that cannot be taken may be halved")
      ->check(CLI::Range(0, Until::most_halvings));
  command->add_option("--out", options->out, "record the motion in this HDF5 file")->type_name("FILE");
  add_report_option(*command, *options, "write a report with the 3-D motion to this HTML file");
  command->add_flag("--resume", options->resume, "go on with the record --out, to the same bits as without a stop");
  command->add_flag("--live", options->live, "show the motion in a browser, where all of this can be changed");
  command->add_flag("--on-another-machine", options->on_another_machine,
                    "--resume though processor, compiler, flags or libm are others, and the last bits may be");
  command->callback([options] { run(*options); });
}

}  // namespace hamel::cli
