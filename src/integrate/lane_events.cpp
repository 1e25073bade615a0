#include "integrate/lane_events.hpp"

#include <stdexcept>

namespace hamel {
namespace {

class StepOfLane final : public StepInside {
 public:
  StepOfLane(LaneStepper& stepper, int lane) : stepper_(stepper), lane_(lane) {
    which_[static_cast<std::size_t>(lane)] = true;
  }

  void interpolate(double t, State& state) override { stepper_.interpolate(lane_, t, state); }
  void within(double t, State& state) override {
    LaneStepper::Times times;
    times.fill(t);
    if (stepper_.within(which_, times, state, [](int, const State&) {}).any())
      throw std::runtime_error("a shorter step met something unusual");
  }

 private:
  LaneStepper& stepper_;
  int lane_;
  LaneStepper::Lanes which_;
};

}  // namespace

bool LaneEvents::start(int lane, const std::vector<Event>& events, const State& state) {
  check(events);
  finder(lane).emplace(events, state, state.t);
  seen_[static_cast<std::size_t>(lane)] = end_ = state;
  if (!stepper_.looks_at_events()) return true;
  stepper_.current(lane, end_);
  return finder(lane)->has_values_of(end_);
}

std::vector<Occurrence>& LaneEvents::find(int lane) {
  State& begin = seen_[static_cast<std::size_t>(lane)];
  if (stepper_.time_at_mark(lane) != begin.t) {
    stepper_.at_mark(lane, begin);
    finder(lane)->go_to(begin);
  }
  end_.model = begin.model;
  stepper_.current(lane, end_);
  StepOfLane step(stepper_, lane);
  std::vector<Occurrence>& found = finder(lane)->find(step, begin, end_);
  std::swap(begin, end_);
  return found;
}

}  // namespace hamel
