#include "hamel/report/view_options.hpp"

#include <set>

#include "report/view_check.hpp"

namespace hamel {

namespace {

Eigen::Vector3d vector(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

// Of all that could be drawn, and of families.
SeenNames names_of(const Model& model) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    names.insert(name);
    names.insert(name.substr(0, name.find('[')));
  };
  for (const Model::Named& point : model.points()) add(point.name);
  for (const Model::Body& body : model.bodies()) add(body.name);
  for (const Coordinate& coordinate : model.coordinates()) add(coordinate.name);
  return {.all = {names.begin(), names.end()}, .points = {names.begin(), names.end()}};
}

}  // namespace

ViewOptions view_options(const ViewSettings& view) {
  ViewOptions options;
  if (!view.up.empty()) options.up = vector(view.up);
  options.ground = view.ground;
  options.trails = view.trails;
  options.hidden = view.hide;
  options.colors.insert(view.colors.begin(), view.colors.end());
  options.radii.insert(view.radii.begin(), view.radii.end());
  for (const auto& [name, size] : view.sizes) options.sizes[name] = vector(size);
  for (const auto& [name, place] : view.places) options.places[name] = vector(place);
  for (const auto& [from, to] : view.links) options.links.push_back({from, to, LinkStyle::rod});
  for (const auto& [from, to] : view.springs) options.links.push_back({from, to, LinkStyle::spring});
  for (const auto& [from, to] : view.strings) options.links.push_back({from, to, LinkStyle::string});
  if (!view.camera.empty()) options.camera.from = vector(view.camera);
  options.camera.follow = view.follow;
  return options;
}

void check_view(const ModelFile& file) {
  constexpr std::size_t most_drawn = 300;  // places: what is linked to what takes time that grows with their square
  if (file.view == ViewSettings{}) return;
  const Model& model = file.model;
  if (model.points().size() + model.coordinates().size() <= most_drawn)
    scene_of(model, {}, view_options(file.view));
  else
    check(view_options(file.view), names_of(model));
}

}  // namespace hamel
