#include "hamel/report/view_options.hpp"

namespace hamel {

namespace {

Eigen::Vector3d vector(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

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
  if (file.view != ViewSettings{}) scene_of(file.model, {}, view_options(file.view));
}

}  // namespace hamel
