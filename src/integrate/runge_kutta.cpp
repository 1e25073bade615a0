#include "hamel/integrate/runge_kutta.hpp"

#include <fmt/core.h>

#include <array>
#include <stdexcept>

#include "hamel/integrate/dormand_prince.hpp"
#include "integrate/fixed_step.hpp"

namespace hamel {
namespace {

void to_state(Field& field, Workspace& work, double t, In y, State& state) {
  const int n = field.system().ambient();
  state.t = t;
  state.q = y.head(n);
  state.v.resize(n);
  field.velocity(work, t, y, state.v);
}

// An explicit method: k_i = f(t + c_i h, y + h sum_j<i a_ij k_j), and y + h sum_i b_i k_i is next.
struct Tableau {
  static constexpr int most_stages = 4;
  const char* name;
  std::size_t stages;
  std::array<double, most_stages> c, b;
  std::array<std::array<double, most_stages>, most_stages> a;
};
constexpr Tableau midpoint = {"rk2 (midpoint)", 2, {0, 1. / 2}, {0, 1}, {{{}, {1. / 2}}}};
constexpr Tableau heun = {"rk2 (Heun)", 2, {0, 1}, {1. / 2, 1. / 2}, {{{}, {1}}}};
constexpr Tableau classical = {
    "rk4", 4, {0, 1. / 2, 1. / 2, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {{{}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}}}};

class FixedRungeKutta final : public FixedStep {
 public:
  FixedRungeKutta(const System& system, const Tableau& tableau, double step, Form form, bool reproject)
      : FixedStep(system, step), tableau_(tableau), field_(system, form), reproject_(reproject) {
    for (VectorXd* x : {&y_, &before_, &next_, &rate_}) *x = VectorXd::Zero(field_.size());
    for (std::size_t i = 0; i < tableau.stages; ++i) k_[i] = y_;
  }

  void start(const State& state) override {
    restart_clock(state.t);
    before_ = y_ = field_.pack(work_, state);
    rate_is_known_ = false;
  }
  void current(State& state) override { to_state(field_, work_, t_, y_, state); }
  void interpolate(double t, State& state) override {
    const double h = t_ - begin_, s = (t - begin_) / h;
    next_ = hermite(s, h, before_, k_[0], y_, rate());
    if (reproject_) field_.project(work_, t, next_);
    to_state(field_, work_, t, next_, state);
  }

 private:
  double evaluations_per_step() const override { return static_cast<double>(tableau_.stages); }
  std::vector<const Program*> programs() const override { return system_.motion_programs(); }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    memory(y_, before_, k_[0], rate_, rate_is_known_);
  }
  void inputs_changed() override { rate_is_known_ = false; }

  void advance(double h) override {
    k_[0] = rate();
    for (std::size_t i = 1; i < tableau_.stages; ++i) {
      combine(tableau_.a[i], i, h);
      field_(work_, t_ + tableau_.c[i] * h, next_, k_[i]);
    }
    combine(tableau_.b, tableau_.stages, h);
    if (!next_.allFinite())
      throw StepError(t_, h,
                      fmt::format("{} of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; try {:.3g}",
                                  tableau_.name, system_.name(), t_, h, h / 2));
    if (reproject_) field_.project(work_, t_ + h, next_);
    before_.swap(y_);
    y_.swap(next_);
    rate_is_known_ = false;
  }
  // next = y + h sum_j weight_j k_j
  void combine(const std::array<double, Tableau::most_stages>& weights, std::size_t count, double h) {
    next_ = y_;
    for (std::size_t j = 0; j < count; ++j)
      if (weights[j] != 0) next_ += h * weights[j] * k_[j];
  }
  const VectorXd& rate() {  // now
    if (!rate_is_known_) field_(work_, t_, y_, rate_);
    rate_is_known_ = true;
    return rate_;
  }

  const Tableau& tableau_;
  Field field_;
  bool reproject_, rate_is_known_ = false;
  VectorXd y_, before_, next_, rate_;
  std::array<VectorXd, Tableau::most_stages> k_;
};

class Rk45Stepper final : public Stepper {
 public:
  Rk45Stepper(const System& system, const Rk45& method)
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

  void current(State& state) override { to_state(field_, work_, solver_.time(), solver_.y(), state); }

  void interpolate(double t, State& state) override {
    solver_.interpolate(t, at_);
    if (reproject_) field_.project(work_, t, at_);
    to_state(field_, work_, t, at_, state);
  }

  std::size_t rejected() const override { return solver_.rejected(); }

 private:
  void inputs_changed() override { solver_.forget_rate(); }
  std::vector<const Program*> programs() const override { return system_.motion_programs(); }
  void remember(Memory& memory) override {
    Stepper::remember(memory);
    solver_.remember(memory);
  }
  // The first step is a careful one.
  double expected_evaluations(double duration) const override { return 6 * duration / (10 * solver_.first_step()); }

  Field field_;
  bool reproject_;
  DormandPrince solver_;
  VectorXd at_;
};

}  // namespace

std::unique_ptr<Stepper> rk2_stepper(const System& system, const Rk2& method) {
  const Tableau& tableau = method.rule == Rk2Rule::midpoint ? midpoint : heun;
  return std::make_unique<FixedRungeKutta>(system, tableau, method.step, method.form, method.reproject);
}

std::unique_ptr<Stepper> rk4_stepper(const System& system, const Rk4& method) {
  return std::make_unique<FixedRungeKutta>(system, classical, method.step, method.form, method.reproject);
}

std::unique_ptr<Stepper> rk45_stepper(const System& system, const Rk45& method) {
  return std::make_unique<Rk45Stepper>(system, method);
}

}  // namespace hamel
