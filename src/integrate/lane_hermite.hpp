// Between the ends of a step in eight lanes, by the cubic polynomial of fixed_step.hpp.
#pragma once

#include <stdexcept>

#include "integrate/fixed_step.hpp"
#include "integrate/lane_clocks.hpp"
#include "integrate/lane_field.hpp"

namespace hamel {

class LaneHermite {
 public:
  explicit LaneHermite(long size) : begin_rate_(size), end_rate_(size), y_(VectorXd::Zero(size)) {}

  void forget() { is_known_ = false; }  // the last step: another one was taken

  void operator()(LaneField& field, int lane, double t, const LaneBlock& begin, const LaneBlock& end,
                  const LaneClocks& clocks, bool projects, State& state) {
    find_rates(field, begin, end, clocks);
    if (!has_rates_[static_cast<std::size_t>(lane)]) throw std::runtime_error("the motion is singular there");
    const double h = clocks[lane].t - clocks[lane].begin, s = (t - clocks[lane].begin) / h;
    for (long i = 0; i < y_.size(); ++i)
      y_(i) = hermite(s, h, begin[i][lane], begin_rate_[i][lane], end[i][lane], end_rate_[i][lane]);
    field.unpack(lane, t, projects, y_, state);
  }

 private:
  void find_rates(LaneField& field, const LaneBlock& begin, const LaneBlock& end, const LaneClocks& clocks) {
    if (is_known_) return;
    Eight t0, t1;
    for (int lane = 0; lane < LaneStepper::lanes; ++lane) {
      t0[lane] = clocks[lane].begin;
      t1[lane] = clocks[lane].t;
    }
    has_rates_ = field(t0, begin, begin_rate_);
    has_rates_ &= field(t1, end, end_rate_);
    is_known_ = true;
  }

  LaneBlock begin_rate_, end_rate_;
  VectorXd y_;
  LaneSet has_rates_;
  bool is_known_ = false;
};

}  // namespace hamel
