#include "hamel/integrate/dormand_prince.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hamel/integrate/stepper.hpp"

namespace hamel {
namespace {

namespace tableau {

// Nodes c, stages a, solution b = last row of a, error e; table II.5.2.
constexpr std::array<double, 7> c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr std::array<std::array<double, 6>, 7> a = {
    {{},
     {1. / 5},
     {3. / 40, 9. / 40},
     {44. / 45, -56. / 15, 32. / 9},
     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
constexpr std::array<double, 7> e = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

// The fourth power of the continuous output; the others follow from values and rates at both ends.
constexpr std::array<double, 7> d_dopri5 = {-12715105075. / 11282082432,  0,
                                            87487479700. / 32700410799,   -10690763975. / 1880347072,
                                            701980252875. / 199316789632, -1453857185. / 822651844,
                                            69997945. / 29380423};
constexpr std::array<double, 7> d_ode45 = {-145. / 128, 0, 1000. / 371, -375. / 64, 25515. / 6784, -55. / 28, 5. / 2};

constexpr double order = 5;

}  // namespace tableau

// Proportional-integral control of the step, section IV.2 of the second volume.
constexpr double integral = 0.04, proportional = 1 / tableau::order - 0.75 * integral, least_error = 1e-4;

}  // namespace

DormandPrince::DormandPrince(std::string name, int size, Rate rate, const Rk45& method)
    : name_(std::move(name)), rate_(std::move(rate)), method_(method) {
  y_ = VectorXd::Zero(size);
  for (VectorXd& k : k_) k = y_;
  for (VectorXd* x : {&before_, &trial_, &error_, &bend_, &now_}) *x = y_;
}

void DormandPrince::start(double t, In y) {
  begin_ = t_ = t;
  y_ = y;
  before_ = y_;
  known_ = false;
  last_error_ = least_error;
  rejected_ = 0;
  h_ = first_h_ = std::min(method_.first_step > 0 ? method_.first_step : chosen_first_step(), method_.largest_step);
}

void DormandPrince::replace(In y) {
  y_ = y;
  known_ = false;
}

void DormandPrince::remember(Memory& memory) {
  memory.same("relative tolerance", method_.relative);
  memory.same("absolute tolerance", method_.absolute);
  memory(t_, begin_, h_, first_h_, last_error_, y_, before_, now_, known_, rejected_);
  for (VectorXd& k : k_) memory(k);
}

void DormandPrince::find_rate() {
  if (!known_) rate_(t_, y_, now_);
  known_ = true;
}

double DormandPrince::step(double limit) {
  find_rate();
  k_[0] = now_;
  double error = 0;
  for (bool failed = false;; failed = true) {
    const double left = limit - t_, h = left <= 1.1 * h_ ? left : h_;
    if (h < left && !(t_ + h / 16 > t_)) throw_underflow(h, error);
    error = attempt(h);
    if (error <= 1) {
      accept(h, h == left, limit, factor_after_success(error, failed));
      return t_;
    }
    ++rejected_;
    h_ = h * factor_after_failure(error, failed);
  }
}

// y0 + s (y1 - y0 + (1 - s) (h k1 - (y1 - y0) + s (...))), formula (6.13) of section II.6.
void DormandPrince::interpolate(double t, Out y) {
  const double h = t_ - begin_, s = (t - begin_) / h;
  const auto& d = method_.code == Rk45Code::ode45 ? tableau::d_ode45 : tableau::d_dopri5;
  bend_.setZero();
  for (std::size_t i = 0; i < stages; ++i)
    if (d[i] != 0) bend_ += h * d[i] * k_[i];
  error_ = y_ - before_;
  y = before_ +
      s * (error_ + (1 - s) * (h * k_[0] - error_ + s * (2 * error_ - h * (k_[0] + k_[6]) + (1 - s) * bend_)));
}

double DormandPrince::scaled_size(const VectorXd& x, const VectorXd& y0, const VectorXd& y1) const {
  const auto relative = method_.relative * y0.array().abs().max(y1.array().abs());
  if (method_.code == Rk45Code::ode45) return (x.array().abs() / relative.max(method_.absolute)).maxCoeff();
  return (x.array().abs() / (relative + method_.absolute)).maxCoeff();
}

// Section II.4: a step whose second derivative and rate are both small in the tolerance.
double DormandPrince::chosen_first_step() {
  find_rate();
  const double size = scaled_size(y_, y_, y_), speed = scaled_size(now_, y_, y_);
  if (method_.code == Rk45Code::ode45 && speed > 0)
    return 0.8 * std::pow(method_.relative, 1 / tableau::order - 1) / speed;
  const double guess = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  trial_ = y_ + guess * now_;
  rate_(t_ + guess, trial_, k_[1]);
  error_ = (k_[1] - now_) / guess;
  const double bend = scaled_size(error_, y_, y_), larger = std::max(speed, bend);
  const double second = larger <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / larger, 1 / tableau::order);
  return std::min(100 * guess, second);
}

// The error in units of the tolerance; infinity where a stage does not exist.
double DormandPrince::attempt(double h) {
  try {
    for (std::size_t i = 1; i < stages; ++i) {
      trial_ = y_;
      for (std::size_t j = 0; j < i; ++j)
        if (tableau::a[i][j] != 0) trial_ += h * tableau::a[i][j] * k_[j];
      rate_(t_ + tableau::c[i] * h, trial_, k_[i]);
    }
  } catch (const std::runtime_error&) {
    return std::numeric_limits<double>::infinity();
  }
  error_.setZero();
  for (std::size_t i = 0; i < stages; ++i)
    if (tableau::e[i] != 0) error_ += h * tableau::e[i] * k_[i];
  const double error = scaled_size(error_, y_, trial_);
  return trial_.allFinite() && std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

double DormandPrince::factor_after_success(double error, bool failed_before) {
  if (method_.code == Rk45Code::ode45)
    return failed_before ? 1 : std::min(5.0, 0.8 * std::pow(error, -1 / tableau::order));
  const double raw = 0.9 * std::pow(error, -proportional) * std::pow(last_error_, integral);
  last_error_ = std::max(error, least_error);
  return std::clamp(raw, 0.2, failed_before ? 1.0 : 10.0);
}

double DormandPrince::factor_after_failure(double error, bool failed_before) const {
  if (method_.code == Rk45Code::ode45)
    return failed_before ? 0.5 : std::max(0.1, 0.8 * std::pow(error, -1 / tableau::order));
  return std::max(0.2, 0.9 * std::pow(error, -proportional));
}

void DormandPrince::accept(double h, bool at_limit, double limit, double factor) {
  const double natural = h_;
  h_ = h * factor;
  if (h < natural) h_ = std::max(h_, natural);  // it was the limit that made this step short
  h_ = std::min(h_, method_.largest_step);
  begin_ = t_;
  t_ = at_limit ? limit : t_ + h;
  before_.swap(y_);
  y_.swap(trial_);
  now_ = k_[stages - 1];
  known_ = true;
}

void DormandPrince::throw_underflow(double h, double error) const {
  const std::string what = error > 1 ? fmt::format(", and the error is still {:.2e} times the tolerance", error) : "";
  throw StepError(t_, h,
                  fmt::format("rk45 of {} cannot go on at t = {:.9g}: its step fell to {:.2e}{} (relative {:.0e}, "
                              "absolute {:.0e}); the motion may be singular there, or the tolerance too small for "
                              "rounding",
                              name_, t_, h, what, method_.relative, method_.absolute));
}

}  // namespace hamel
