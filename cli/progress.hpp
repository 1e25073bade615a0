// A line on the terminal that tells how far a run is; nothing at all in a pipe.
#pragma once

#include "hamel/record/recorded_run.hpp"

namespace hamel::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void operator()(const Progress& progress);

 private:
  bool wanted_, shown_ = false;
};

// Ctrl-C asks for a clean stop; the second one ends the program.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace hamel::cli
