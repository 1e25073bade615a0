// The host's C compiler: finding it, knowing it again, and running it without a shell.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace hamel {

struct Compiler {
  std::string path;
  std::string identity;  // path, size and date: a new version is another compiler
};

// $HAMEL_CC or else cc, gcc, clang; nothing where there is none, and a notice unless that is no matter.
std::optional<Compiler> find_compiler(bool with_notice = true);

// A program that can be run, by its path or found in PATH.
std::optional<Compiler> find_program(const std::string& name);

std::vector<std::string> compiler_flags();
std::string host_processor();  // -march=native makes code that only this kind runs

// For tests: how long a compiler may take; also forgets that one took longer.
void set_compile_limit(std::chrono::milliseconds limit);

// A child process with standard output and error in a file. Killed, with its own children, when time is up.
class Process {
 public:
  Process(const std::vector<std::string>& command, const std::string& log);
  ~Process();
  Process(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Empty when it succeeded, otherwise what happened. Throws Interrupted (native.hpp).
  std::string wait(std::chrono::milliseconds limit);
  bool ran_out_of_time() const { return ran_out_of_time_; }

 private:
  void kill();

  pid_t id_ = -1;
  int error_ = 0;
  bool ran_out_of_time_ = false;
};

}  // namespace hamel
