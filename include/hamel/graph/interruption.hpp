// Long work that may be ended from outside: deriving, searching, compiling and the members of ensembles call
// check_interruption() now and then.
//
//   const Interruptible here([] { if (pressed) throw Interruption(); });     for this thread, as long as it lives
#pragma once

#include <functional>

namespace hamel {

// No std::exception, so that no search takes it for a try that failed.
struct Interruption {};

class Interruptible {
 public:
  explicit Interruptible(std::function<void()> ask);  // what it throws comes out of the work
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  const Interruptible* outer_;
  std::function<void()> ask_;
  friend void check_interruption();
};

void check_interruption();  // asks at most every 20 ms; nothing where nobody wants to interrupt

}  // namespace hamel
