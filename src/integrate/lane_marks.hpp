// Lanes whose motion is one value, which is copied where a step begins and put back afterwards.
#pragma once

#include "hamel/integrate/lane_stepper.hpp"

namespace hamel {

template <class Motion>
class MarkedLanes : public LaneStepper {
 public:
  void mark() final { marked_ = now_; }

 protected:
  explicit MarkedLanes(Motion motion) : now_(std::move(motion)) {}
  void go_to_mark() final {
    end_ = now_;
    now_ = marked_;
  }
  void go_back() final { now_ = end_; }

  Motion now_, marked_ = {};

 private:
  Motion end_ = {};
};

}  // namespace hamel
