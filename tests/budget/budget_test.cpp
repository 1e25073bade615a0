// What large models may cost, in CPU time and memory: time grows with the number of links, and so does memory.
//
// Bounds are some three times what was measured on one core of a busy machine, so that a loaded one passes, and what
// grows with the square of n does not. CPU time is that of user and system, with that of the compiler, if it is called.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <hamel/language/model_file.hpp>
#include <hamel/mechanics/system.hpp>

namespace hamel::test {
namespace {

struct Cost {
  double seconds, megabytes;
};

// In a process of its own.
Cost cost_of(const std::function<void()>& work) {
  std::fflush(stdout);  // or the child has it, too
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

struct Large {
  std::string name, file;
  int n;
  double hundred_steps;  // the time they take in the model
  Cost derive, check, run;
};

void PrintTo(const Large& large, std::ostream* out) { *out << large.name; }

class Budget : public ::testing::TestWithParam<Large> {
 protected:
  void expect_within(const std::string& what, const Cost& bound, const std::function<void()>& work) {
    const Cost cost = cost_of(work);
    fmt::print("{} {}: {:.2f} s, {:.0f} MB\n", GetParam().name, what, cost.seconds, cost.megabytes);
    EXPECT_LE(cost.seconds, bound.seconds) << "s for " << what;
    EXPECT_LE(cost.megabytes, bound.megabytes) << "MB for " << what;
  }

  void hamel(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HAMEL_COMMAND);
    arguments.insert(arguments.end(), {"--set", fmt::format("n={}", GetParam().n), "--json"});
    std::vector<char*> line;
    for (std::string& argument : arguments) line.push_back(argument.data());
    line.push_back(nullptr);
    if (freopen("/dev/null", "w", stdout) != nullptr) execv(HAMEL_COMMAND, line.data());
    _exit(127);
  }
};

TEST_P(Budget, IsKept) {
  const Large& large = GetParam();
  expect_within("derive", large.derive, [&] {
    derive(read_model(large.file, {{"n", std::to_string(large.n)}}).model);
  });
  expect_within("check", large.check, [&] { hamel({"check", large.file}); });
  expect_within("run", large.run, [&] {
    hamel({"run", large.file, "--until", fmt::format("{}", large.hundred_steps)});
  });
}

const std::string chain = HAMEL_SOURCE_DIR "/models/chain-pendulum.toml",
                  loop = HAMEL_SOURCE_DIR "/tests/budget/loop.toml", rods = HAMEL_SOURCE_DIR "/tests/budget/rods.toml",
                  molecules = HAMEL_SOURCE_DIR "/models/molecules-on-sphere.toml";

INSTANTIATE_TEST_SUITE_P(
    Models, Budget,
    ::testing::Values(Large{"chain_1000", chain, 1000, 0.01, {4, 400}, {6, 400}, {6, 400}},
                      Large{"chain_4000", chain, 4000, 0.01, {16, 1000}, {24, 1000}, {24, 1000}},
                      Large{"loop_300", loop, 300, 0.01, {3, 200}, {4, 200}, {4, 200}},
                      Large{"loop_1000", loop, 1000, 0.01, {5, 500}, {10, 500}, {10, 500}},
                      Large{"rods_200", rods, 200, 0.01, {2, 150}, {3, 150}, {3, 150}},
                      Large{"molecules_162", molecules, 162, 0.5, {20, 1000}, {20, 1000}, {30, 1000}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace hamel::test
