// Gauss collocation of order 2 s on the canonical equations in the ambient space (mechanics/canonical.hpp): symplectic
// and symmetric, of any even order up to 16. Spheres, rotations and every constraint that is quadratic are kept to
// rounding, for Gauss methods keep quadratic invariants. Other constraints are kept by symmetric projection: each step
// begins and ends with the same multiple of the normals, chosen such that the constraints hold at the end (Hairer,
// Lubich, Wanner, "Geometric Numerical Integration", section V.4.1); it is then symmetric, but no longer symplectic.
#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "integrate/fixed_step.hpp"
#include "integrate/gauss_lanes.hpp"
#include "integrate/gauss_motion.hpp"
#include "integrate/method_row.hpp"

namespace hamel {
namespace {

// Steps by Newton's method, until the fixed-point iteration is tried again.
constexpr int newton_patience = 100;

std::vector<ProgramUse> with_stages(std::vector<ProgramUse> uses, const std::vector<ProgramUse>& stages) {
  uses.insert(uses.end(), stages.begin(), stages.end());
  return uses;
}

class FixedGauss final : public FixedStep {
 public:
  FixedGauss(const System& system, const Gauss& method)
      : FixedStep(system, method.step), order_(method.order), motion_(system, work_, method.order) {}

  void start(const State& state) override {
    restart_clock(state.t);
    motion_.start(state);
  }
  void current(State& state) override {
    motion_.current(state);
    state.t = time();
  }
  void interpolate(double t, State& state) override {
    motion_.interpolate((t - begin_of_step()) / (time() - begin_of_step()), t, state);
  }
  std::size_t newton_steps() const override { return newton_steps_; }

 private:
  std::vector<const Program*> programs() const override { return motion_.programs(); }
  std::vector<ProgramUse> uses(double duration) const override {
    return with_stages(Stepper::uses(duration), motion_.stages(expected_evaluations(duration)));
  }
  void remember(Memory& memory) override {
    FixedStep::remember(memory);
    motion_.remember(memory);
    memory(by_newton_, newton_steps_);
  }

  void advance(double h) override {
    Stages stages = by_newton_ == 0 ? motion_.find_stages(time(), h, Iteration::fixed_point) : Stages::not_found;
    if (stages == Stages::not_found) {
      by_newton_ = by_newton_ == 0 ? newton_patience : by_newton_ - 1;
      ++newton_steps_;
      stages = motion_.find_stages(time(), h, Iteration::newton);
    }
    if (stages != Stages::found)
      throw StepError(time(), h,
                      fmt::format("the step of gauss{} of {} at t = {:.9g} with step {:.6g} failed: {}; the step may "
                                  "be too long for this motion, try {:.3g}",
                                  order_, system_.name(), time(), h, motion_.failure(), h / 2));
    motion_.finish(time(), h);
  }
  double evaluations_per_step() const override { return 1; }
  void inputs_changed() override { motion_.inputs_changed(time()); }

  int order_;
  GaussMotion motion_;
  int by_newton_ = 0;  // so many steps more
  std::size_t newton_steps_ = 0;
};

// The step follows the motion: nothing of long-time conservation is promised then, as for every variable step.
class AdaptiveGauss final : public Stepper {
 public:
  AdaptiveGauss(const System& system, const Gauss& method)
      : Stepper(system), method_(method), motion_(system, work_, method.order) {}

  void start(const State& state) override {
    begin_ = t_ = state.t;
    motion_.start(state);
    VectorXd a(system_.ambient());
    system_.acceleration(work_, state.t, state.q, state.v, a);
    constexpr double resolved = 1e-12;  // of t
    h_ = std::max(careful_step(state.q.norm(), state.v.norm(), a.norm()), resolved * std::abs(t_));
    rejected_ = 0;
  }

  double step(double limit) override {
    double error = 0;
    for (bool was_cut = false;; was_cut = true) {
      const double left = limit - t_, h = left <= 1.01 * h_ ? left : h_;
      if (h < left && !(t_ + h / 16 > t_)) throw_underflow(h, error);
      const Stages stages = motion_.find_stages(t_, h, by_newton_ > 0 ? Iteration::newton : Iteration::fixed_point);
      error = stages == Stages::found ? motion_.error_of_stages(h) : std::numeric_limits<double>::infinity();
      if (error <= method_.tolerance) {
        accept(h, was_cut, error);
        t_ = h == left ? limit : t_ + h;
        return t_;
      }
      ++rejected_;
      h_ = h * (std::isfinite(error) ? std::min(bounded(wanted_factor(error)), 0.9) : 0.5);
    }
  }

  void current(State& state) override {
    motion_.current(state);
    state.t = t_;
  }
  void interpolate(double t, State& state) override { motion_.interpolate((t - begin_) / (t_ - begin_), t, state); }
  std::size_t rejected() const override { return rejected_; }
  std::size_t newton_steps() const override { return newton_steps_; }

