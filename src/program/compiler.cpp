#include "program/compiler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "hamel/graph/interruption.hpp"
#include "hamel/program/native.hpp"
#include "program/notice.hpp"

extern char** environ;

namespace hamel {
namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> find_executable(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_executable(name) ? std::optional<fs::path>(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && is_executable(fs::path(folder) / name)) return fs::path(folder) / name;
  return std::nullopt;
}

Compiler identify(const fs::path& path) {
  std::error_code ignored;
  const fs::path target = fs::canonical(path, ignored);
  struct stat status {};
  ::stat(path.c_str(), &status);
  return {path.string(), fmt::format("{} {} {}.{:09}", target.string(), status.st_size, status.st_mtim.tv_sec,
                                     status.st_mtim.tv_nsec)};
}

std::atomic<const std::atomic<bool>*> interruption = nullptr;

bool is_interrupted() {
  const std::atomic<bool>* flag = interruption;
  return flag != nullptr && *flag;
}

}  // namespace

void set_interruption(const std::atomic<bool>* flag) { interruption = flag; }

std::optional<Compiler> find_compiler(bool with_notice) {
  if (const char* chosen = std::getenv("HAMEL_CC"); chosen != nullptr && *chosen != '\0') {
    if (const auto found = find_program(chosen)) return found;
    if (with_notice)
      notice("no compiler " + std::string(chosen),
             fmt::format("no native code: HAMEL_CC={} is not a program that can be run; set it to a C compiler. "
                         "Programs run in the interpreter.",
                         chosen));
    return std::nullopt;
  }
  for (const char* name : {"cc", "gcc", "clang"})
    if (const auto found = find_program(name)) return found;
  if (with_notice)
    notice("no compiler",
           "no native code: none of cc, gcc, clang is in PATH; install one or set HAMEL_CC. Programs run in the "
           "interpreter.");
  return std::nullopt;
}

std::optional<Compiler> find_program(const std::string& name) {
  const auto path = find_executable(name);
  return path ? std::optional(identify(*path)) : std::nullopt;
}

std::vector<std::string> compiler_flags() {
  // -O2 runs up to a tenth faster than -O1 and compiles in 1.7 times the time; -O3 gains nothing more. Products and
  // sums do not fuse, so that the bits are the interpreter's. What is worth a vector unit is written for one; gcc 12
  // would put a b - c and a b + c of two neighbours into one vfmsubadd, fused whatever it was told.
  std::vector<std::string> flags = {"-x",
                                    "c",
                                    "-std=gnu11",
                                    "-w",
                                    "-O2",
                                    "-march=native",
                                    "-ffp-contract=off",
                                    "-fno-tree-vectorize",
                                    "-fno-tree-slp-vectorize",
                                    "-fno-math-errno",
                                    "-fno-common",
                                    "-fPIC",
                                    "-shared"};
  if (const char* more = std::getenv("HAMEL_CFLAGS")) {
    std::istringstream words(more);
    for (std::string word; words >> word;) flags.push_back(word);
  }
  return flags;
}

std::string host_processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const std::string_view key : {"vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU "})
      if (line.starts_with(key)) text += line + '\n';
  utsname system{};
  if (::uname(&system) == 0) text += system.machine;
  return text;
}

Process::Process(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // so that the compiler's own children can be killed
  error_ = posix_spawn(&id_, command.front().c_str(), &files, &attributes, arguments.data(), environ);
  if (error_ != 0) id_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)), error_(other.error_), ran_out_of_time_(other.ran_out_of_time_) {}

Process::~Process() { kill(); }

void Process::kill() {
  if (id_ < 0) return;
  ::kill(-id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
  id_ = -1;
}

std::string Process::wait(std::chrono::milliseconds limit) {
  if (id_ < 0) return fmt::format("could not be started: {}", std::strerror(error_));
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int status = 0;
  for (pid_t done = 0; (done = ::waitpid(id_, &status, WNOHANG)) != id_;) {
    if (done < 0 && errno != EINTR) {  // someone else waited for it
      id_ = -1;
      return fmt::format("was lost: {}", std::strerror(errno));
    }
    check_interruption();
    if (is_interrupted()) {
      kill();
      throw Interrupted("stopped while programs were compiled");
    }
    if (std::chrono::steady_clock::now() > deadline) {
      kill();
      ran_out_of_time_ = true;
      return fmt::format("did not finish within {} s and was stopped", std::chrono::duration<double>(limit).count());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  id_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return WIFEXITED(status) ? fmt::format("failed with exit status {}", WEXITSTATUS(status))
                           : fmt::format("was ended by signal {}", WTERMSIG(status));
}

}  // namespace hamel
