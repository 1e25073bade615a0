#include "hamel/integrate/runge_kutta.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "integrate/fixed_step.hpp"

namespace hamel {
namespace {

// What is integrated: y of a field, with its rate at the current time, which is computed when it is asked for.
class Flow {
 public:
  Flow(const System& system, Form form, bool reproject) : field_(system, form), reproject_(reproject) {
    y = VectorXd::Zero(field_.size());
    rate_ = y;
  }

  const System& system() const { return field_.system(); }
  void start(Workspace& work, const State& state) {
    y = field_.pack(work, state);
    forget_rate();
  }
  // Takes y for the new value; what y was is in the argument afterwards.
  void move_to(Workspace& work, VectorXd& next) {
    y.swap(next);
    if (reproject_) field_.project(work, y);
    forget_rate();
  }
  void operator()(Workspace& work, double t, In at, Out rate) { field_(work, t, at, rate); }
  const VectorXd& rate(Workspace& work, double t) {
    if (!rate_is_known_) field_(work, t, y, rate_);
    rate_is_known_ = true;
    return rate_;
  }
  void set_rate(const VectorXd& rate) {
    if (reproject_) return;  // the point was moved
    rate_ = rate;
    rate_is_known_ = true;
  }
  void forget_rate() { rate_is_known_ = false; }

  void to_state(Workspace& work, double t, const VectorXd& at, State& state) {
    state.t = t;
    state.q = at.head(system().ambient());
    state.v.resize(system().ambient());
    field_.velocity(work, t, at, state.v);
  }
  void interpolated(Workspace& work, double t, VectorXd& at, State& state) {
    if (reproject_) field_.project(work, at);
    to_state(work, t, at, state);
  }

  VectorXd y;

 private:
  Field field_;
  bool reproject_;
  VectorXd rate_;
  bool rate_is_known_ = false;
};

class Rk4Stepper final : public FixedStep {
 public:
  Rk4Stepper(const System& system, const Rk4& method)
      : FixedStep(system, method.step), flow_(system, method.form, method.reproject) {
    for (VectorXd* x : {&before_, &next_, &between_, &k1_, &k2_, &k3_, &k4_}) *x = flow_.y;
  }

  void start(const State& state) override {
    restart_clock(state.t);
    flow_.start(work_, state);
    before_ = flow_.y;
  }
  void current(State& state) override { flow_.to_state(work_, t_, flow_.y, state); }
  void interpolate(double t, State& state) override {
    const double h = t_ - begin_, s = (t - begin_) / h;
    between_ = hermite(s, h, before_, k1_, flow_.y, flow_.rate(work_, t_));
    flow_.interpolated(work_, t, between_, state);
  }

 private:
  double evaluations_per_step() const override { return 4; }
  void inputs_changed() override { flow_.forget_rate(); }

  void advance(double h) override {
    const VectorXd& y = flow_.y;
    k1_ = flow_.rate(work_, t_);
    next_ = y + h / 2 * k1_;
    flow_(work_, t_ + h / 2, next_, k2_);
    next_ = y + h / 2 * k2_;
    flow_(work_, t_ + h / 2, next_, k3_);
    next_ = y + h * k3_;
    flow_(work_, t_ + h, next_, k4_);
    next_ = y + h / 6 * (k1_ + 2 * k2_ + 2 * k3_ + k4_);
    if (!next_.allFinite())
      throw StepError(t_, h,
                      fmt::format("rk4 of {} leaves the finite numbers at t = {:.9g} with step {:.6g}; try {:.3g}",
                                  system_.name(), t_, h, h / 2));
    flow_.move_to(work_, next_);
    before_.swap(next_);
  }

