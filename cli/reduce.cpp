#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/words.hpp"
#include "hamel/symmetry/routh.hpp"

namespace hamel::cli {

namespace {

struct ReduceOptions : Options {
  std::string model, coordinate, out;
  std::optional<double> momentum;
  bool check = false;
};

std::string only_cyclic(const Model& model) {
  const std::vector<std::string> cyclic = cyclic_coordinates(model);
  if (cyclic.size() == 1) return cyclic.front();
  throw UsageError(cyclic.empty() ? fmt::format("{} has no cyclic coordinate on R or S1", model.name())
                                  : fmt::format("which? Use --coordinate {}", fmt::join(cyclic, ", or --coordinate ")));
}

struct Agreement {
  double until = 0, difference = 0;
};

// The whole motion beside the one that is put together from the reduced one.
Agreement compared(const ModelFile& file, const System& system, const State& start, const RouthReduction& reduction) {
  constexpr double outputs = 2000;
  const ModelFile small = parse_model(reduction.text, "the reduced model");
  const System reduced = derive(small.model);
  std::vector<std::string> remarks;
  const double until = file.run.until.t > start.t ? file.run.until.t : start.t + 10,
               every = (until - start.t) / outputs;
  const Dop853 method{.relative = 1e-12, .absolute = 1e-13};
  State begin = start_state(small, reduced, remarks);
  begin.t = start.t;
  const Trajectory run = integrate(reduced, begin, method, {.t = until, .every = every});
  const std::vector<State> rebuilt = reconstruct(system, start, reduction, run.states);
  const Trajectory whole = integrate(system, rebuilt.front(), method, {.t = until, .every = every});
  double largest = 0;
  for (std::size_t k = 0; k < std::min(rebuilt.size(), whole.states.size()); ++k)
    largest = std::max(largest, (rebuilt[k].q - whole.states[k].q).lpNorm<Eigen::Infinity>());
  return {until, largest};
}

void reduce(const ReduceOptions& options) {
  if (!options.out.empty()) need_output(options.out, options.overwrite, {model_path(options.model)});
  const ModelFile file = load_model(options.model, options);
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  for (const std::string& remark : remarks) print_note(remark);
  const std::string coordinate = options.coordinate.empty() ? only_cyclic(file.model) : options.coordinate;
  const RouthReduction reduction = routh_reduction(system, start, coordinate, options.momentum);
  const std::string text = reduction.text + run_text(file.run);
  if (!options.out.empty()) {
    OutputFile out(options.out, options.overwrite);
    out.write(text);
    out.publish();
  }
  const Agreement agreement = options.check ? compared(file, system, start, reduction) : Agreement{};
  if (options.json) {
    Json json = {
        {"model", file.model.name()}, {"coordinate", coordinate}, {"momentum", reduction.momentum}, {"text", text}};
    if (options.check) json["check"] = {{"until", agreement.until}, {"difference", agreement.difference}};
    return print_json(json);
  }
  if (options.out.empty())
    say_as_it_is("{}", text);
  else
    say("{} without {}, whose momentum is {}: {}\n", file.model.name(), coordinate, brief(reduction.momentum),
        options.out);
  if (options.check)
    say("{}until t = {} it moves as the whole does, to {}\n", options.out.empty() ? "# " : "", brief(agreement.until),
        brief(agreement.difference, 2));
}

}  // namespace

void add_reduce(CLI::App& program) {
  const auto options = std::make_shared<ReduceOptions>();
  CLI::App* command =
      add_command(program, "reduce", "a model without a cyclic coordinate: Routh's reduction",
                  "  hamel reduce furuta-pendulum --coordinate 'q[1]' --out reduced.toml --check", *options);
  add_model_argument(*command, options->model, *options);
  command->add_option("--coordinate", options->coordinate, "that the energies do not depend on, in R or S1")
      ->type_name("NAME");
  command->add_option("--momentum", options->momentum, "of that coordinate; default: as at the start");
  command->add_option("--out", options->out, "write the reduced model to this file; default: print it")
      ->type_name("FILE");
  command->add_flag("--check", options->check, "run both, put the whole motion together, and say how far they differ");
  add_overwrite_option(*command, *options);
  command->callback([options] { reduce(*options); });
}

}  // namespace hamel::cli
