// What the commands share: options, output, and how they are added to the program.
//
// Results go to stdout, as a short table or as JSON; messages go to stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hamel/language/model_file.hpp"

namespace hamel::cli {

using Json = nlohmann::ordered_json;

// Usage that CLI11 cannot check: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  bool json = false, quiet = false, overwrite = false;
  std::vector<std::string> set;  // name=value

  Overrides overrides() const;
};

// A command with --json, --quiet and an example in its help.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& description,
                      const std::string& examples, Options& options);
CLI::Validator positive_number();
void add_set_option(CLI::App& command, Options& options);
void add_overwrite_option(CLI::App& command, Options& options);
// MODEL: a file, or the name of a model of the gallery.
void add_model_argument(CLI::App& command, std::string& model);

void add_new(CLI::App& program);
void add_list(CLI::App& program);
void add_check(CLI::App& program);
void add_equations(CLI::App& program);
void add_run(CLI::App& program);
void add_compare(CLI::App& program);
void add_report(CLI::App& program);
void add_convert(CLI::App& program);
void add_completion(CLI::App& program);

}  // namespace hamel::cli
