// From a state to the motion.
//
//   Trajectory run = integrate(system, start, Variational{.step = 0.01}, Until{.t = 100, .every = 0.1});
//   for (const State& state : run.states) ...
//
// The start must be on the manifold and satisfy the constraints. What cannot be integrated is refused; a state that
// is not finite is an error, never an output. Steps of fixed size end at t0 + k h, the last one at the end time.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct Until {
  double t;
  double every = 0;  // outputs at t0, t0 + every, t0 + 2 every, ..., t; 0: at every step
  bool keep = true;  // the states of all outputs; otherwise only the last one
};

// Called at every output, first at the start. Returns false to stop.
using Observer = std::function<bool(const State&)>;

// A sampled control law: the inputs u are set at t0, t0 + every, ... and held in between, so that a method has its
// full order there. every = 0: at every step, for methods of fixed step.
struct Control {
  std::function<void(double t, const State& state, VectorXd& u)> law;
  double every = 0;
};

struct Trajectory {
  MethodInfo method;
  std::vector<State> states;  // at the outputs; the first is the start
  std::size_t steps = 0, rejected = 0;
  bool stopped = false;  // by the observer

  std::size_t size() const { return states.size(); }
  const State& front() const { return states.front(); }
  const State& back() const { return states.back(); }
  VectorXd times() const;
};

Trajectory integrate(const System& system, const State& start, const Method& method, Until until,
                     const Observer& observer = {}, const Control& control = {});

}  // namespace hamel
