#include "report/view_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "hamel/model/name_list.hpp"

namespace hamel {

namespace {

template <class... Args>
[[noreturn]] void refuse_view(const char* key, fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(fmt::format("[view] {}: {}", key, fmt::format(text, std::forward<Args>(args)...)));
}

std::string instead_of(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t most = 12;
  if (const std::string meant = suggestion(name, known); !meant.empty()) return meant;
  if (known.empty()) return "; there is nothing";
  const std::vector<std::string> some(known.begin(), known.begin() + std::min<long>(most, std::ssize(known)));
  return fmt::format("; there is {}{}", fmt::join(some, ", "), known.size() > most ? ", ..." : "");
}

void need_known(const char* key, const std::string& name, const SeenNames& seen) {
  if (std::find(seen.all.begin(), seen.all.end(), name) == seen.all.end())
    refuse_view(key, "nothing that is drawn is called {}{}", name, instead_of(name, seen.all));
}

void need_point(const char* key, const std::string& name, const SeenNames& seen) {
  if (name != "origin" && std::find(seen.points.begin(), seen.points.end(), name) == seen.points.end())
    refuse_view(key, "no point is called {}{}", name, instead_of(name, seen.points));
}

void need_color(const std::string& color) {
  static const std::vector<std::string> names = {"blue", "orange", "green", "red", "purple", "sky", "yellow", "grey"};
  const bool is_code = color.size() == 7 && color[0] == '#' && std::all_of(color.begin() + 1, color.end(), [](char c) {
                         return std::isxdigit(static_cast<unsigned char>(c)) != 0;
                       });
  if (!is_code && std::find(names.begin(), names.end(), color) == names.end())
    refuse_view("colors", "{} is no colour; use {} or #rrggbb", color, fmt::join(names, ", "));
}

void need_direction(const char* key, const std::optional<Eigen::Vector3d>& direction) {
  if (direction && !(direction->norm() > 0 && direction->allFinite()))
    refuse_view(key, "[{}] is no direction", fmt::join(direction->begin(), direction->end(), ", "));
}

const char* key_of(LinkStyle style) {
  static constexpr const char* keys[] = {"links", "springs", "strings"};
  return keys[static_cast<int>(style)];
}

}  // namespace

void check(const ViewOptions& options, const SeenNames& seen) {
  need_direction("up", options.up);
  need_direction("camera", options.camera.from);
  for (const auto& [name, color] : options.colors) {
    need_known("colors", name, seen);
    need_color(color);
  }
  for (const auto& [name, radius] : options.radii) {
    need_known("radii", name, seen);
    if (!(radius > 0)) refuse_view("radii", "that of {} is not positive", name);
  }
  for (const auto& [name, size] : options.sizes) {
    need_known("sizes", name, seen);
    if (!(size.minCoeff() > 0)) refuse_view("sizes", "that of {} is not positive", name);
  }
  for (const auto& [name, at] : options.places) need_known("places", name, seen);
  for (const std::string& name : options.hidden) need_known("hide", name, seen);
  for (const std::string& name : options.trails.value_or(std::vector<std::string>{})) need_known("trails", name, seen);
  if (!options.camera.follow.empty()) need_known("follow", options.camera.follow, seen);
  for (const ViewLink& link : options.links)
    for (const std::string& end : {link.from, link.to}) need_point(key_of(link.style), end, seen);
}

void check_follow(const Scene& scene) {
  const std::string& name = scene.camera.follow;
  if (name.empty()) return;
  const bool is_there = std::any_of(scene.objects.begin(), scene.objects.end(), [&](const SceneObject& object) {
    return object.name == name &&
           (object.kind == Drawn::point || object.kind == Drawn::body || object.kind == Drawn::cart);
  });
  if (!is_there)
    refuse_view("follow", "the camera can follow points, bodies and carts that are drawn; {} is none", name);
}

}  // namespace hamel
