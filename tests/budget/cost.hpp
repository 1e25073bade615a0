// CPU time and memory of something that is done in a process of its own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace hamel::test {

struct Cost {
  double seconds, megabytes;
};

inline double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

inline Cost cost_of(const std::function<void()>& work) {
  std::fflush(stdout);  // or the child has it, too
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return {cpu_seconds(usage), static_cast<double>(usage.ru_maxrss) / 1024};
}

inline void expect_within(const std::string& what, const Cost& bound, const std::function<void()>& work) {
  const Cost cost = cost_of(work);
  fmt::print("{}: {:.2f} s, {:.0f} MB\n", what, cost.seconds, cost.megabytes);
  EXPECT_LE(cost.seconds, bound.seconds) << "s for " << what;
  EXPECT_LE(cost.megabytes, bound.megabytes) << "MB for " << what;
}

// Becomes the command.
inline void run_hamel(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HAMEL_COMMAND);
  std::vector<char*> line;
  for (std::string& argument : arguments) line.push_back(argument.data());
  line.push_back(nullptr);
  if (freopen("/dev/null", "w", stdout) != nullptr) execv(HAMEL_COMMAND, line.data());
  _exit(127);
}

}  // namespace hamel::test
