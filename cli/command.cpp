#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "console.hpp"

namespace hamel::cli {

namespace {

Overrides split(const std::vector<std::string>& texts, const char* option) {
  Overrides result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError(fmt::format("{} needs name=value, got {}", option, text));
    result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

}  // namespace

Overrides Options::parameters() const { return split(set, "--set"); }
Overrides Options::start_values() const { return split(start, "--start"); }

CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& description,
                      const std::string& examples, Options& options) {
  CLI::App* command = program.add_subcommand(name, description);
  command->footer("Example:\n" + examples);
  const auto json = [&options] {
    options.json = true;
    give_messages_as_json();
  };
  command->add_flag_callback("--json", json, "results and errors as JSON, for programs");
  command->add_flag_callback("-q,--quiet", be_quiet, "nothing but errors, and what --json asks for");
  return command;
}

CLI::Validator positive_number() {
  const auto check = [](const std::string& text) {
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && value > 0 && std::isfinite(value)
               ? std::string()
               : fmt::format("must be a positive number, not {}", text);
  };
  return {check, "", "positive number"};
}

CLI::Validator one_of(const std::string& what, const std::vector<std::string>& known) {
  const auto check = [what, known](const std::string& text) {
    if (std::find(known.begin(), known.end(), text) != known.end()) return std::string();
    const std::string near = suggestion(text, known);
    return fmt::format("unknown {} {}{}", what, text,
                       near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near);
  };
  return {check, "", what};
}

void add_overwrite_option(CLI::App& command, Options& options) {
  command.add_flag("--overwrite", options.overwrite, "replace files that exist");
}

void add_report_option(CLI::App& command, Options& options, const std::string& description) {
  command.add_option("--report", options.report, description)->type_name("FILE");
  add_overwrite_option(command, options);
}

void add_model_argument(CLI::App& command, std::string& model, Options& options) {
  command.add_option("model", model, "a model file, the name of a model of the gallery, or - for standard input")
      ->required()
      ->type_name("MODEL");
  command.add_option("--set", options.set, "a parameter of the model: --set m=2 --set 'l=[1, 2]'")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--start", options.start, "an entry of [start]: --start 'q=[0, 0, 1]' --start 'omega.q=[1, 0, 0]'")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

}  // namespace hamel::cli
