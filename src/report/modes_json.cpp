#include "report/modes_json.hpp"

namespace hamel {

namespace {

using Json = nlohmann::ordered_json;

Json mode_part(const PlaneMark& mark) {
  Json json = {{"re", mark.re}, {"im", mark.im}, {"count", mark.count}, {"block", mark.block}, {"mode", mark.mode}};
  if (!mark.cause.empty()) json["cause"] = mark.cause;
  return json;
}

Json mode_part(const Clip& clip) { return {{"begin", clip.begin}, {"end", clip.end}, {"loops", clip.loops}}; }

Json mode_part(const ShownMode& mode);
Json mode_part(const ShownPlace& place);

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(mode_part(item));
  return json;
}

Json mode_part(const ShownMode& mode) {
  Json json = {{"re", mode.re},
               {"im", mode.im},
               {"frequency", mode.frequency},
               {"damping_ratio", mode.damping_ratio},
               {"block", mode.block},
               {"course", mode.course},
               {"moves", mode.moves},
               {"closed", mode.closed},
               {"clips", list_of(mode.clips)}};
  if (!mode.symmetry.empty()) json["symmetry"] = mode.symmetry;
  return json;
}

Json mode_part(const ShownPlace& place) {
  return {{"name", place.name},
          {"verdict", place.verdict},
          {"reason", place.reason},
          {"energy", place.energy},
          {"family", place.family},
          {"open", list_of(place.open)},
          {"closed", list_of(place.closed)},
          {"modes", list_of(place.modes)},
          {"rest", mode_part(place.rest)}};
}

}  // namespace

Json json_of(const ModesPart& part) {
  return {{"amplitudes", part.amplitudes}, {"has_energy", part.has_energy}, {"places", list_of(part.places)}};
}

}  // namespace hamel
