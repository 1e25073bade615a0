// What a sweep of many short runs may cost: time for each member, and memory that does not grow with their number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

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

Cost cost_of_sweep(int members, const std::string& out) {
  std::fflush(stdout);  // or the child has it, too
  const pid_t child = fork();
  if (child == 0)
    run_hamel({"sweep",
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

TEST(SweepBudget, MemoryDoesNotGrowWithMembers) {
  const std::string out = (std::filesystem::temp_directory_path() / fmt::format("budget-{}.h5", getpid())).string();
  const Cost few = cost_of_sweep(50'000, out), many = cost_of_sweep(200'000, out);
  EXPECT_GT(std::filesystem::file_size(out), 200'000U * 9 * sizeof(double));
  std::filesystem::remove(out);
  fmt::print("50,000 members: {:.2f} s, {:.1f} MB; 200,000: {:.2f} s, {:.1f} MB\n", few.seconds, few.megabytes,
             many.seconds, many.megabytes);
  EXPECT_LE(many.seconds, 8);
  EXPECT_GT(few.megabytes, 5);
  EXPECT_LE(many.megabytes, few.megabytes + 8);
}

}  // namespace
}  // namespace hamel::test
