// The examples of the help work: those of a command one after another, in a folder of their own.
#include <set>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

// What stands behind "Example:", line by line; what was folded is whole again.
std::vector<std::string> examples_in(const std::string& help) {
  std::vector<std::string> examples;
  std::istringstream lines(help.substr(help.find("Example:\n")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    "))
      examples.back() += line.substr(3);
    else if (line.starts_with("  "))
      examples.push_back(line.substr(2));
  }
  return examples;
}

std::string pole(const std::string& equilibrium, const std::string& input) {
  return "name = 'A pole on a cart'\n[coordinates]\nx = 'R1'\nq = 'S1'\n[inputs]\nu = " + input +
         "\n[forces]\nmotor = { on = 'x', force = 'u' }\n[energy]\npotential = '0.4905*q.y'\n"
         "kinetic = [\"norm2(x')/2\", \"0.05*norm2([x'[1] + 0.5*q'.x, 0.5*q'.y])\"]\n[equilibria]\n" +
         equilibrium + " = { x = [0], q = [0, 1] }\n[start]\nx = [0.1]\nq = '[sin(0.2), cos(0.2)]'\n";
}

struct Documented {
  const char* command;
  const char* before = "true";  // what makes the files that its examples read
};
std::ostream& operator<<(std::ostream& out, const Documented& documented) { return out << documented.command; }

class HelpExamples : public Command, public testing::WithParamInterface<Documented> {};

constexpr Documented documented_commands[] = {
    {"new"},
    {"list"},
    {"check", "hamel new my-pendulum"},
    {"equations", "hamel new my-pendulum"},
    {"equilibria"},
    {"linearize"},
    {"control"},
    {"region"},
    {"reduce"},
    {"run", "hamel new my-pendulum"},
    {"compare"},
    {"report",
     "hamel run spherical-pendulum --until 0.1 --out run.h5 && "
     "hamel sweep planar-pendulum --vary m=1:2:2 --until 0.1 --keep final --out sweep.h5"},
    {"convert", "hamel run spherical-pendulum --until 0.1 --out run.h5"},
    {"completion"},
};
INSTANTIATE_TEST_SUITE_P(Commands, HelpExamples, testing::ValuesIn(documented_commands),
                         [](const auto& one) { return std::string(one.param.command); });

TEST_P(HelpExamples, WorkInTheirOrder) {
  write("my-cart.toml", pole("inverted", "1"));
  write("my-pole.toml", pole("upright", "{ size = 1, law = { lqr = 'upright', Q = { q = 8 } }, limit = 20 }"));
  const auto bash = [&](const std::string& line) {
    write("line.sh", "PATH=$(dirname $hamel):$PATH\n" + line + "\n");
    return shell("hamel=$hamel bash line.sh");
  };
  const Result prepared = bash(GetParam().before);
  ASSERT_EQ(prepared.code, 0) << prepared.err;
  const std::vector<std::string> examples = examples_in(hamel(std::string(GetParam().command) + " --help").out);
  ASSERT_FALSE(examples.empty());
  for (const std::string& example : examples) {
    const Result result = bash(example);
    EXPECT_EQ(result.code, 0) << example << "\n" << result.err;
  }
}

// Those of `sweep` have thousands of members, and `studio` waits for a browser: they have tests of their own.
TEST_F(Command, ExamplesOfAllCommandsAreTried) {
  std::set<std::string> tried = {"sweep", "studio"};
  for (const Documented& documented : documented_commands) tried.insert(documented.command);
  const std::string help = hamel("--help").out;
  std::istringstream lines(help.substr(help.find("Subcommands:\n")));
  std::set<std::string> commands;
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && !line.empty();)
    if (line[2] != ' ') commands.insert(line.substr(2, line.find(' ', 2) - 2));
  EXPECT_EQ(commands, tried);
}

}  // namespace
}  // namespace hamel::test
