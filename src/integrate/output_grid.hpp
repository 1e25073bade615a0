// The times begin + k interval up to the end, without accumulated rounding; the end is always one of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamel/integrate/memory.hpp"

namespace hamel {

class OutputGrid {
 public:
  OutputGrid() = default;
  OutputGrid(double begin, double interval, double end) : begin_(begin), interval_(interval), end_(end) {}
  double next() const {
    const double t = begin_ + static_cast<double>(count_ + 1) * interval_;
    return t >= end_ - 1e-9 * interval_ ? end_ : t;
  }
  void advance() { ++count_; }
  // Is the next time here? The end need not be one of begin + k interval: a run that goes on has another one.
  bool is_due(double t) const { return begin_ + static_cast<double>(count_ + 1) * interval_ <= t + 1e-9 * interval_; }
  // What is the same time, up to rounding.
  double tolerance(double t) const {
    return 1e-12 * std::min(interval_, end_ - begin_) + 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
  }

  void remember(Memory& memory) { memory(count_); }
  // A run that is continued may have had an earlier end, which is not on the grid.
  void go_on_at(double t) {
    if (begin_ + static_cast<double>(count_) * interval_ > t + 1e-9 * interval_) --count_;
  }

 private:
  double begin_ = 0, interval_ = 0, end_ = 0;
  long long count_ = 0;
};

}  // namespace hamel
