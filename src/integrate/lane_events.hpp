// The events of eight motions, each of which has a finder of its own.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hamel/integrate/lane_stepper.hpp"
#include "integrate/event_finder.hpp"

namespace hamel {

class LaneEvents {
 public:
  explicit LaneEvents(LaneStepper& stepper) : stepper_(stepper) {}

  // Of a lane that was started. False where its values are not quite those of the start as it was given, since rates
  // are rounded on the way: then its first step has to be looked at.
  bool start(int lane, const std::vector<Event>& events, const State& state);
  // Of the last step of a lane, which began at the mark. Throws where that motion has to be taken alone.
  std::vector<Occurrence>& find(int lane);
  bool is_terminal(int lane, const Occurrence& occurrence) const { return finder(lane)->is_terminal(occurrence); }

 private:
  std::optional<EventFinder>& finder(int lane) { return finders_[static_cast<std::size_t>(lane)]; }
  const std::optional<EventFinder>& finder(int lane) const { return finders_[static_cast<std::size_t>(lane)]; }

  LaneStepper& stepper_;
  std::array<std::optional<EventFinder>, LaneStepper::lanes> finders_;
  std::array<State, LaneStepper::lanes> seen_;  // the last states; the start as it was given
  State end_;
};

}  // namespace hamel
