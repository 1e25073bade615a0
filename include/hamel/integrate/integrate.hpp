// From a state to the motion.
//
//   Trajectory run = integrate(system, start, Variational{.step = 0.01}, Until{.t = 100, .every = 0.1});
//   for (const State& state : run.states) ...
//
// The start must be on the manifold and satisfy the constraints. What cannot be integrated is refused; a state that
// is not finite is an error, never an output. Steps of fixed size end at t0 + k h, the last one at the end time. A step
// that cannot be taken is a StepError; on request it is halved instead, and reported.
//
// The same step by step, with a look at the progress, and to be continued from a checkpoint to exactly the bits of a
// run without interruption:
//
//   Integration run(system, start, method, until, observer);
//   while (run.advance()) if (...) store(run.checkpoint());
//
//   Integration rest(system, checkpoint, method, until, observer);      // in another process, on another day
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamel/integrate/event.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

struct Until {
  double t;
  // Outputs at t0, t0 + every, t0 + 2 every, ..., t; 0: at every step. One between two steps is found by a shorter step
  // of the method, and costs about as much.
  double every = 0;
  bool keep = true;  // the states of all outputs; otherwise only the last one
  std::vector<Event> events = {};
  // How often a step of fixed size that cannot be taken may be halved: 3 allows eight steps in place of one. The step
  // after it has its full size again. Each change of the size costs a symplectic method a little of its long-time
  // behaviour.
  int halvings = 0;
  std::size_t most_steps = 1'000'000'000'000;  // of a method that chooses them itself; more are an error
  static constexpr int most_halvings = 20;
};

// Called at every output, first at the start. Returns false to stop.
using Observer = std::function<bool(const State&)>;

// A sampled control law: the inputs u are set at t0, t0 + every, ... and held in between, so that a method has its
// full order there. every = 0: at every step, for methods of fixed step. A continuous one is asked wherever an explicit
// method evaluates the motion, also at stages that are a little off the manifold; no method can know its kinks.
struct Control {
  InputLaw law;
  double every = 0;
  bool continuous = false;
};

struct Trajectory {
  MethodInfo method;
  std::vector<State> states;            // at the outputs; the first is the start, if the run was not continued
  std::vector<Occurrence> occurrences;  // of events, in the order of time
  std::size_t steps = 0, outputs = 0, rejected = 0;
  std::size_t halved = 0;    // steps that were taken as two
  double smallest_step = 0;  // that was taken
  bool stopped = false;      // by the observer
  std::string ended_by;      // the terminal event, whose state is the last one; otherwise empty

  std::size_t size() const { return states.size(); }
  const State& front() const { return states.front(); }
  const State& back() const { return states.back(); }
  VectorXd times() const;
};

// Everything that the rest of a run depends on, between two of its steps: plain numbers, to be stored as they are.
struct Checkpoint {
  std::string method;           // its name
  double start = 0, t = 0;      // where the run began, and where its last step ended
  std::size_t steps = 0;        // so far
  std::size_t outputs = 0;      // so far, the start included: exactly these were handed out
  std::vector<double> numbers;  // all the rest, for the same system, method, intervals and events
};

// A run in the making; its system must outlive it. A run that is continued has the same system, method, intervals,
// control and events as the first one. It hands out the outputs that are missing, and its trajectory holds those; it
// may go on beyond the end of the first one.
class Integration {
 public:
  Integration(const System& system, const State& start, const Method& method, Until until, Observer observer = {},
              Control control = {});
  Integration(const System& system, const Checkpoint& from, const Method& method, Until until, Observer observer = {},
              Control control = {});
  Integration(Integration&&) noexcept;
  Integration& operator=(Integration&&) noexcept;
  ~Integration();

  // One step, with its events and outputs. False if nothing was left to do.
  bool advance();

  double time() const;
  const Trajectory& trajectory() const;  // so far: steps, halved steps, states, ...
  Checkpoint checkpoint() const;         // refused where the last step failed or the run was stopped
  Trajectory finish();                   // the steps that are left, and the trajectory

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

Trajectory integrate(const System& system, const State& start, const Method& method, Until until,
                     const Observer& observer = {}, const Control& control = {});

}  // namespace hamel
