// The program `hamel`: a mechanical system from a text file to its motion.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "command.hpp"
#include "console.hpp"
#include "hamel/program/native.hpp"
#include "hamel/record/at_exit.hpp"
#include "help.hpp"
#include "signals.hpp"

namespace hamel::cli {

namespace {

constexpr int failed = 1, wrong_usage = 2, by_signal = 128;

constexpr const char* first_steps = R"(First steps:
  hamel list                                       the models that come with hamel
  hamel check double-spherical-pendulum            what hamel knows about a model
  hamel run double-spherical-pendulum --report run.html
  hamel new my-pendulum                            a model file to start from
  hamel studio my-pendulum.toml                    the same live, in a browser

MODEL is a model file, the name of a model of the gallery, or - for standard input. hamel COMMAND --help shows an
example of each.)";

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "there is no command rn; did you mean run?"
std::string unknown(const std::string& problem, const std::string& word, const std::vector<std::string>& known,
                    const std::string& help) {
  const std::string near = suggestion(word, known);
  return fmt::format("{} {}{}", problem, word, near.empty() ? fmt::format("; {} shows them all", help) : near);
}

// What is wrong with a line that CLI11 does not understand: a word that does not exist comes first.
std::string usage_problem(CLI::App& program, const std::vector<std::string>& words, const std::string& otherwise) {
  if (words.empty()) return "which command? hamel --help shows them";
  const std::string& name = words.front();
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (!contains(names, name)) return unknown("there is no command", name, names, "hamel --help");
  const std::string help = fmt::format("hamel {} --help", name);
  std::vector<std::string> options;
  for (const CLI::Option* option : program.get_subcommand(name)->get_options())
    for (const std::string& known : option->get_lnames()) options.push_back("--" + known);
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (option.starts_with("--") && option != "--" && !contains(options, option))
      return unknown(fmt::format("{} has no option", name), option, options, help);
  }
  return otherwise.find("did you mean") == std::string::npos
             ? fmt::format("{}; {} shows how to use it", otherwise, help)
             : otherwise;
}

int run_program(CLI::App& program, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    if (contains(words, "--json")) give_messages_as_json();
    print_error(UsageError(usage_problem(program, words, error.what())));
    return wrong_usage;
  } catch (const UsageError& error) {
    print_error(error);
    return wrong_usage;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0) print_error(error);  // otherwise close_output says it
    return stop_signal() != 0 ? by_signal + stop_signal() : failed;
  }
}

}  // namespace

}  // namespace hamel::cli

int main(int argc, char** argv) {
  using namespace hamel::cli;
  hamel::end_without_hdf5();
  fail_at_file_limit();
  CLI::App program("hamel: write the energies of a mechanical system, get its motion", "hamel");
  program.set_version_flag("--version", "hamel " HAMEL_VERSION);
  program.formatter(narrow_help());
  program.require_subcommand(1);
  program.footer(first_steps);
  for (const auto add :
       {add_new, add_list, add_check, add_equations, add_equilibria, add_linearize, add_control, add_region, add_reduce,
        add_run, add_sweep, add_studio, add_compare, add_report, add_convert, add_completion})
    add(program);
  hamel::set_notice_handler(print_note);
  const int code = run_program(program, argc, argv);
  return close_output() || code != 0 ? code : failed;
}
