#include "integrate/event_finder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "integrate/root.hpp"

namespace hamel {
namespace {

// From zero nothing crosses: that zero was an event when it was reached, or it is the start.
bool crosses(double from, double to) { return (from < 0 && to >= 0) || (from > 0 && to <= 0); }

bool is_wanted(Crossing direction, double from) {
  return direction == Crossing::any || (direction == Crossing::rising) == (from < 0);
}

// The extremum of the parabola through three values of equal sign at the times t - dt, t, t + dt, where it lies between
// them and comes near zero or beyond: two zeros may be there.
std::optional<double> dip(double t, double dt, double before, double value, double after) {
  if (!(before * value > 0 && value * after > 0)) return {};
  const double slope = (after - before) / 2, bend = after - 2 * value + before;
  if (std::abs(slope) >= std::abs(bend)) return {};
  const double extremum = value - slope * slope / (2 * bend);
  const double scale = std::max({std::abs(before), std::abs(value), std::abs(after)});
  if (extremum * value > EventFinder::near_zero * scale * std::abs(value)) return {};
  return t - slope / bend * dt;
}

double resolution(double begin, double end) {
  return 1e-13 * (end - begin) + 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(end));
}

}  // namespace

void check(const std::vector<Event>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].name.empty()) throw std::invalid_argument(fmt::format("event {} has no name", i + 1));
    if (!events[i].value) throw std::invalid_argument(fmt::format("event {} has no value", events[i].name));
    for (std::size_t j = 0; j < i; ++j)
      if (events[j].name == events[i].name)
        throw std::invalid_argument(fmt::format("two events are called {}; give them different names", events[i].name));
  }
}

EventFinder::EventFinder(const std::vector<Event>& events, const State& now, double start)
    : events_(events), start_(start), values_(static_cast<Eigen::Index>(events.size()), points), state_(now) {
  go_to(now);
}

void EventFinder::go_to(const State& now) {
  for (Eigen::Index e = 0; e < values_.rows(); ++e)
    values_(e, points - 1) = value(events_[static_cast<std::size_t>(e)], now);
}

bool EventFinder::has_values_of(const State& now) const {
  for (Eigen::Index e = 0; e < values_.rows(); ++e)
    if (values_(e, points - 1) != value(events_[static_cast<std::size_t>(e)], now)) return false;
  return true;
}

bool EventFinder::is_terminal(const Occurrence& occurrence) const {
  return std::any_of(events_.begin(), events_.end(),
                     [&](const Event& event) { return event.terminal && event.name == occurrence.event; });
}

std::vector<Occurrence>& EventFinder::find(StepInside& step, const State& begin, const State& end) {
  found_.clear();
  step_ = &step;
  begin_ = &begin;
  sample(end);
  for (Eigen::Index e = 0; e < values_.rows(); ++e)
    if (may_cross(e)) search(e);
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Occurrence& a, const Occurrence& b) { return a.state.t < b.state.t; });
  const auto last =
      std::find_if(found_.begin(), found_.end(), [&](const Occurrence& occurrence) { return is_terminal(occurrence); });
  if (last != found_.end()) found_.erase(last + 1, found_.end());
  return found_;
}

double EventFinder::value(const Event& event, const State& state) const {
  const double result = event.value(state);
  if (!std::isfinite(result))
    throw std::runtime_error(
        fmt::format("event {} has the value {} at t = {:.9g}; it must be a finite number at every state", event.name,
                    result, state.t));
  return result;
}

void EventFinder::sample(const State& end) {
  values_.col(0) = values_.col(points - 1).eval();
  const double part = (end.t - begin_->t) / (points - 1);
  times_(0) = begin_->t;
  for (Eigen::Index j = 1; j < points; ++j) {
    times_(j) = j + 1 < points ? begin_->t + static_cast<double>(j) * part : end.t;
    if (j + 1 < points) step_->interpolate(times_(j), state_);
    const State& state = j + 1 < points ? state_ : end;
    for (Eigen::Index e = 0; e < values_.rows(); ++e)
      values_(e, j) = value(events_[static_cast<std::size_t>(e)], state);
  }
}

std::optional<double> EventFinder::dip_at(Eigen::Index event, Eigen::Index point) const {
  return dip(times_(point), times_(1) - times_(0), values_(event, point - 1), values_(event, point),
             values_(event, point + 1));
}

bool EventFinder::may_cross(Eigen::Index event) const {
  for (Eigen::Index j = 1; j < points; ++j)
    if (crosses(values_(event, j - 1), values_(event, j))) return true;
  for (Eigen::Index j = 1; j + 1 < points; ++j)
    if (dip_at(event, j)) return true;
  return false;
}

// The interpolant has raised a suspicion; what counts is the method itself.
void EventFinder::search(Eigen::Index index) {
  const Event& event = events_[static_cast<std::size_t>(index)];
  const auto look_at = [&](double t) { return Point{t, value(event, by_a_shorter_step(t))}; };
  for (Eigen::Index j = 1; j + 1 < points; ++j) values_(index, j) = look_at(times_(j)).value;

  std::vector<Point> path;
  for (Eigen::Index j = 0; j < points; ++j) path.push_back({times_(j), values_(index, j)});
  for (Eigen::Index j = 1; j + 1 < points; ++j)
    if (const auto t = dip_at(index, j)) path.push_back(look_at(*t));
  std::sort(path.begin(), path.end(), [](const Point& a, const Point& b) { return a.t < b.t; });

  for (std::size_t k = 1; k < path.size(); ++k)
    if (crosses(path[k - 1].value, path[k].value) && is_wanted(event.direction, path[k - 1].value))
      locate(event, path[k - 1], path[k]);
}

void EventFinder::locate(const Event& event, const Point& before, const Point& behind) {
  const double tolerance = resolution(times_(0), times_(points - 1));
  const double t = find_root([&](double s) { return value(event, by_a_shorter_step(s)); }, before.t, before.value,
                             behind.t, behind.value, tolerance);
  if (t <= start_ + 2 * tolerance) return;  // zero at the start, up to rounding
  found_.push_back({event.name, by_a_shorter_step(t)});
}

const State& EventFinder::by_a_shorter_step(double t) {
  if (t <= begin_->t) return *begin_;
  step_->within(t, state_);
  return state_;
}

}  // namespace hamel
