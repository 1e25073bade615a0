// Eight motions of one system at once, one in each lane of the processor: the same method, but each motion has a start,
// a time and, if so chosen, parameters of its own. To the bits of a Stepper that takes them alone.
//
//   auto stepper = make_lane_stepper(system, Rk4{.step = 0.01}, LaneParameters::own);
//   for (int k = 0; k < LaneStepper::lanes; ++k) stepper->start(k, member[k], start[k]);
//   const auto unusual = stepper->step(which, limits);
//
// A motion that meets something unusual, such as a singularity, a step that has no solution or that turns too far, is
// not judged here: it has to be taken alone, from its start.
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <memory>
#include <vector>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Program;

class LaneStepper {
 public:
  static constexpr int lanes = 8;
  using Lanes = std::bitset<lanes>;
  using Times = std::array<double, lanes>;

  virtual ~LaneStepper() = default;

  // Of the system that the stepper was made for, or of one that its `with` gave; neither is looked at later.
  virtual void start(int lane, const System& member, const State& state) = 0;
  // One step of these lanes, none of them beyond its limit; the others lose their motion. Returns those that met
  // something unusual. A lane whose time is still the same has rejected its step, and tries a shorter one the next
  // time.
  virtual Lanes step(Lanes which, const Times& limits) = 0;
  // The same, or several of them, until a lane comes to its limit: none by which one may pass its target.
  struct Taken {
    Lanes unusual;
    std::size_t attempts;
  };
  virtual Taken steps(Lanes which, const Times& limits, const Times& /*targets*/) { return {step(which, limits), 1}; }
  virtual double time(int lane) const = 0;
  virtual double next_time(int lane, double limit) const = 0;  // where the next step ends, if it is not rejected
  virtual void current(int lane, State& state) = 0;            // all but its model

  // States within the last step of these lanes, if it began at the mark, as those of Stepper::within.
  virtual void mark() = 0;
  using Observer = std::function<void(int lane, const State& state)>;
  Lanes within(Lanes which, const Times& times, State& state, const Observer& observer);

  // Native code for so many steps, where that pays.
  void prepare(double steps);
  virtual bool has_native_steps() const { return false; }  // all of a step in one piece

 protected:
  virtual std::vector<const Program*> programs() const = 0;
  virtual double evaluations_per_step() const = 0;
  // All of a step as one piece of native code, for methods and systems that have such.
  virtual bool compile_whole_step() { return false; }
  virtual void go_to_mark() = 0;  // and back to where it was
  virtual void go_back() = 0;
};

enum class LaneParameters { same, own };

// None where the method has no lanes, or the system has no single program for what they would compute.
std::unique_ptr<LaneStepper> make_lane_stepper(const System& system, const Method& method, LaneParameters parameters);

}  // namespace hamel
