#include "hamel/graph/interruption.hpp"

#include <chrono>
#include <utility>

namespace hamel {
namespace {

using Clock = std::chrono::steady_clock;

thread_local const Interruptible* innermost_interruptible = nullptr;
thread_local Clock::time_point last_asked;

}  // namespace

Interruptible::Interruptible(std::function<void()> ask)
    : outer_(std::exchange(innermost_interruptible, this)), ask_(std::move(ask)) {
  last_asked = Clock::now();
}

Interruptible::~Interruptible() { innermost_interruptible = outer_; }

void check_interruption() {
  if (innermost_interruptible == nullptr) return;
  const Clock::time_point now = Clock::now();
  if (now - last_asked < std::chrono::milliseconds(20)) return;
  last_asked = now;
  innermost_interruptible->ask_();
}

}  // namespace hamel
