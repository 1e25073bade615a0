#include "report/page_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "hamel/graph/escape.hpp"
#include "report/base64.hpp"
#include "report/modes_json.hpp"
#include "report/page_check.hpp"

namespace hamel {

namespace {

using Json = nlohmann::ordered_json;
using Frames = std::vector<std::size_t>;

template <class Number>
std::vector<Number> rows_of(const std::vector<Number>& values, std::size_t width, const Frames& frames) {
  std::vector<Number> chosen;
  chosen.reserve(frames.size() * width);
  for (const std::size_t frame : frames)
    for (std::size_t k = 0; k < width; ++k) chosen.push_back(values[frame * width + k]);
  return chosen;
}

Json packed(const std::vector<double>& values, const Frames& frames) {
  return {{"f64", base64_numbers(rows_of(values, 1, frames))}};
}

bool moves(const Track& track) { return track.values.size() > static_cast<std::size_t>(track.width); }

Json json_of(const Track& track, const Frames& frames) {
  const auto width = static_cast<std::size_t>(track.width);
  return {{"width", track.width},
          {"f32", base64_numbers(moves(track) ? rows_of(track.values, width, frames) : track.values)}};
}

Json json_of(const Eigen::Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); }

const char* name_of(Drawn kind) {
  static constexpr const char* names[] = {"point", "link", "arrow", "body", "cart", "sphere", "rail", "plane"};
  return names[static_cast<int>(kind)];
}

const char* name_of(LinkStyle style) {
  static constexpr const char* names[] = {"rod", "spring", "string"};
  return names[static_cast<int>(style)];
}

Json json_of(const SceneObject& object) {
  Json json = {{"kind", name_of(object.kind)}, {"at", object.at}};
  if (!object.name.empty()) json["name"] = object.name;
  if (!object.color.empty()) json["color"] = object.color;
  if (object.trail) json["trail"] = true;
  if (object.kind == Drawn::link) {
    json["to"] = object.to;
    json["style"] = name_of(object.style);
  }
  if (object.kind == Drawn::arrow || object.kind == Drawn::body) json["turn"] = object.turn;
  if (object.radius > 0) json["radius"] = object.radius;
  if (object.length > 0) json["length"] = object.length;
  if (!object.size.isZero()) json["size"] = json_of(object.size);
  if (!object.axis.isZero()) json["axis"] = json_of(object.axis);
  return json;
}

Json json_of(const Camera& camera) {
  Json json = Json::object();
  if (camera.from) json["from"] = json_of(*camera.from);
  if (!camera.follow.empty()) json["follow"] = camera.follow;
  return json;
}

Json json_of(const Scene& scene, const Frames& frames) {
  Json json = {{"up", json_of(scene.up)}, {"ground", scene.ground}, {"camera", json_of(scene.camera)}};
  json["note"] = scene.note;
  json["tracks"] = Json::array();
  for (const Track& track : scene.tracks) json["tracks"].push_back(json_of(track, frames));
  json["objects"] = Json::array();
  for (const SceneObject& object : scene.objects) json["objects"].push_back(json_of(object));
  return json;
}

Json json_of(const Chart& chart, const Frames& frames) {
  Json json = {{"title", chart.title}, {"unit", chart.unit}, {"log", chart.log}, {"series", Json::array()}};
  if (!chart.axis.empty()) json["axis"] = chart.axis;
  for (const Series& series : chart.series)
    json["series"].push_back({{"name", series.name}, {"values", packed(series.values, frames)}});
  return json;
}

std::string thinning_note(const Page& page, const Frames& frames) {
  const std::size_t all = std::max(page.recorded, page.time.size());
  if (frames.size() == all) return {};
  return fmt::format("{} of {} recorded states are shown.", frames.size(), all);
}

}  // namespace

std::vector<std::size_t> chosen_frames(std::size_t count, std::size_t limit) {
  const std::size_t shown = std::min(count, std::max<std::size_t>(limit, 2));
  std::vector<std::size_t> frames(shown);
  for (std::size_t i = 0; i < shown; ++i) frames[i] = shown == 1 ? 0 : i * (count - 1) / (shown - 1);
  return frames;
}

std::size_t bytes_per_frame(const Page& page) {
  std::size_t bytes = sizeof(double);
  for (const auto* charts : {&page.charts, &page.coordinates})
    for (const Chart& chart : *charts) bytes += chart.series.size() * sizeof(double);
  for (const Track& track : page.scene.tracks)
    if (moves(track)) bytes += static_cast<std::size_t>(track.width) * sizeof(float);
  return bytes * 4 / 3 + 1;
}

std::string to_json(const Page& page, const Frames& frames) {
  Json json = {{"version", HAMEL_VERSION}, {"title", page.title},           {"description", page.description},
               {"warning", page.warning},  {"model_text", page.model_text}, {"note", thinning_note(page, frames)}};
  json["facts_title"] = page.facts_title;
  json["facts"] = Json::array();
  for (const Fact& fact : page.facts) json["facts"].push_back({{"name", fact.name}, {"value", fact.value}});
  json["tables"] = Json::array();
  for (const Table& table : page.tables)
    json["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  json["pictures"] = Json::array();
  for (const Picture& picture : page.pictures)
    json["pictures"].push_back(
        {{"title", picture.title},
         {"caption", picture.caption},
         {"svg", base64({reinterpret_cast<const unsigned char*>(picture.svg.data()), picture.svg.size()})}});
  json["equations"] = Json::array();
  for (const EquationGroup& group : page.equations)
    json["equations"].push_back({{"title", group.title}, {"latex", group.latex}, {"note", group.note}});
  json["conserved"] = Json::array();
  for (const Followed& item : page.conserved)
    json["conserved"].push_back({{"name", item.name},
                                 {"initial", item.initial},
                                 {"max_error", item.max_error},
                                 {"digits", item.digits()},
                                 {"slope", item.slope},
                                 {"kept", to_string(item.kept())}});
  json["time"] = packed(page.time, frames);
  json["time_unit"] = page.time_unit;
  json["charts"] = Json::array();
  for (const Chart& chart : page.charts) json["charts"].push_back(json_of(chart, frames));
  json["coordinates"] = Json::array();
  for (const Chart& chart : page.coordinates) json["coordinates"].push_back(json_of(chart, frames));
  json["coordinates_note"] = page.coordinates_note;
  json["scene"] = json_of(page.scene, frames);
  if (page.modes) json["modes"] = json_of(*page.modes);
  return json_in_html(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<std::size_t> fitting_frames(const Page& page, std::size_t size_besides, const PageLimits& limits) {
  const std::size_t count = page.time.size();
  const std::size_t size_without = size_besides + to_json(page, chosen_frames(count, 2)).size();
  const std::size_t room = limits.bytes > size_without ? limits.bytes - size_without : 0;
  const std::size_t fitting = std::max<std::size_t>(2, std::min(limits.frames, room / bytes_per_frame(page)));
  if (page.modes && fitting < count)
    throw std::invalid_argument(fmt::format(
        "the report \"{}\" cannot be written: {} frames of modes do not fit, {} would; leave some modes out",
        page.title, count, fitting));
  return chosen_frames(count, fitting);
}

std::string page_data(const Page& page, const PageLimits& limits) {
  check(page);
  return to_json(page, fitting_frames(page, 0, limits));
}

}  // namespace hamel
