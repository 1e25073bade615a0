// Finds the events of one step after the other; event.hpp says what is promised.
#pragma once

#include <optional>
#include <vector>

#include "hamel/integrate/event.hpp"

namespace hamel {

void check(const std::vector<Event>& events);

// What a finder asks of the step that was taken last, as Stepper has it.
class StepInside {
 public:
  virtual ~StepInside() = default;
  virtual void interpolate(double t, State& state) = 0;
  virtual void within(double t, State& state) = 0;
};

class EventFinder {
 public:
  static constexpr int points = 5;  // of a step at which values are looked at, with both ends
  // A parabola through three of them that comes nearer to zero than this, relative to them, is looked at.
  static constexpr double near_zero = 0.01;

  EventFinder(const std::vector<Event>& events, const State& now, double start);

  void go_to(const State& now);                // where the next step begins, if that is not the end of the last one
  bool has_values_of(const State& now) const;  // up to the sign of zero
  // The events of the last step, from `begin` to `end`: in the order of time, up to the first terminal one.
  std::vector<Occurrence>& find(StepInside& step, const State& begin, const State& end);
  bool is_terminal(const Occurrence& occurrence) const;

 private:
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
  StepInside* step_ = nullptr;
  const State* begin_ = nullptr;  // of the step
  Eigen::Array<double, points, 1> times_;
  Eigen::Array<double, Eigen::Dynamic, points> values_;  // of the events, at these times
  State state_;
  std::vector<Occurrence> found_;
};

}  // namespace hamel
