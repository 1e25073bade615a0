#include "hamel/integrate/adaptive.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hamel/integrate/memory.hpp"
#include "hamel/integrate/stepper.hpp"
#include "integrate/first_step.hpp"

namespace hamel {

namespace {

constexpr double least_error_seen = 1e-4;

}  // namespace

AdaptiveSolver::AdaptiveSolver(Settings settings, int size, Rate rate)
    : settings_(std::move(settings)), rate_(std::move(rate)) {
  for (VectorXd* x : {&y_, &before_, &trial_, &error_, &now_}) *x = VectorXd::Zero(size);
}

void AdaptiveSolver::start(double t, In y) {
  begin_ = t_ = t;
  y_ = y;
  before_ = y_;
  known_ = false;
  last_error_ = least_error_seen;
  rejected_ = 0;
  h_ = first_h_ =
      std::min(settings_.first_step > 0 ? settings_.first_step : chosen_first_step(), settings_.largest_step);
}

void AdaptiveSolver::replace(In y) {
  y_ = y;
  known_ = false;
}

void AdaptiveSolver::remember(Memory& memory) {
  memory.same("relative tolerance", settings_.relative);
  memory.same("absolute tolerance", settings_.absolute);
  memory(t_, begin_, h_, first_h_, last_error_, y_, before_, now_, known_, rejected_);
}

void AdaptiveSolver::find_rate() {
  if (!known_) rate_(t_, y_, now_);
  known_ = true;
}

double AdaptiveSolver::step(double limit) {
  find_rate();
  double error = 0;
  for (bool failed = false;; failed = true) {
    const double left = limit - t_, h = left <= 1.1 * h_ ? left : h_;
    if (h < left && !(t_ + h / 16 > t_)) throw_underflow(h, error);
    error = checked_attempt(h);
    if (error <= 1) {
      accept(h, h == left, limit, factor_after_success(error, failed));
      return t_;
    }
    ++rejected_;
    h_ = h * factor_after_failure(error, failed);
  }
}

double AdaptiveSolver::scaled_size(const VectorXd& x, const VectorXd& y0, const VectorXd& y1) const {
  const auto relative = settings_.relative * y0.array().abs().max(y1.array().abs());
  if (settings_.larger_tolerance) return (x.array().abs() / relative.max(settings_.absolute)).maxCoeff();
  return (x.array().abs() / (relative + settings_.absolute)).maxCoeff();
}

double AdaptiveSolver::chosen_first_step() {
  find_rate();
  return first_step_of(scaled_size(y_, y_, y_), scaled_size(now_, y_, y_));
}

double AdaptiveSolver::first_step_of(double size, double speed) {
  const double guess = first_guess(size, speed);
  trial_ = y_ + guess * now_;
  rate_(t_ + guess, trial_, error_);
  error_ = (error_ - now_) / guess;
  return first_step_after(guess, speed, scaled_size(error_, y_, y_), settings_.order);
}

// Infinity where a stage does not exist.
double AdaptiveSolver::checked_attempt(double h) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  try {
    const double error = attempt(h);
    return trial_.allFinite() && std::isfinite(error) ? error : infinity;
  } catch (const std::runtime_error&) {
    return infinity;
  }
}

void AdaptiveSolver::accept(double h, bool at_limit, double limit, double factor) {
  const double natural = h_;
  h_ = h * factor;
  if (h < natural) h_ = std::max(h_, natural);  // it was the limit that made this step short
  h_ = std::min(h_, settings_.largest_step);
  go_to_trial(at_limit ? limit : t_ + h);
}

void AdaptiveSolver::go_to_trial(double t) {
  begin_ = t_;
  t_ = t;
  before_.swap(y_);
  y_.swap(trial_);
  known_ = false;
  accepted();
}

void AdaptiveSolver::throw_underflow(double h, double error) const {
  const std::string what = error > 1 ? fmt::format(", and the error is still {:.2e} times the tolerance", error) : "";
  throw StepError(t_, h,
                  fmt::format("{} of {} cannot go on at t = {:.9g}: its step fell to {:.2e}{} (relative {:.0e}, "
                              "absolute {:.0e}); the motion may be singular there, or the tolerance too small for "
                              "rounding",
                              settings_.method, settings_.system, t_, h, what, settings_.relative, settings_.absolute));
}

}  // namespace hamel
