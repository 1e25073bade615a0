// Signals that ask for an end: Ctrl-C, SIGTERM, SIGHUP. The first one lets the work end cleanly, the second one ends
// the program at once.
#pragma once

#include <atomic>

namespace hamel::cli {

// From now on; the flag is true once a signal has come. Those that the program was started to ignore stay ignored.
const std::atomic<bool>& stop_on_signal();
int stop_signal();  // the one that came, or 0

// A file that grows beyond what the shell allows (ulimit -f) is a write that fails, as on a full disk.
void fail_at_file_limit();

}  // namespace hamel::cli
