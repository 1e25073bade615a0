// A method at work: something that can be started and stepped. `integrate` drives it; so can you.
//
//   auto stepper = make_stepper(system, Rk4{.step = 0.01});
//   stepper->start(state);
//   while (stepper->step(10.0) < 10.0) { stepper->current(state); ... }
//
// Nothing allocates in a step. Steppers of fixed step also go backwards, with a negative step. What a stepper remembers
// can be saved as numbers; another one that restores them goes on to the same bits.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Memory;
class Program;

// A step that cannot be taken, though a shorter one may be. The stepper must be started again before it goes on.
class StepError : public std::runtime_error {
 public:
  StepError(double t, double h, const std::string& message) : std::runtime_error(message), t_(t), h_(h) {}
  double time() const { return t_; }  // where the step begins
  double step() const { return h_; }  // its size

 private:
  double t_, h_;
};

using InputLaw = std::function<void(double t, const State& state, VectorXd& u)>;
// Refuses what is no value of the inputs.
void need_inputs(In u, const System& system, double t);

// So many runs of a program, on so many states at once.
struct ProgramUse {
  const Program* program;
  double runs;
  int lanes = 1;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual void start(const State& state) = 0;
  // One step, of the method's own size but not beyond `limit`. Returns the new time.
  virtual double step(double limit) = 0;
  // The state now; may cost a solve where the method keeps momenta.
  virtual void current(State& state) = 0;
  // A guess at the state within the last step, cheap, but of a lower order than many methods have.
  virtual void interpolate(double t, State& state) = 0;

  // The state within the last step, if that began at the mark: by a shorter step of the method from there, so that it
  // is as accurate as the end of a step, and keeps what that keeps. The stepper stays where it is.
  void mark();
  void within(double t, State& state);

  Workspace& workspace() { return work_; }
  // The inputs, constant until they are set again.
  void set_inputs(In u) {
    work_.u = u;
    inputs_changed();
  }

  // Or inputs that follow a law at every evaluation, of explicit methods alone: others need its derivatives.
  virtual void follow(const InputLaw& law);

  virtual std::size_t rejected() const { return 0; }  // steps, so far
  // Steps of a Gauss method whose stages were found by Newton's method, with dense matrices; so far.
  virtual std::size_t newton_steps() const { return 0; }

  // Everything that the next steps depend on, the inputs and the interpolant of the last step included. A stepper of
  // the same method and system, given them, goes on to the same bits; it need not have been started. The numbers are
  // appended.
  void save(std::vector<double>& numbers) const;
  void restore(std::span<const double> numbers);

  // Native code for a run of this length, where that pays; once started.
  void prepare(double duration);
  // Which programs are native code by now; its bits are the interpreter's.
  std::vector<bool> native() const;

 protected:
  explicit Stepper(const System& system) : system_(system), work_(system) {}
  virtual void inputs_changed() {}
  virtual double expected_evaluations(double duration) const = 0;  // a rough guess
  // What a step computes, always in the same order.
  virtual std::vector<const Program*> programs() const = 0;
  // What a run of this length computes: these, and the energies and momenta that are looked at.
  virtual std::vector<ProgramUse> uses(double duration) const;
  // Lists what is saved.
  virtual void remember(Memory& memory);

  const System& system_;
  Workspace work_;

 private:
  void go_to(std::span<const double> place);

  std::vector<double> mark_, end_;  // as saved
};

// The system must outlive its steppers.
std::unique_ptr<Stepper> make_stepper(const System& system, const Method& method);

}  // namespace hamel
