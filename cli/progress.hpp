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

// The same where no more is known than which part is done.
class PartBar {
 public:
  explicit PartBar(bool wanted);
  ~PartBar();
  PartBar(const PartBar&) = delete;
  PartBar& operator=(const PartBar&) = delete;

  void operator()(double part);

 private:
  bool wanted_;
  int shown_ = -1;  // per cent
};

}  // namespace hamel::cli
