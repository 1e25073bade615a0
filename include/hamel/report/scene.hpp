// What is seen of a motion: objects whose places, directions and attitudes are tracks of numbers.
//
// A Track has `width` numbers per frame (3 for a place or a direction, 9 for an attitude, column by column), or `width`
// numbers in all if it does not move. Objects refer to tracks by index, so that the end of one link and the beginning
// of the next are stored once. Sizes that are 0 are chosen by the viewer, from the size of the picture.
//
// scene_of (draw.hpp) makes a Scene from a Model and its motion.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace hamel {

struct Track {
  int width = 3;
  std::vector<float> values;
};

enum class Drawn {
  point,   // a ball: at, radius
  link,    // from `at` to `to`: style, radius
  arrow,   // from `at` along the direction `turn`: length
  body,    // a box centred at `at` with the attitude `turn`: size
  cart,    // an upright box at `at`: size, axis (along which it rolls, if it is bound to a line)
  sphere,  // translucent, around `at`: radius
  rail,    // a line through `at` along `axis`
  plane,   // translucent, through `at`, with the normal `axis`
};

enum class LinkStyle { rod, spring, string };

struct SceneObject {
  Drawn kind = Drawn::point;
  std::string name = {};
  std::string color = {};  // blue, orange, green, red, purple, sky, yellow, grey or #rrggbb; empty: chosen
  bool trail = false;
  int at = -1, to = -1, turn = -1;  // tracks
  LinkStyle style = LinkStyle::rod;
  double radius = 0, length = 0;
  Eigen::Vector3d size = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::Zero();
};

struct Camera {
  std::optional<Eigen::Vector3d> from = {};  // the direction from the scene to the camera
  std::string follow = {};                   // the name of an object
};

struct Scene {
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  bool ground = false;  // a floor below everything
  std::vector<Track> tracks = {};
  std::vector<SceneObject> objects = {};
  Camera camera = {};
  std::string note = {};  // what must be said about the picture
};

}  // namespace hamel