 private:
  // A tenth of the time in which the motion changes, as far as one state says; an origin in the middle of it does not.
  static double careful_step(double place, double speed, double acceleration) {
    for (const double rate : {std::sqrt(acceleration / place), acceleration / speed, speed / place})
      if (std::isfinite(rate) && rate > 0) return 0.1 / rate;
    return 0.1;
  }

  void accept(double h, bool was_cut, double error) {
    const double natural = h_, wanted = wanted_factor(error);
    h_ = std::max(h * bounded(was_cut ? std::min(wanted, 1.0) : wanted), h < natural ? natural : 0.0);
    choose_iteration(was_cut, wanted);
    begin_ = t_;
    motion_.finish(t_, h);
  }

  // Where the fixed-point iteration does not contract, the step is cut: a step by Newton's method costs as much as ten
  // others, of large systems a hundred. It takes over where the accuracy would allow steps so much longer.
  void choose_iteration(bool was_cut, double wanted) {
    constexpr double much_longer = 10;
    if (by_newton_ > 0) {
      --by_newton_;
      ++newton_steps_;
    } else if (was_cut && wanted > much_longer && motion_.has_newton()) {
      by_newton_ = newton_patience;
    }
  }

  double wanted_factor(double error) const {
    constexpr double safety = 0.9;
    return safety * std::pow(method_.tolerance / error, 1.0 / (method_.order + 1));
  }
  static double bounded(double factor) {
    constexpr double smallest = 0.2, largest = 3;
    return std::clamp(factor, smallest, largest);
  }

  [[noreturn]] void throw_underflow(double h, double error) const {
    std::string what;
    if (!std::isfinite(error))
      what = fmt::format(", and still it failed: {}", motion_.failure());
    else if (error > 0)
      what = fmt::format(", and its relative error is still {:.1e}", error);
    throw StepError(t_, h,
                    fmt::format("gauss{} of {} cannot go on at t = {:.9g}: its step fell to {:.2e}{} (tolerance "
                                "{:.0e}); the motion may be singular there, or the tolerance too small for rounding",
                                method_.order, system_.name(), t_, h, what, method_.tolerance));
  }

  void inputs_changed() override { motion_.inputs_changed(t_); }
  double expected_evaluations(double duration) const override { return duration / h_; }
  std::vector<const Program*> programs() const override { return motion_.programs(); }
  std::vector<ProgramUse> uses(double duration) const override {
    return with_stages(Stepper::uses(duration), motion_.stages(expected_evaluations(duration)));
  }
  void remember(Memory& memory) override {
    Stepper::remember(memory);
    memory.same("tolerance", method_.tolerance);
    memory(t_, begin_, h_, rejected_);
    motion_.remember(memory);
    memory(by_newton_, newton_steps_);
  }

  Gauss method_;
  GaussMotion motion_;
  double t_ = 0, begin_ = 0, h_ = 0;
  int by_newton_ = 0;  // so many steps more
  std::size_t rejected_ = 0, newton_steps_ = 0;
};

std::unique_ptr<Stepper> gauss_stepper(const System& system, const Gauss& method) {
  if (method.tolerance > 0) return std::make_unique<AdaptiveGauss>(system, method);
  return std::make_unique<FixedGauss>(system, method);
}

void check_gauss(const Gauss& method, const std::string& name) {
  if (method.order < 2 || method.order > 16 || method.order % 2 != 0)
    throw std::invalid_argument(
        fmt::format("Gauss methods have the orders 2, 4, ..., 16; {} is none of them", method.order));
  if (method.step != 0 && method.tolerance != 0)
    throw std::invalid_argument(fmt::format("{} has a fixed step or a tolerance, not both", name));
  if (method.tolerance != 0)
    need_tolerance(name, "tolerance", method.tolerance);
  else
    check_step(method, name);
}

}  // namespace

const MethodRow<Gauss>& Gauss::row() {
  static const MethodRow<Gauss> row{
      .variants = {{.order = 2},
                   {.order = 4},
                   {.order = 6},
                   {.order = 8},
                   {.order = 10},
                   {.order = 12},
                   {.order = 14},
                   {.order = 16}},
      .name = [](const Gauss& m) { return fmt::format("gauss{}", m.order); },
      .info =
          [](const Gauss& m) {
            const bool adaptive = m.tolerance > 0;
            return MethodInfo{.order = m.order,
                              .symplectic = !adaptive,
                              .symmetric = !adaptive,
                              .adaptive = adaptive,
                              .keeps_manifold = true,
                              .needs_energies = true};
          },
      .parts = {number("step", &Gauss::step), number("order", &Gauss::order), number("tolerance", &Gauss::tolerance)},
      .check = check_gauss,
      .stepper = gauss_stepper,
      .lanes = gauss_lanes};
  return row;
}

}  // namespace hamel
