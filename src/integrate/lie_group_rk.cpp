// Lie-group Runge-Kutta methods of order 4, for the motion (q, xi) wherever a group acts on every factor: R^n, S^1,
// S^2, S^n, SO(3), SE(3), matrix groups, homogeneous spaces and their products. lie_rk_step.hpp has the equations.
//
// The factors are kept to rounding; holonomic constraints are not: they drift with the error of the method. Neither
// symplectic nor symmetric.
#include <fmt/core.h>

#include "integrate/driven_field.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/lie_lanes.hpp"
#include "integrate/lie_rk_step.hpp"
#include "integrate/method_row.hpp"

namespace hamel {
namespace {

class LieRkStepper final : public FixedStep {
 public:
  LieRkStepper(const System& system, const LieRk& method)
      : FixedStep(system, method.step),
        method_(method),
        field_(system, Form::omega),
        step_(system, method.scheme, field_.partners()),
        y_(step_.y),
        between_(y_),
        rate_(y_) {}

  void start(const State& state) override {
    restart_clock(state.t);
    step_.y = y_ = field_.pack(work_, state);
    rate_is_known_ = false;
  }
  void follow(const InputLaw& law) override { field_.follow(law); }
  void current(State& state) override { field_.unpack(work_, time(), y_, state); }
  void interpolate(double t, State& state) override {
    const double h = time() - begin_of_step(), s = (t - begin_of_step()) / h;
    between_ = hermite(s, h, step_.y, step_.k[0], y_, rate());
    field_.project(work_, t, between_);
    field_.unpack(work_, t, between_, state);
  }

 private:
  double evaluations_per_step() const override { return LieRkStep::stages; }
  std::vector<const Program*> programs() const override { return field_.programs(); }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    memory(y_, step_.y, step_.k[0], rate_, rate_is_known_);
  }
  void inputs_changed() override { rate_is_known_ = false; }

  const VectorXd& rate() {  // now
    if (!rate_is_known_) field_(work_, time(), y_, rate_);
    rate_is_known_ = true;
    return rate_;
  }

  void advance(double h) override {
    step_.k[0] = rate();
    step_.y = y_;
    for (std::size_t i = 1; i < LieRkStep::stages; ++i)
      field_(work_, time() + LieRkStep::c[i] * h, step_.at_stage(i, h), step_.k[i]);
    const VectorXd& end = step_.end(h);
    if (!end.allFinite())
      throw StepError(time(), h,
                      fmt::format("{} of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; try {:.3g}",
                                  LieRk::row().name(method_), system_.name(), time(), h, h / 2));
    y_ = end;
    rate_is_known_ = false;
  }

  LieRk method_;
  DrivenField field_;
  LieRkStep step_;  // the last one
  VectorXd y_, between_, rate_;
  bool rate_is_known_ = false;
};

}  // namespace

const MethodRow<LieRk>& LieRk::row() {
  static const MethodRow<LieRk> row{
      .variants = {{.step = 0}, {.step = 0, .scheme = LieScheme::commutator_free4}},
      .name = [](const LieRk& m) -> std::string { return m.scheme == LieScheme::rkmk4 ? "rkmk4" : "commutator_free4"; },
      .info =
          [](const LieRk&) {
            return MethodInfo{.order = 4, .is_explicit = true, .keeps_manifold = true, .needs_group = true};
          },
      .parts = {number("step", &LieRk::step),
                word("scheme", &LieRk::scheme,
                     {{"rkmk4", LieScheme::rkmk4}, {"commutator_free4", LieScheme::commutator_free4}})},
      .check = check_step<LieRk>,
      .stepper = [](const System& system, const LieRk& m) -> std::unique_ptr<Stepper> {
        return std::make_unique<LieRkStepper>(system, m);
      },
      .lanes = lie_group_lanes};
  return row;
}

}  // namespace hamel
