#include "command.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hamel::cli {

Overrides Options::overrides() const {
  Overrides result;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError(fmt::format("--set needs name=value, got {}", text));
    result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& description,
                      const std::string& examples, Options& options) {
  CLI::App* command = program.add_subcommand(name, description);
  command->footer("Example:\n" + examples);
  command->add_flag("--json", options.json, "results as JSON, for programs");
  command->add_flag("-q,--quiet", options.quiet, "no messages and no progress");
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

void add_set_option(CLI::App& command, Options& options) {
  command.add_option("--set", options.set, "a parameter of the model: --set m=2 --set 'l=[1, 2]'")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_overwrite_option(CLI::App& command, Options& options) {
  command.add_flag("--overwrite", options.overwrite, "replace files that exist");
}

void add_model_argument(CLI::App& command, std::string& model) {
  command.add_option("model", model, "a model file, or the name of a model of the gallery")
      ->required()
      ->type_name("MODEL");
}

}  // namespace hamel::cli
