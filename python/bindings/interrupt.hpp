// Long work without the lock of Python, that Ctrl-C ends.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>

#include "hamel/graph/interruption.hpp"

namespace hamel::python {

namespace nb = nanobind;

// Without the lock of Python as long as it lives. Work that asks for interruptions (hamel/graph/interruption.hpp) ends
// with Interruption where a handler of signals raises; the error of Python is set then.
class Unlocked {
 public:
  Unlocked() : interruptible_(look_for_signals) {}

 private:
  static void look_for_signals() {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw Interruption();
  }

  nb::gil_scoped_release release_;
  Interruptible interruptible_;
};

// The work runs beside this thread, which looks for signals; it ends soon after `stop` has become true. What Python's
// handler raises comes out then, and otherwise what the work returns or throws.
template <class Work>
auto interruptible(const Work& work) {
  std::atomic<bool> stop = false;
  std::exception_ptr interrupt;
  auto result = std::async(std::launch::async, [&] {
    const Interruptible here([&] {
      if (stop) throw Interruption();
    });
    return work(stop);
  });
  {
    const nb::gil_scoped_release release;
    while (result.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
      const nb::gil_scoped_acquire acquire;
      if (interrupt || PyErr_CheckSignals() == 0) continue;
      interrupt = std::make_exception_ptr(nb::python_error());
      stop = true;
    }
  }
  if (interrupt) std::rethrow_exception(interrupt);
  return result.get();
}

}  // namespace hamel::python
