// What a model is made of, for the eye: places, and how they hang together.
//
// The relations are found by asking: a place is a formula in q and t, and what holds at a few random states holds
// always. A place that keeps its distance from itself with one direction (an S^1, S^2 or SO(3) factor) put to zero
// is linked to that place: x2 = x1 + l q2 is linked to x1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/model/lower.hpp"
#include "hamel/report/scene.hpp"
#include "report/gravity.hpp"

namespace hamel {

// A factor of a coordinate. SE(3) is two: an attitude and a position.
struct CoordinateBlock {
  std::string name;  // of the coordinate
  Manifold space;
  int offset, size;   // in q
  int position = -1;  // of an attitude that is part of a pose: the block of its position
};

struct SeenPlace {
  std::string name;  // empty if nobody gave it one
  Vector3e x;
  MatrixXd samples;         // 3 x (number of random states)
  std::vector<int> blocks;  // that it depends on
  bool fixed;
  bool is_point;      // of the model; otherwise only an end of a link or of a spring
  int hangs_on = -1;  // the place that it is linked to
  int by = -1;        // the block that turns this link
};

struct Spring {
  int from, to;
};

struct SolidBody {
  std::string name;
  int place;             // of its centre of mass
  Vector3e attitude[3];  // columns; of the principal axes
  Eigen::Vector3d size;
};

struct Direction {
  std::string name;
  Vector3e q;
};

struct Anatomy {
  LoweredModel lowered;  // parameters are numbers
  std::vector<CoordinateBlock> blocks = {};
  std::vector<SeenPlace> places = {};
  std::vector<Spring> springs = {};
  std::vector<SolidBody> bodies = {};
  std::vector<Direction> directions = {};  // that no place uses
  std::optional<Eigen::Vector3d> up = {};  // against gravity; none: there is no gravity
  bool linked = true;                      // were links looked for?
  bool planar = false;                     // everything is in a plane

  int place_of(const std::string& name) const;  // -1: none
};

bool is_straight(const MatrixXd& samples);  // do they move, all on one line?

// In the current graph, to which the lowered model belongs.
Anatomy anatomy_of(const Model& model, const LoweredModel& lowered);

}  // namespace hamel
