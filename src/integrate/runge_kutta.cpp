// rk2 and rk4: Runge-Kutta methods of fixed step on a presentation of the flow y' = F(t, y), field.hpp.

#include "integrate/runge_kutta.hpp"

#include <fmt/core.h>

#include <array>

#include "integrate/driven_field.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/method_row.hpp"

namespace hamel {
namespace {

constexpr RungeKuttaTableau midpoint = {2, {0, 1. / 2}, {0, 1}, {{{}, {1. / 2}}}};
constexpr RungeKuttaTableau heun = {2, {0, 1}, {1. / 2, 1. / 2}, {{{}, {1}}}};
constexpr RungeKuttaTableau classical = {
    4, {0, 1. / 2, 1. / 2, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {{{}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}}}};

class FixedRungeKutta final : public FixedStep {
 public:
  template <class M>
  FixedRungeKutta(const System& system, const RungeKuttaTableau& tableau, const M& method)
      : FixedStep(system, method.step),
        name_(M::row().name(method)),
        tableau_(tableau),
        field_(system, method.form),
        reproject_(method.reproject) {
    for (VectorXd* x : {&y_, &before_, &next_, &rate_}) *x = VectorXd::Zero(field_.size());
    for (std::size_t i = 0; i < tableau.stages; ++i) k_[i] = y_;
  }

  void start(const State& state) override {
    restart_clock(state.t);
    before_ = y_ = field_.pack(work_, state);
    rate_is_known_ = false;
  }
  void follow(const InputLaw& law) override { field_.follow(law); }
  void current(State& state) override { field_.unpack(work_, time(), y_, state); }
  void interpolate(double t, State& state) override {
    const double h = time() - begin_of_step(), s = (t - begin_of_step()) / h;
    next_ = hermite(s, h, before_, k_[0], y_, rate());
    if (reproject_) field_.project(work_, t, next_);
    field_.unpack(work_, t, next_, state);
  }

 private:
  double evaluations_per_step() const override { return static_cast<double>(tableau_.stages); }
  std::vector<const Program*> programs() const override { return field_.programs(); }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    memory(y_, before_, k_[0], rate_, rate_is_known_);
  }
  void inputs_changed() override { rate_is_known_ = false; }

  void advance(double h) override {
    k_[0] = rate();
    for (std::size_t i = 1; i < tableau_.stages; ++i) {
      combine(tableau_.a[i], i, h);
      field_(work_, time() + tableau_.c[i] * h, next_, k_[i]);
    }
    combine(tableau_.b, tableau_.stages, h);
    if (!next_.allFinite())
      throw StepError(time(), h,
                      fmt::format("{} of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; try {:.3g}",
                                  name_, system_.name(), time(), h, h / 2));
    if (reproject_) field_.project(work_, time() + h, next_);
    before_.swap(y_);
    y_.swap(next_);
    rate_is_known_ = false;
  }
  // next = y + h sum_j weight_j k_j
  void combine(const std::array<double, RungeKuttaTableau::most_stages>& weights, std::size_t count, double h) {
    next_ = y_;
    for (std::size_t j = 0; j < count; ++j)
      if (weights[j] != 0) next_ += h * weights[j] * k_[j];
  }
  const VectorXd& rate() {  // now
    if (!rate_is_known_) field_(work_, time(), y_, rate_);
    rate_is_known_ = true;
    return rate_;
  }

  std::string name_;
  const RungeKuttaTableau& tableau_;
  DrivenField field_;
  bool reproject_, rate_is_known_ = false;
  VectorXd y_, before_, next_, rate_;
  std::array<VectorXd, RungeKuttaTableau::most_stages> k_;
};

}  // namespace

const MethodRow<Rk2>& Rk2::row() {
  static const MethodRow<Rk2> row{
      .variants = {{.step = 0},
                   {.step = 0, .rule = Rk2Rule::heun},
                   {.step = 0, .reproject = true},
                   {.step = 0, .rule = Rk2Rule::heun, .reproject = true}},
      .name = [](const Rk2& m) { return with_suffix(m.rule == Rk2Rule::midpoint ? "rk2" : "heun", m.reproject); },
      .info = [](const Rk2& m) { return MethodInfo{.order = 2, .is_explicit = true, .keeps_manifold = m.reproject}; },
      .parts = {number("step", &Rk2::step),
                word("rule", &Rk2::rule, {{"midpoint", Rk2Rule::midpoint}, {"heun", Rk2Rule::heun}}), form_part<Rk2>(),
                reproject_part<Rk2>()},
      .check = check_step<Rk2>,
      .stepper = [](const System& system, const Rk2& m) -> std::unique_ptr<Stepper> {
        return std::make_unique<FixedRungeKutta>(system, m.rule == Rk2Rule::midpoint ? midpoint : heun, m);
      },
      .lanes =
          [](const System& system, const Rk2& m, LaneParameters parameters) {
            return runge_kutta_lanes(system, m.rule == Rk2Rule::midpoint ? midpoint : heun, m.step, m.form, m.reproject,
                                     parameters);
          }};
  return row;
}

const MethodRow<Rk4>& Rk4::row() {
  static const MethodRow<Rk4> row{
      .variants = {{.step = 0}, {.step = 0, .reproject = true}},
      .name = [](const Rk4& m) { return with_suffix("rk4", m.reproject); },
      .info = [](const Rk4& m) { return MethodInfo{.order = 4, .is_explicit = true, .keeps_manifold = m.reproject}; },
      .parts = {number("step", &Rk4::step), form_part<Rk4>(), reproject_part<Rk4>()},
      .check = check_step<Rk4>,
      .stepper = [](const System& system, const Rk4& m) -> std::unique_ptr<Stepper> {
        return std::make_unique<FixedRungeKutta>(system, classical, m);
      },
      .lanes =
          [](const System& system, const Rk4& m, LaneParameters parameters) {
            return runge_kutta_lanes(system, classical, m.step, m.form, m.reproject, parameters);
          }};
  return row;
}

}  // namespace hamel
