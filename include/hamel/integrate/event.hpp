// Events: the zeros of a function of the state along a motion, such as a height above the ground.
//
//   const Event ground{.name = "ground", .value = [](const State& s) { return s.q.z(); }, .terminal = true};
//   const Trajectory run = integrate(system, start, Rk4{0.01}, {.t = 10, .events = {ground}});
//   run.back(), run.ended_by                          // the state on the ground, "ground"
//
// Where the value changes its sign, the step is taken again from its beginning, by the same method and shorter and
// shorter, until the time of the zero is known to 1e-12 of the step and to rounding of t. The state of an event is
// therefore as accurate as any other state of the method, and on the manifold; it is the one just behind the zero.
// Events do not change the motion.
//
// The value is looked at where a step ends and at three points inside it, and where the parabola through three of them
// comes near zero. No odd number of zeros within a step is missed, nor two that are more than a quarter of a step
// apart; two that are nearer are found if the value is smooth on the scale of the step. If it is not, take shorter
// steps, or a `largest_step` for a method that chooses its own. A value that touches zero without changing its sign is
// an event only if it is exactly zero where it is looked at. A value that is zero at the start is no event there.
#pragma once

#include <functional>
#include <string>

#include "hamel/mechanics/system.hpp"

namespace hamel {

enum class Crossing { any, rising, falling };

struct Event {
  std::string name;                           // not that of another event
  std::function<double(const State&)> value;  // continuous along the motion
  Crossing direction = Crossing::any;
  bool terminal = false;  // the trajectory ends there
};

struct Occurrence {
  std::string event;  // its name
  State state;
};

}  // namespace hamel
