// What the commands share: options, and how they are added to the program.
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
  bool json = false, overwrite = false;
  std::string report;                   // an HTML file
  std::vector<std::string> set, start;  // name=value

  Overrides parameters() const;
  Overrides start_values() const;
};

// A command with --json, --quiet and an example in its help.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& description,
                      const std::string& examples, Options& options);
CLI::Validator positive_number();
// A word of a list; others are refused with a suggestion.
CLI::Validator one_of(const std::string& what, const std::vector<std::string>& known);
void add_overwrite_option(CLI::App& command, Options& options);
// --report FILE and --overwrite.
void add_report_option(CLI::App& command, Options& options, const std::string& description);
// MODEL, --set and --start. MODEL is a file, the name of a model of the gallery, or - for standard input.
void add_model_argument(CLI::App& command, std::string& model, Options& options);

void add_new(CLI::App& program);
void add_list(CLI::App& program);
void add_check(CLI::App& program);
void add_equations(CLI::App& program);
void add_equilibria(CLI::App& program);
void add_linearize(CLI::App& program);
void add_control(CLI::App& program);
void add_region(CLI::App& program);
void add_reduce(CLI::App& program);
void add_run(CLI::App& program);
void add_sweep(CLI::App& program);
void add_compare(CLI::App& program);
void add_report(CLI::App& program);
void add_convert(CLI::App& program);
void add_studio(CLI::App& program);
void add_completion(CLI::App& program);

}  // namespace hamel::cli