  Flow flow_;
  VectorXd before_, next_, between_, k1_, k2_, k3_, k4_;
};

// The coefficients of Dormand and Prince: nodes c, stages a, solution b = last row of a, error e, and continuous
// output d; Hairer, Norsett, Wanner, table II.5.2 and the code DOPRI5.
constexpr int stages = 7;
constexpr std::array<double, stages> c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr std::array<std::array<double, stages - 1>, stages> a = {
    {{},
     {1. / 5},
     {3. / 40, 9. / 40},
     {44. / 45, -56. / 15, 32. / 9},
     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
constexpr std::array<double, stages> e = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                          -17253. / 339200, 22. / 525, -1. / 40};
constexpr std::array<double, stages> d = {-12715105075. / 11282082432,  0,
                                          87487479700. / 32700410799,   -10690763975. / 1880347072,
                                          701980252875. / 199316789632, -1453857185. / 822651844,
                                          69997945. / 29380423};

// Proportional-integral control of the step, section IV.2 of the second volume.
constexpr double order = 5, integral = 0.04, proportional = 1 / order - 0.75 * integral;
constexpr double safety = 0.9, smallest_factor = 0.2, largest_factor = 10;

class Rk45Stepper final : public Stepper {
 public:
  Rk45Stepper(const System& system, const Rk45& method)
      : Stepper(system), method_(method), flow_(system, method.form, method.reproject) {
    for (VectorXd& k : k_) k = flow_.y;
    for (VectorXd* x : {&before_, &change_, &trial_, &error_, &bend_}) *x = flow_.y;
  }

  void start(const State& state) override {
    begin_ = t_ = state.t;
    flow_.start(work_, state);
    before_ = flow_.y;
    h_ = first_h_ = std::min(method_.first_step > 0 ? method_.first_step : chosen_first_step(), method_.largest_step);
    last_error_ = 1e-4;
    rejected_ = 0;
  }

  double step(double limit) override {
    k_[0] = flow_.rate(work_, t_);
    bool failed = false;
    double error = 0;
    while (true) {
      const double left = limit - t_, h = left <= 1.1 * h_ ? left : h_;
      if (h < left && !(t_ + h / 16 > t_)) throw_underflow(h, error);
      error = attempt(h);
      if (error <= 1) {
        accept(h, h == left, limit, error, failed);
        return t_;
      }
      failed = true;
      ++rejected_;
      h_ = h * (std::isfinite(error) ? std::max(smallest_factor, safety * std::pow(error, -proportional))
                                     : smallest_factor);
    }
  }

  void current(State& state) override { flow_.to_state(work_, t_, flow_.y, state); }

  // y0 + s (y1 - y0 + (1 - s) (h k1 - (y1 - y0) + s (...))), formula (6.13) of section II.6.
  void interpolate(double t, State& state) override {
    const double h = t_ - begin_, s = (t - begin_) / h;
    bend_.setZero();
    for (std::size_t i = 0; i < stages; ++i)
      if (d[i] != 0) bend_ += h * d[i] * k_[i];
    change_ = flow_.y - before_;
    trial_ =
        before_ +
        s * (change_ + (1 - s) * (h * k_[0] - change_ + s * (2 * change_ - h * (k_[0] + k_[6]) + (1 - s) * bend_)));
    flow_.interpolated(work_, t, trial_, state);
  }

  void suggest(double h) override { h_ = std::min(h, method_.largest_step); }
  std::size_t rejected() const override { return rejected_; }

 private:
  void inputs_changed() override { flow_.forget_rate(); }
  // The first step is a careful one.
  double expected_evaluations(double duration) const override { return 6 * duration / (10 * first_h_); }

  double scaled_size(const VectorXd& x, const VectorXd& y0, const VectorXd& y1) const {
    return (x.array().abs() / (method_.absolute + method_.relative * y0.array().abs().max(y1.array().abs())))
        .maxCoeff();
  }

  // Section II.4: a step whose second derivative and rate are both small in the tolerance.
  double chosen_first_step() {
    const VectorXd& y = flow_.y;
    const VectorXd& rate = flow_.rate(work_, t_);
    const double size = scaled_size(y, y, y), speed = scaled_size(rate, y, y);
    const double guess = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
    trial_ = y + guess * rate;
    flow_(work_, t_ + guess, trial_, k_[1]);
    error_ = (k_[1] - rate) / guess;
    const double bend = scaled_size(error_, y, y), larger = std::max(speed, bend);
    const double second = larger <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / larger, 1 / order);
    return std::min(100 * guess, second);
  }

  // The error in units of the tolerance; infinity where a stage does not exist.
  double attempt(double h) {
    try {
      for (std::size_t i = 1; i < stages; ++i) {
        trial_ = flow_.y;
        for (std::size_t j = 0; j < i; ++j)
          if (a[i][j] != 0) trial_ += h * a[i][j] * k_[j];
        flow_(work_, t_ + c[i] * h, trial_, k_[i]);
      }
    } catch (const std::runtime_error&) {
      return std::numeric_limits<double>::infinity();
    }
    error_.setZero();
    for (std::size_t i = 0; i < stages; ++i)
      if (e[i] != 0) error_ += h * e[i] * k_[i];
    const double error = scaled_size(error_, flow_.y, trial_);
    return trial_.allFinite() && std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
  }

  void accept(double h, bool at_limit, double limit, double error, bool failed) {
    const double raw = safety * std::pow(error, -proportional) * std::pow(last_error_, integral);
    const double factor = error == 0 ? largest_factor : std::clamp(raw, smallest_factor, largest_factor);
    const double natural = h_;
    h_ = h * (failed ? std::min(factor, 1.0) : factor);
    if (h < natural) h_ = std::max(h_, natural);  // it was the limit that made this step short
    h_ = std::min(h_, method_.largest_step);
    last_error_ = std::max(error, 1e-4);
    begin_ = t_;
    t_ = at_limit ? limit : t_ + h;
    flow_.move_to(work_, trial_);
    before_.swap(trial_);
    flow_.set_rate(k_[stages - 1]);
  }

  [[noreturn]] void throw_underflow(double h, double error) const {
    const std::string what = error > 1 ? fmt::format(", and the error is still {:.2e} times the tolerance", error) : "";
    throw StepError(t_, h,
                    fmt::format("rk45 of {} cannot go on at t = {:.9g}: its step fell to {:.2e}{} (relative {:.0e}, "
                                "absolute {:.0e}); the motion may be singular there, or the tolerance too small for "
                                "rounding",
                                system_.name(), t_, h, what, method_.relative, method_.absolute));
  }

  Rk45 method_;
  Flow flow_;
  std::array<VectorXd, stages> k_;
  VectorXd before_, change_, trial_, error_, bend_;
  double t_ = 0, begin_ = 0, h_ = 0, first_h_ = 0, last_error_ = 0;
  std::size_t rejected_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> rk4_stepper(const System& system, const Rk4& method) {
  return std::make_unique<Rk4Stepper>(system, method);
}

std::unique_ptr<Stepper> rk45_stepper(const System& system, const Rk45& method) {
  return std::make_unique<Rk45Stepper>(system, method);
}

}  // namespace hamel
