#include "engine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "hamel/program/native.hpp"
#include "hamel/studio/desk.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace hamel::cli {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_line = std::size_t{16} << 20;
constexpr milliseconds patience_to_send{5000}, patience_to_end{500};

// Sockets of the server that started this, and pipes of other engines.
void close_inherited() {
  constexpr int most = 1024;
  for (int descriptor = STDERR_FILENO + 1; descriptor < most; ++descriptor) ::close(descriptor);
}

void bound_memory() {
#ifndef __SANITIZE_ADDRESS__
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  rlimit limit{};
  if (pages <= 0 || size <= 0 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t half = static_cast<rlim_t>(pages) / 2 * static_cast<rlim_t>(size);
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= half) return;
  limit.rlim_cur = half;
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void write_event(const std::string& reply) {
  const std::string event = fmt::format("data: {}\n\n", reply);
  for (std::string_view rest = event; !rest.empty();) {
    const ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) _exit(0);  // nobody listens any more
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void read_questions(Desk& desk) {
  std::string line;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    for (std::string_view rest(buffer.data(), static_cast<std::size_t>(count)); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line += rest.substr(0, end);
      if (line.size() > longest_line) return;
      if (end == rest.size()) break;
      desk.hear(line);
      line.clear();
      rest.remove_prefix(end + 1);
    }
  }
}

std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot open a pipe: {}", std::strerror(errno)));
  return ends;
}

bool ends_within(pid_t id, milliseconds patience) {
  constexpr milliseconds moment{5};
  for (milliseconds waited{0}; waited < patience; waited += moment) {
    if (waitpid(id, nullptr, WNOHANG) != 0) return true;
    std::this_thread::sleep_for(moment);
  }
  return false;
}

}  // namespace

void be_engine(const std::string& folder) {
  static std::atomic<bool> ended{false};
  close_inherited();
  bound_memory();
  std::signal(SIGPIPE, SIG_IGN);
  set_interruption(&ended);
  Desk desk(folder, write_event);
  std::thread([&desk] {
    read_questions(desk);
    ended = true;
    desk.close();
    std::this_thread::sleep_for(patience_to_end);
    _exit(0);
  }).detach();
  desk.work();
  _exit(0);
}

Engine::Engine(const std::string& folder) {
  const std::array<int, 2> questions = open_pipe(), replies = open_pipe();
  to_ = questions[1], from_ = replies[0];
  ::fcntl(to_, F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, questions[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, replies[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // Ctrl-C is for the server
  std::string program = "/proc/self/exe", name = "hamel", command = "studio",
              option = "--engine=" + (folder.empty() ? "none" : folder);
  std::array<char*, 4> arguments = {name.data(), command.data(), option.data(), nullptr};
  const int error = posix_spawn(&id_, program.c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(questions[0]);
  ::close(replies[1]);
  if (error == 0) return;
  ::close(to_);
  ::close(from_);
  throw std::runtime_error(fmt::format("cannot start another process: {}", std::strerror(error)));
}

Engine::~Engine() {
  ::close(to_);
  ::close(from_);
  if (ends_within(id_, patience_to_end)) return;
  ::kill(-id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

bool Engine::send(std::string_view line) {
  while (!line.empty()) {
    const ssize_t count = ::write(to_, line.data(), line.size());
    if (count >= 0) {
      line.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = to_, .events = POLLOUT, .revents = 0};
      if (::poll(&ready, 1, static_cast<int>(patience_to_send.count())) <= 0) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace hamel::cli
