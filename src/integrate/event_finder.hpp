// Finds the events of one step after the other; event.hpp says what is promised.
#pragma once

#include <optional>
#include <vector>

#include "hamel/integrate/event.hpp"
#include "hamel/integrate/stepper.hpp"

namespace hamel {

void check(const std::vector<Event>& events);

class EventFinder {
 public:
  EventFinder(const std::vector<Event>& events, const State& now, double start);

  // The events of the last step of a stepper, which went from its mark at `begin` to `end`: in the order of time, up to
  // the first terminal one.
  std::vector<Occurrence>& find(Stepper& stepper, const State& begin, const State& end);
  bool is_terminal(const Occurrence& occurrence) const;

 private:
  static constexpr int points = 5;  // of a step, with both ends
  struct Point {
    double t, value;
  };

  double value(const Event& event, const State& state) const;
  void sample(const State& end);
  bool may_cross(Eigen::Index event) const;
  std::optional<double> dip_at(Eigen::Index event, Eigen::Index point) const;
  void search(Eigen::Index index);
  void locate(const Event& event, const Point& before, const Point& behind);
  const State& by_a_shorter_step(double t);

  const std::vector<Event>& events_;
  double start_;
  Stepper* stepper_ = nullptr;  // and where its step began
  const State* begin_ = nullptr;
  Eigen::Array<double, points, 1> times_;
  Eigen::Array<double, Eigen::Dynamic, points> values_;  // of the events, at these times
  State state_;
  std::vector<Occurrence> found_;
};

}  // namespace hamel
