// A picture of a model's motion without being asked for one.
//
//   Scene scene = scene_of(model, run.states);
//
// Drawn are: named points (and those whose rates the kinetic energy contains); a link wherever a point keeps its
// distance from another one, or from a fixed point, since it is that point plus a length times a direction, or plus
// R rho; springs where the potential energy contains the norm of a difference; rigid bodies as the box that has their
// mass and inertia; carts and their rails; the sphere that particles move on; directions that no point uses, as arrows.
// Up is against gravity, which is found in the potential energy. Points of a plane are drawn upright in the (x, z)
// plane if gravity acts in it, otherwise in the (x, y) plane.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hamel/mechanics/system.hpp"
#include "hamel/model/model.hpp"
#include "hamel/report/scene.hpp"

namespace hamel {

struct ViewLink {
  std::string from, to;  // names of points; "origin" is one of them
  LinkStyle style = LinkStyle::rod;
};

// What the picture should be instead. Names are those of points, bodies and coordinates, or of
// families of them; unknown ones are refused.
struct ViewOptions {
  std::optional<Eigen::Vector3d> up = {};
  std::optional<bool> ground = {};
  std::optional<std::vector<std::string>> trails = {};  // who leaves a trail; none if the list is empty
  std::map<std::string, std::string> colors = {};       // see SceneObject::color
  std::map<std::string, double> radii = {};             // of points
  std::map<std::string, Eigen::Vector3d> sizes = {};    // of bodies and carts
  std::map<std::string, Eigen::Vector3d> places = {};   // where the arrow of a direction, or a body, begins
  std::vector<ViewLink> links = {};                     // more of them
  std::vector<std::string> hidden = {};                 // with the links that end there
  Camera camera = {};
};

Scene scene_of(const Model& model, std::span<const State> states, const ViewOptions& options = {});

}  // namespace hamel
