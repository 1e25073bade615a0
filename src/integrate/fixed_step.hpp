// Steps of one size.
#pragma once

#include <cmath>

#include "hamel/integrate/memory.hpp"
#include "hamel/integrate/stepper.hpp"
#include "integrate/step_clock.hpp"

namespace hamel {

class FixedStep : public Stepper {
 public:
  double step(double limit) final {
    const StepClock::Step next = clock_.next(limit);
    clock_.begin = clock_.t;
    advance(next.h);
    clock_.take(next);
    return clock_.t;
  }

 protected:
  FixedStep(const System& system, double step) : Stepper(system) { clock_.h = step; }
  double expected_evaluations(double duration) const override {
    return std::abs(duration / clock_.h) * evaluations_per_step();
  }

  void remember(Memory& memory) override {
    Stepper::remember(memory);
    memory.same("step", clock_.h);
    memory(clock_.t, clock_.begin, clock_.origin, clock_.count);
  }

  virtual void advance(double h) = 0;  // from time() to time() + h
  virtual double evaluations_per_step() const = 0;

  void restart_clock(double t) { clock_.restart(t); }
  double time() const { return clock_.t; }
  double begin_of_step() const { return clock_.begin; }

 private:
  StepClock clock_;
};

// The cubic polynomial with values x0, x1 and rates v0, v1 at both ends of a step, and its rate, at begin + s h.
template <class X0, class V0, class X1, class V1>
auto hermite(double s, double h, const X0& x0, const V0& v0, const X1& x1, const V1& v1) {
  return (1 + 2 * s) * (1 - s) * (1 - s) * x0 + s * (1 - s) * (1 - s) * h * v0 + s * s * (3 - 2 * s) * x1 +
         s * s * (s - 1) * h * v1;
}
template <class X0, class V0, class X1, class V1>
auto hermite_rate(double s, double h, const X0& x0, const V0& v0, const X1& x1, const V1& v1) {
  return 6 * s * (s - 1) / h * (x0 - x1) + (1 - s) * (1 - 3 * s) * v0 + s * (3 * s - 2) * v1;
}

}  // namespace hamel
