// A solver that chooses its steps, on a presentation of the flow.
#pragma once

#include <cmath>

#include "hamel/integrate/adaptive.hpp"
#include "integrate/driven_field.hpp"
#include "integrate/method_row.hpp"

namespace hamel {

template <class Solver>
class AdaptiveStepper final : public Stepper {
 public:
  AdaptiveStepper(const System& system, const typename Solver::Method& method)
      : Stepper(system),
        field_(system, method.form),
        reproject_(method.reproject),
        solver_(
            system.name(), field_.size(), [this](double t, In y, Out rate) { field_(work_, t, y, rate); }, method),
        at_(VectorXd::Zero(field_.size())) {}

  void start(const State& state) override { solver_.start(state.t, field_.pack(work_, state)); }

  double step(double limit) override {
    solver_.step(limit);
    if (reproject_) {
      at_ = solver_.y();
      field_.project(work_, solver_.time(), at_);
      solver_.replace(at_);
    }
    return solver_.time();
  }

  void follow(const InputLaw& law) override { field_.follow(law); }

  void current(State& state) override { field_.unpack(work_, solver_.time(), solver_.y(), state); }

  void interpolate(double t, State& state) override {
    solver_.interpolate(t, at_);
    if (reproject_) field_.project(work_, t, at_);
    field_.unpack(work_, t, at_, state);
  }

  std::size_t rejected() const override { return solver_.rejected(); }

 private:
  void inputs_changed() override { solver_.forget_rate(); }
  std::vector<const Program*> programs() const override { return field_.programs(); }
  void remember(Memory& memory) override {
    Stepper::remember(memory);
    solver_.remember(memory);
  }
  // The first step is a careful one.
  double expected_evaluations(double duration) const override {
    return Solver::evaluations_per_step * duration / (10 * solver_.first_step());
  }

  DrivenField field_;
  bool reproject_;
  Solver solver_;
  VectorXd at_;
};

template <class M>
std::vector<MethodPart<M>> adaptive_parts() {
  return {number("relative", &M::relative),     number("absolute", &M::absolute),         form_part<M>(),
          number("first_step", &M::first_step), number("largest_step", &M::largest_step), reproject_part<M>()};
}

template <class M>
void check_adaptive(const M& method, const std::string& name) {
  need_tolerance(name, "relative tolerance", method.relative);
  need_positive(name, "absolute tolerance", method.absolute);
  if (method.first_step != 0) need_positive(name, "first step", method.first_step);
  if (!std::isinf(method.largest_step) || method.largest_step < 0)
    need_positive(name, "largest step", method.largest_step);
}

}  // namespace hamel
