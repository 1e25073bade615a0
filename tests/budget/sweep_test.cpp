// What a sweep of many short runs may cost: time for each member, and memory that does not grow with their number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "budget/cost.hpp"

namespace hamel::test {
namespace {

// The most that a process has had so far, in MB; 0 where it is gone. What its parent had counts in that of wait4.
double most_memory(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

// A file in a folder for all.
std::string temporary(const std::string& ending) {
  return (std::filesystem::temp_directory_path() / fmt::format("budget-{}{}", getpid(), ending)).string();
}

Cost cost_of_sweep(const std::vector<std::string>& arguments) {
  std::fflush(stdout);  // or the child has it, too
  const pid_t child = fork();
  if (child == 0) run_hamel(arguments);
  Cost cost{};
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, WNOHANG, &usage) == 0) {
    cost.megabytes = std::max(cost.megabytes, most_memory(child));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cost.seconds = cpu_seconds(usage);
  return cost;
}

Cost cost_of_short_runs(int members, const std::string& out) {
  return cost_of_sweep({"sweep",
                        HAMEL_SOURCE_DIR "/models/planar-pendulum.toml",
                        "--vary",
                        fmt::format("m=0.5:2:{}", members),
                        "--integrator",
                        "rk4",
                        "--step",
                        "0.01",
                        "--until",
                        "0.1",
                        "--keep",
                        "final",
                        "--keep",
                        "energy",
                        "--out",
                        out,
                        "--overwrite",
                        "--threads",
                        "2",
                        "-q"});
}

TEST(SweepBudget, MemoryDoesNotGrowWithMembers) {
  const std::string out = temporary(".h5");
  const Cost few = cost_of_short_runs(50'000, out), many = cost_of_short_runs(200'000, out);
  EXPECT_GT(std::filesystem::file_size(out), 200'000U * 9 * sizeof(double));
  std::filesystem::remove(out);
  fmt::print("50,000 members: {:.2f} s, {:.1f} MB; 200,000: {:.2f} s, {:.1f} MB\n", few.seconds, few.megabytes,
             many.seconds, many.megabytes);
  EXPECT_LE(many.seconds, 8);
  EXPECT_GT(few.megabytes, 5);
  EXPECT_LE(many.megabytes, few.megabytes + 8);
}

// Angles, as people write them: the mass matrix depends on them. Each alone, with a dense solve, 17 s.
TEST(SweepBudget, OfAMassThatDependsOnTheStateIsNative) {
  const std::string model = temporary(".toml"), out = temporary(".h5");
  std::ofstream(model) << R"toml(
name = "Double pendulum in angles"
[coordinates]
a = "R1"
b = "R1"
[points]
x = ["[sin(a), -cos(a)]", "x[1] + [sin(b), -cos(b)]"]
[energy]
kinetic = "sum(i in 1..2, norm2(x'[i])/2)"
potential = "sum(i in 1..2, 9.81*x[i].y)"
[start]
a = 1.0
b = 0.5
)toml";
  const Cost cost = cost_of_sweep({"sweep", model, "--vary", "start.a=-1:1:10000", "--integrator", "rk4", "--step",
                                   "0.01", "--until", "10", "--keep", "final", "--out", out, "--overwrite", "-q"});
  std::filesystem::remove(model);
  std::filesystem::remove(out);
  fmt::print("10,000 members: {:.2f} s\n", cost.seconds);
  EXPECT_LE(cost.seconds, 6);
}

}  // namespace
}  // namespace hamel::test
