// rk45
#include "hamel/integrate/dormand_prince.hpp"

#include <algorithm>
#include <cmath>

#include "integrate/adaptive_stepper.hpp"
#include "integrate/combine.hpp"

namespace hamel {
namespace {

namespace rk45_tableau {

// Nodes c, stages a, solution b = last row of a, error e; table II.5.2.
constexpr std::array<double, 7> c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr std::array<double, 6> a1 = {1. / 5}, a2 = {3. / 40, 9. / 40}, a3 = {44. / 45, -56. / 15, 32. / 9},
                                a4 = {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                a5 = {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                a6 = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};
constexpr std::array<double, 7> e = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

// The fourth power of the continuous output; the others follow from values and rates at both ends.
constexpr std::array<double, 7> d_dopri5 = {-12715105075. / 11282082432,  0,
                                            87487479700. / 32700410799,   -10690763975. / 1880347072,
                                            701980252875. / 199316789632, -1453857185. / 822651844,
                                            69997945. / 29380423};
constexpr std::array<double, 7> d_ode45 = {-145. / 128, 0, 1000. / 371, -375. / 64, 25515. / 6784, -55. / 28, 5. / 2};

constexpr double order = 5;

}  // namespace rk45_tableau

// Proportional-integral control of the step, section IV.2 of the second volume.
constexpr double integral = 0.04, proportional = 1 / rk45_tableau::order - 0.75 * integral, least_error = 1e-4;

}  // namespace

DormandPrince::DormandPrince(const std::string& system, int size, Rate rate, const Rk45& method)
    : AdaptiveSolver({.method = Rk45::row().name(method),
                      .system = system,
                      .order = rk45_tableau::order,
                      .relative = method.relative,
                      .absolute = method.absolute,
                      .first_step = method.first_step,
                      .largest_step = method.largest_step,
                      .larger_tolerance = method.code == Rk45Code::ode45},
                     size, std::move(rate)),
      code_(method.code) {
  for (VectorXd& k : k_) k = y_;
  bend_ = y_;
}

void DormandPrince::remember(Memory& memory) {
  AdaptiveSolver::remember(memory);
  for (VectorXd& k : k_) memory(k);
}

double DormandPrince::attempt(double h) {
  using namespace rk45_tableau;
  k_[0] = now_;
  take_stages<1, a1, a2, a3, a4, a5, a6>(rate_, c, t_, h, y_, k_, trial_);
  combine<e, 7>(h, k_, error_);
  return scaled_size(error_, y_, trial_);
}

// The last stage is the first of the next step.
void DormandPrince::accepted() {
  now_ = k_.back();
  known_ = true;
}

// y0 + s (y1 - y0 + (1 - s) (h k1 - (y1 - y0) + s (...))), formula (6.13) of section II.6.
void DormandPrince::interpolate(double t, Out y) {
  const double h = t_ - begin_, s = (t - begin_) / h;
  if (code_ == Rk45Code::ode45)
    combine<rk45_tableau::d_ode45, 7>(h, k_, bend_);
  else
    combine<rk45_tableau::d_dopri5, 7>(h, k_, bend_);
  error_ = y_ - before_;
  y = before_ +
      s * (error_ + (1 - s) * (h * k_[0] - error_ + s * (2 * error_ - h * (k_[0] + k_[6]) + (1 - s) * bend_)));
}

double DormandPrince::first_step_of(double size, double speed) {
  if (code_ == Rk45Code::ode45 && speed > 0)
    return 0.8 * std::pow(settings_.relative, 1 / rk45_tableau::order - 1) / speed;
  return AdaptiveSolver::first_step_of(size, speed);
}

double DormandPrince::factor_after_success(double error, bool failed_before) {
  if (code_ == Rk45Code::ode45)
    return failed_before ? 1 : std::min(5.0, 0.8 * std::pow(error, -1 / rk45_tableau::order));
  const double raw = 0.9 * std::pow(error, -proportional) * std::pow(last_error_, integral);
  last_error_ = std::max(error, least_error);
  return std::clamp(raw, 0.2, failed_before ? 1.0 : 10.0);
}

double DormandPrince::factor_after_failure(double error, bool failed_before) const {
  if (code_ == Rk45Code::ode45)
    return failed_before ? 0.5 : std::max(0.1, 0.8 * std::pow(error, -1 / rk45_tableau::order));
  return std::max(0.2, 0.9 * std::pow(error, -proportional));
}

const MethodRow<Rk45>& Rk45::row() {
  static const MethodRow<Rk45> row = [] {
    MethodRow<Rk45> result{
        .variants = {{}, {.code = Rk45Code::ode45}, {.reproject = true}, {.reproject = true, .code = Rk45Code::ode45}},
        .name = [](const Rk45& m) { return with_suffix(m.code == Rk45Code::ode45 ? "ode45" : "rk45", m.reproject); },
        .info =
            [](const Rk45& m) {
              return MethodInfo{.order = 5, .is_explicit = true, .adaptive = true, .keeps_manifold = m.reproject};
            },
        .parts = adaptive_parts<Rk45>(),
        .check = check_adaptive<Rk45>,
        .stepper = [](const System& system, const Rk45& m) -> std::unique_ptr<Stepper> {
          return std::make_unique<AdaptiveStepper<DormandPrince>>(system, m);
        }};
    result.parts.push_back(word("code", &Rk45::code, {{"dopri5", Rk45Code::dopri5}, {"ode45", Rk45Code::ode45}}));
    return result;
  }();
  return row;
}

}  // namespace hamel
