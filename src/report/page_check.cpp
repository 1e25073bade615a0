#include "report/page_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <stdexcept>

namespace hamel {

namespace {

template <class... Args>
[[noreturn]] void refuse(const Page& page, fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(fmt::format("the report \"{}\" cannot be written: {}", page.title,
                                          fmt::format(text, std::forward<Args>(args)...)));
}

template <class Number>
void need_finite(const Page& page, const std::string& what, std::span<const Number> values, std::size_t width) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const std::size_t frame = i / width;
    const double t = frame < page.time.size() ? page.time[frame] : 0;
    throw std::domain_error(
        fmt::format("the report \"{}\" cannot be written: {} is {} at t = {:.6g} (frame {}); "
                    "end the run before, or leave it out",
                    page.title, what, values[i], t, frame));
  }
}

void check_time(const Page& page) {
  if (page.time.empty()) refuse(page, "it has no times; give one time per frame");
  need_finite<double>(page, "the time", page.time, 1);
  for (std::size_t i = 1; i < page.time.size(); ++i)
    if (page.time[i] < page.time[i - 1])
      refuse(page, "time goes back from {:.6g} to {:.6g} at frame {}; frames must be in the order of time",
             page.time[i - 1], page.time[i], i);
}

void check_chart(const Page& page, const Chart& chart) {
  for (const Series& series : chart.series) {
    if (series.values.size() != page.time.size())
      refuse(page, "series \"{}\" of chart \"{}\" has {} values, but there are {} times", series.name, chart.title,
             series.values.size(), page.time.size());
    need_finite<double>(page, fmt::format("series \"{}\" of chart \"{}\"", series.name, chart.title), series.values, 1);
  }
}

void check_track(const Page& page, std::size_t index) {
  const Track& track = page.scene.tracks[index];
  const auto width = static_cast<std::size_t>(track.width);
  if (width != 3 && width != 9) refuse(page, "track {} has width {}; places have 3, attitudes 9", index, track.width);
  if (track.values.size() != width && track.values.size() != width * page.time.size())
    refuse(page, "track {} has {} numbers; {} frames of {} have {}", index, track.values.size(), page.time.size(),
           width, width * page.time.size());
  need_finite<float>(page, fmt::format("track {} of the scene", index), track.values, width);
}

void need_track(const Page& page, const SceneObject& object, int track, int width) {
  const auto& tracks = page.scene.tracks;
  const bool exists = track >= 0 && static_cast<std::size_t>(track) < tracks.size();
  if (!exists || tracks[static_cast<std::size_t>(track)].width != width)
    refuse(page, "object \"{}\" needs a track of width {}, but track {} is {}", object.name, width, track,
           exists ? "of another width" : "not there");
}

void check_object(const Page& page, const SceneObject& object) {
  need_track(page, object, object.at, 3);
  if (object.kind == Drawn::link) need_track(page, object, object.to, 3);
  if (object.kind == Drawn::arrow) need_track(page, object, object.turn, 3);
  if (object.kind == Drawn::body) need_track(page, object, object.turn, 9);
  if (!std::isfinite(object.radius) || !std::isfinite(object.length) || !object.size.allFinite() ||
      !object.axis.allFinite())
    refuse(page, "a size of object \"{}\" is not finite", object.name);
  if ((object.kind == Drawn::rail || object.kind == Drawn::plane) && object.axis.isZero())
    refuse(page, "object \"{}\" has no axis", object.name);
}

void check_modes(const Page& page, const ShownPlace& place) {
  const auto need = [&](bool finite, const char* what) {
    if (!finite) refuse(page, "{} of \"{}\" is not finite", what, place.name);
  };
  need(std::isfinite(place.energy), "the energy");
  for (const auto* marks : {&place.open, &place.closed})
    for (const PlaneMark& mark : *marks) need(std::isfinite(mark.re) && std::isfinite(mark.im), "an eigenvalue");
  for (const ShownMode& mode : place.modes) {
    need(std::isfinite(mode.re) && std::isfinite(mode.im) && std::isfinite(mode.frequency) &&
             std::isfinite(mode.damping_ratio),
         "a mode");
    for (const Clip& clip : mode.clips)
      if (!(clip.begin >= page.time.front() && clip.end > clip.begin && clip.end <= page.time.back()))
        refuse(page, "a mode of \"{}\" is shown from {:.6g} to {:.6g}, but the film goes from {:.6g} to {:.6g}",
               place.name, clip.begin, clip.end, page.time.front(), page.time.back());
  }
}

}  // namespace

void check(const Page& page) {
  check_time(page);
  for (const auto* charts : {&page.charts, &page.coordinates})
    for (const Chart& chart : *charts) check_chart(page, chart);
  for (const Followed& item : page.conserved)
    if (!std::isfinite(item.initial) || !std::isfinite(item.max_error))
      throw std::domain_error(fmt::format("the report \"{}\" cannot be written: {} is {} with an error of {}",
                                          page.title, item.name, item.initial, item.max_error));
  if (!page.scene.up.allFinite() || page.scene.up.isZero())
    refuse(page, "the direction up of the scene is no direction");
  for (std::size_t i = 0; i < page.scene.tracks.size(); ++i) check_track(page, i);
  for (const SceneObject& object : page.scene.objects) check_object(page, object);
  if (!page.modes) return;
  for (const ShownPlace& place : page.modes->places) check_modes(page, place);
}

}  // namespace hamel
