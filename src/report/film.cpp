#include "report/film.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hamel/report/draw.hpp"
#include "hamel/report/view_options.hpp"
#include "report/page_json.hpp"

namespace hamel {

namespace {

using Eigen::Index;

constexpr std::size_t most_bytes = 14'000'000;  // of a page there is place for 20 million
constexpr double largest_angle = 0.35, part_of_picture = 1.0 / 6;

// The largest change of a part of q that is curved.
double turned(const Model& model, const Eigen::VectorXcd& shape) {
  double largest = 0;
  Index begin = 0;
  for (const Coordinate& coordinate : model.coordinates())
    for (const Manifold& factor : coordinate.space.factors())
      for (const Manifold& part : factor.parts()) {
        if (!part.is_flat()) largest = std::max(largest, shape.segment(begin, part.ambient()).norm());
        begin += part.ambient();
      }
  return largest;
}

using Place = Eigen::Vector3f;

Place place_at(const Track& track, std::size_t frame) {
  const std::size_t first = track.values.size() > 3 ? 3 * frame : 0;
  return {track.values[first], track.values[first + 1], track.values[first + 2]};
}

// Of what is seen at rest; rails and planes have no end.
double extent_of(const Scene& scene) {
  std::vector<Place> places;
  double largest = 0;
  for (const SceneObject& object : scene.objects) {
    if (object.kind == Drawn::rail || object.kind == Drawn::plane) continue;
    for (const int index : {object.at, object.to})
      if (index >= 0) places.push_back(place_at(scene.tracks[static_cast<std::size_t>(index)], 0));
    largest = std::max({largest, object.length, object.radius, object.size.norm() / 2});
  }
  for (const Place& place : places) largest = std::max<double>(largest, (place - places.front()).norm());
  return largest;
}

double moved(const Scene& scene, std::size_t frame) {
  double largest = 0;
  for (const Track& track : scene.tracks)
    if (track.width == 3 && track.values.size() > 3)
      largest = std::max<double>(largest, (place_at(track, frame) - place_at(track, 0)).norm());
  return largest;
}

struct Span {
  double begin, end;
  int intervals;
};

Span span_of(const Mode& mode) {
  constexpr int per_period = 32, at_most = static_cast<int>(Film::longest) - 3;
  constexpr double most_periods = 5, e_folds = 3;
  if (mode.course == Course::drifts) return {-1, 1, per_period};
  if (mode.course == Course::oscillates) return {0, mode.period(), per_period};
  const double length = std::min(e_folds / std::abs(mode.eigenvalue.value.real()), most_periods * mode.period());
  const double periods = length / mode.period();
  const int intervals = std::clamp(static_cast<int>(std::ceil(per_period * periods)), per_period, at_most);
  return mode.course == Course::grows ? Span{-length, 0, intervals} : Span{0, length, intervals};
}

// A retraction may not reach so far on a surface that bends: then half as far.
std::vector<State> as_far_as_it_goes(const System& system, const LinearModel& model, const Mode& mode,
                                     ModeTimes times) {
  constexpr int most_halvings = 6;
  for (int k = 0; k < most_halvings; ++k, times.amplitude /= 2) {
    try {
      return along(system, model, mode, times);
    } catch (const std::domain_error&) {
      continue;
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  return along(system, model, mode, times);
}

}  // namespace

std::vector<double> Film::good_amplitudes(const LinearModel& model, const std::vector<Mode>& modes) {
  constexpr double little = 0.01;
  std::vector<State> states = {model.at};
  for (const Mode& mode : modes)
    for (const std::complex<double> turn : {std::complex<double>(1, 0), std::complex<double>(0, 1)}) {
      Mode tried = mode;
      tried.course = Course::drifts;
      tried.shape = turn * mode.shape;
      states.push_back(
          along(system_, model, tried, {.amplitude = little, .begin = 0, .end = 1, .intervals = 1}).back());
    }
  const Scene scene = scene_of(file_.model, states, view_options(file_.view));
  const double extent = extent_of(scene);
  most_frames_ = std::min(most_frames_, most_bytes / bytes_per_frame({.title = {}, .scene = scene}));
  std::vector<double> result;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double angle = turned(file_.model, modes[k].shape);
    const double way = std::max(moved(scene, 2 * k + 1), moved(scene, 2 * k + 2)) / little;
    double amplitude = angle > 0 ? largest_angle / angle : 1;
    if (extent > 0 && way > 0) amplitude = std::min(amplitude, part_of_picture * extent / way);
    result.push_back(amplitude);
  }
  return result;
}

// A frame on each side continues a clip, so that what is drawn between frames knows where it goes on.
void Film::append(const std::vector<State>& states) {
  const double step = states[1].t - states[0].t;
  const double offset = times_.empty() ? 0 : times_.back() + step;
  for (const State& state : states) {
    times_.push_back(offset + (state.t - states.front().t));
    states_.push_back(state);
  }
}

Clip Film::rest(const LinearModel& model) {
  State at = model.at;
  std::vector<State> states;
  for (const double t : {0.0, 1.0, 2.0, 3.0}) {
    at.t = t;
    states.push_back(at);
  }
  const std::size_t first = times_.size();
  append(states);
  return {times_[first + 1], times_[first + 2], true};
}

Clip Film::take(const LinearModel& model, const Mode& mode, double amplitude) {
  const auto [begin, end, intervals] = span_of(mode);
  const double step = (end - begin) / intervals;
  const std::size_t first = times_.size();
  ModeTimes times{.amplitude = amplitude, .begin = begin - step, .end = end + step, .intervals = intervals + 2};
  append(as_far_as_it_goes(system_, model, mode, times));
  return {times_[first + 1], times_[times_.size() - 2], mode.course == Course::oscillates};
}

void Film::show(Page& page) && {
  page.scene = scene_of(file_.model, states_, view_options(file_.view));
  for (SceneObject& object : page.scene.objects) object.trail = false;
  page.time = std::move(times_);
}

}  // namespace hamel
