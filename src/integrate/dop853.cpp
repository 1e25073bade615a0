// dop853
#include <fmt/core.h>

#include <cmath>

#include "hamel/integrate/dormand_prince.hpp"
#include "integrate/adaptive_stepper.hpp"
#include "integrate/combine.hpp"
#include "integrate/dop853_control.hpp"
#include "integrate/dop853_lanes.hpp"
#include "integrate/dop853_tableau.hpp"
#include "integrate/fixed_step.hpp"

namespace hamel {

DormandPrince8::DormandPrince8(const std::string& system, int size, Rate rate, const Dop853& method)
    : AdaptiveSolver({.method = Dop853::row().name(method),
                      .system = system,
                      .order = order,
                      .relative = method.relative,
                      .absolute = method.absolute,
                      .first_step = method.first_step,
                      .largest_step = method.largest_step},
                     size, std::move(rate)) {
  for (VectorXd& k : k_) k = y_;
  for (VectorXd& r : bend_) r = y_;
  sum_ = y_;
  unit_ = y_.array();
}

// The rate at the end of the last step is part of its interpolant, and known there if it was asked for.
void DormandPrince8::remember(Memory& memory) {
  AdaptiveSolver::remember(memory);
  memory(is_dense_);
  for (VectorXd& k : k_) memory(k);
  for (VectorXd& r : bend_) memory(r);
}

void DormandPrince8::try_step(double h) {
  using namespace dop853;
  k_[0] = now_;
  is_dense_ = false;
  take_stages<1, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11>(rate_, c, t_, h, y_, k_, trial_);
  combine<b, steps>(h, y_, k_, trial_);
}

void DormandPrince8::step_by(double t, double h) {
  t_ = t;
  find_rate();
  try_step(h);
  if (!trial_.allFinite())
    throw StepError(t, h,
                    fmt::format("{} of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; try {:.3g}",
                                settings_.method, settings_.system, t, h, h / 2));
  go_to_trial(t + h);
}

double DormandPrince8::attempt(double h) {
  using namespace dop853;
  try_step(h);
  unit_ = (settings_.absolute + settings_.relative * y_.array().abs().max(trial_.array().abs())).inverse();
  combine<e5, steps>(h, k_, error_);
  const double fifth = (error_.array().abs() * unit_).maxCoeff();
  combine<e3, steps>(h, k_, error_);
  const double third = (error_.array().abs() * unit_).maxCoeff();
  return dop853::error(fifth, third);
}

void DormandPrince8::make_dense() {
  using namespace dop853;
  if (is_dense_) return;
  const double h = t_ - begin_;
  // From the step as it was taken: its end may have been replaced.
  combine<b, steps>(h, before_, k_, sum_);
  rate_(t_, sum_, k_[steps]);
  take_stages<13, a13, a14, a15>(rate_, c, begin_, h, before_, k_, error_);
  combine<d4, stages>(h, k_, bend_[0]);
  combine<d5, stages>(h, k_, bend_[1]);
  combine<d6, stages>(h, k_, bend_[2]);
  combine<d7, stages>(h, k_, bend_[3]);
  is_dense_ = true;
}

void DormandPrince8::interpolate(double t, Out y) {
  make_dense();
  const double h = t_ - begin_, s = (t - begin_) / h, r = 1 - s;
  error_ = y_ - before_;
  y = before_ + s * (error_ + r * (h * k_[0] - error_ +
                                   s * (2 * error_ - h * (k_[0] + k_[dop853::steps]) +
                                        r * (bend_[0] + s * (bend_[1] + r * (bend_[2] + s * bend_[3]))))));
}

namespace {

class FixedDop853 final : public FixedStep {
 public:
  FixedDop853(const System& system, const Dop853& method)
      : FixedStep(system, method.step),
        field_(system, method.form),
        reproject_(method.reproject),
        solver_(
            system.name(), field_.size(), [this](double t, In y, Out rate) { field_(work_, t, y, rate); },
            with_steps_of(method)),
        at_(VectorXd::Zero(field_.size())) {}

  void start(const State& state) override {
    restart_clock(state.t);
    solver_.start(state.t, field_.pack(work_, state));
  }
  void follow(const InputLaw& law) override { field_.follow(law); }
  void current(State& state) override { field_.unpack(work_, time(), solver_.y(), state); }
  void interpolate(double t, State& state) override {
    solver_.interpolate(t, at_);
    if (reproject_) field_.project(work_, t, at_);
    field_.unpack(work_, t, at_, state);
  }

 private:
  // The solver has no first step to look for.
  static Dop853 with_steps_of(Dop853 method) {
    method.first_step = std::abs(method.step);
    return method;
  }

  double evaluations_per_step() const override { return DormandPrince8::evaluations_per_step; }
  std::vector<const Program*> programs() const override { return field_.programs(); }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    solver_.remember(memory);
  }
  void inputs_changed() override { solver_.forget_rate(); }

  void advance(double h) override {
    solver_.step_by(time(), h);
    if (!reproject_) return;
    at_ = solver_.y();
    field_.project(work_, time() + h, at_);
    solver_.replace(at_);
  }

  DrivenField field_;
  bool reproject_;
  DormandPrince8 solver_;
  VectorXd at_;
};

std::unique_ptr<Stepper> dop853_stepper(const System& system, const Dop853& method) {
  if (method.step != 0) return std::make_unique<FixedDop853>(system, method);
  return std::make_unique<AdaptiveStepper<DormandPrince8>>(system, method);
}

void check_dop853(const Dop853& method, const std::string& name) {
  method.step != 0 ? check_step(method, name) : check_adaptive(method, name);
}

std::vector<MethodPart<Dop853>> dop853_parts() {
  std::vector<MethodPart<Dop853>> parts = adaptive_parts<Dop853>();
  parts.push_back(number("step", &Dop853::step));
  parts.back().is_new = true;
  return parts;
}

}  // namespace

double DormandPrince8::factor_after_success(double error, bool failed_before) {
  return dop853::factor_after_success(error, failed_before);
}

double DormandPrince8::factor_after_failure(double error, bool) const { return dop853::factor_after_failure(error); }

const MethodRow<Dop853>& Dop853::row() {
  static const MethodRow<Dop853> row{
      .variants = {{}, {.reproject = true}},
      .name = [](const Dop853& m) { return with_suffix("dop853", m.reproject); },
      .info =
          [](const Dop853& m) {
            return MethodInfo{.order = 8, .is_explicit = true, .adaptive = m.step == 0, .keeps_manifold = m.reproject};
          },
      .parts = dop853_parts(),
      .check = check_dop853,
      .stepper = dop853_stepper,
      .lanes = dop853_lanes};
  return row;
}

}  // namespace hamel
