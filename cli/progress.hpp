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
  void operator()(double part);  // where no more is known; drawn when a per cent is done

 private:
  void draw(double part, const std::string& more);

  bool wanted_;
  int shown_ = -1;  // per cent
};

}  // namespace hamel::cli
