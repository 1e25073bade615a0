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
#include <span>
#include <vector>

#include "hamel/integrate/event.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Kernel;
class Program;

struct LaneMotion {
  const System* system;
  const State* start;
  const std::vector<Event>* events = nullptr;  // null: those of `Until`
  bool is_checked = false;                     // System::check has seen the start
};

class LaneStepper {
 public:
  static constexpr int lanes = 8;
  using Lanes = std::bitset<lanes>;
  using Times = std::array<double, lanes>;

  virtual ~LaneStepper() = default;

  // Of the system that the stepper was made for, which outlives it, or of one that its `with` gave, which need not.
  virtual void start(int lane, const System& member, const State& state) = 0;
  // The same in two parts, so that what motions need before their first steps is found for eight of them at once: those
  // without a system are none, and the others outlive their start.
  virtual void gather(std::span<const LaneMotion> motions) { gathered_ = motions; }
  virtual void start_gathered(int lane, std::size_t place) {
    start(lane, *gathered_[place].system, *gathered_[place].start);
  }
  // One step of these lanes, none of them beyond its limit; the others lose their motion. Returns those that met
  // something unusual. A lane whose time is still the same has rejected its step, and tries a shorter one the next
  // time.
  virtual Lanes step(Lanes which, const Times& limits) = 0;
  // The same, or several of them, until a lane comes to its limit: none by which one may pass its target.
  struct Taken {
    Lanes unusual;
    std::size_t attempts;
    Lanes suspicious = {};  // that may have met an event in the last step, which began at their mark
  };
  virtual Taken steps(Lanes which, const Times& limits, const Times& /*targets*/) { return one_step(which, limits); }
  virtual Taken one_step(Lanes which, const Times& limits) { return {step(which, limits), 1, which}; }
  virtual double time(int lane) const = 0;
  virtual double next_time(int lane, double limit) const = 0;  // where the next step ends, if it is not rejected
  virtual void current(int lane, State& state) = 0;            // all but its model

  // States within the last step of these lanes, if it began at the mark, as those of Stepper::within.
  virtual void mark() = 0;
  using Observer = std::function<void(int lane, const State& state)>;
  Lanes within(Lanes which, const Times& times, State& state, const Observer& observer);
  void at_mark(int lane, State& state);  // all but its model

  // Guesses within the last step of a lane, if it began at the mark, to the bits of Stepper::interpolate. Throws where
  // that does.
  virtual bool can_interpolate() const { return false; }
  virtual void interpolate(int lane, double t, State& state);
  virtual double time_at_mark(int lane) const { return time(lane); }

  // Numbers that are zero at events, as `Values` has them, with the parameters of a lane. Where native steps look at
  // them, `steps` ends where a lane may have met one; else one step is taken at a time, and all of them are suspicious.
  virtual void watch(const Kernel& /*events*/) {}
  virtual void watch(int /*lane*/, const Kernel& /*events*/) {}
  virtual bool looks_at_events() const { return false; }

  // Native code for so many steps, where that pays.
  void prepare(double steps);
  virtual bool has_native_steps() const { return false; }  // all of a step in one piece
  virtual bool can_step() const { return true; }           // not without native code, where there is nothing else

 protected:
  virtual std::vector<const Program*> programs() const = 0;
  virtual double evaluations_per_step() const = 0;
  // All of a step as one piece of native code, for methods and systems that have such, where so many steps pay for it.
  virtual bool compile_whole_steps(double steps) = 0;
  virtual void go_to_mark() = 0;  // and back to where it was
  virtual void go_back() = 0;

 private:
  class Detour;  // to the mark, and back
  std::span<const LaneMotion> gathered_;
};

enum class LaneParameters { same, own };

// None where the method has no lanes, or the system has no single program for what they would compute.
std::unique_ptr<LaneStepper> make_lane_stepper(const System& system, const Method& method, LaneParameters parameters);

}  // namespace hamel
