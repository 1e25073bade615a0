// What of a start varies, by name:
//
//   start.x        a coordinate: a number, the angle of one on S^1, or all entries of a point
//   start.x.y      an entry of a point of R^n
//   start.x'       its rate, all entries of it, or one: start.x.y'; on S^1 the angular velocity, if it is one number
//   start.omega.R.z   what model files call omega, xi, velocity, momentum, and entries of it
//   start.t        the time
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hamel/ensemble/vary.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

bool is_start_name(const std::string& name);  // begins with "start."

struct StartName {
  enum class Kind : std::uint8_t { point, rate, omega, xi, velocity, momentum, time };
  Kind kind = Kind::point;
  std::size_t coordinate = 0;
  int entry = -1;  // from 0; -1: all of it

  bool is_angle(const Model& model) const;  // one number for a point of S^1
};
// Refuses names that the model does not have, with those that are near.
StartName start_name(const Model& model, const std::string& name);

// Where a quantity of this size can be put: refuses numbers that would leave the manifold, or of another size.
void need_size(const Model& model, const StartName& start, const Varied& varied);

// Refuses a number of the start that varies twice, by whatever names, and two ways to say how one coordinate moves.
void need_different_starts(const Model& model, const Vary& vary);

// The start of a member from the values of those quantities that are of the start.
using StartOf = std::function<State(const System& member, std::span<const double> row)>;

// From a state, whose points and rates are replaced: those that are off the manifold by rounding are put on it.
StartOf starts_from(const State& state, const Model& model, const Vary& vary);

}  // namespace hamel
