#include "signals.hpp"

#include <csignal>

#include "hamel/program/native.hpp"

namespace hamel::cli {

namespace {

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> stopped{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void stop(int number) {
  signal_number = number;
  stopped = true;
  for (const int other : stopping) std::signal(other, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_signal() {
  for (const int number : stopping)
    if (std::signal(number, stop) == SIG_IGN) std::signal(number, SIG_IGN);  // nohup, or in the background of a script
  set_interruption(&stopped);
  return stopped;
}

int stop_signal() { return signal_number; }

void fail_at_file_limit() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace hamel::cli
