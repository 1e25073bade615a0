// The program `hamel`: a mechanical system from a text file to its motion.
#include <fmt/format.h>

#include <exception>

#include "command.hpp"
#include "console.hpp"

namespace {

constexpr int failed = 1, wrong_usage = 2;

constexpr const char* first_steps = R"(First steps:
  hamel list                                       the models that come with hamel
  hamel check double-spherical-pendulum            what hamel knows about a model
  hamel run double-spherical-pendulum --report run.html
  hamel new my-pendulum                            a model file to start from

MODEL is a model file or the name of a model of the gallery. hamel COMMAND --help shows an example of each.)";

}  // namespace

int main(int argc, char** argv) {
  using namespace hamel::cli;
  CLI::App program("hamel: write the energies of a mechanical system, get its motion", "hamel");
  program.set_version_flag("--version", "hamel " HAMEL_VERSION);
  program.require_subcommand(1);
  program.footer(first_steps);
  for (const auto add :
       {add_new, add_list, add_check, add_equations, add_run, add_compare, add_report, add_convert, add_completion})
    add(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : wrong_usage;
  } catch (const UsageError& error) {
    print_error(error.what());
    return wrong_usage;
  } catch (const std::exception& error) {
    print_error(error.what());
    return failed;
  }
  return 0;
}
