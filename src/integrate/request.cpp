#include "hamel/integrate/request.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "integrate/event_finder.hpp"

namespace hamel {
namespace {

constexpr double most_steps = 1e12;

void check_until(const System& system, double t0, const Until& until) {
  if (!std::isfinite(until.t)) throw std::invalid_argument(fmt::format("the end time must be finite, not {}", until.t));
  if (until.t < t0)
    throw std::invalid_argument(
        fmt::format("{} cannot be integrated backwards: it starts at t = {:.9g} and should end at t = {:.9g}",
                    system.name(), t0, until.t));
  if (!(std::isfinite(until.every) && until.every >= 0))
    throw std::invalid_argument(
        fmt::format("the output interval must be positive, or 0 for every step; it is {}", until.every));
  if (until.halvings < 0 || until.halvings > Until::most_halvings)
    throw std::invalid_argument(
        fmt::format("a step may be halved 0 to {} times, not {}", Until::most_halvings, until.halvings));
}

// Times t0 + k interval must be different numbers, and few enough to be reached.
void check_interval(const char* what, double interval, double t0, double end) {
  const double resolution = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(end));
  if (interval < resolution || (end - t0) / interval > most_steps)
    throw std::invalid_argument(
        fmt::format("the {} {:.3g} is too small for a run from t = {:.6g} to {:.6g}: {:.2g} of them; "
                    "take at least {:.1e}",
                    what, interval, t0, end, (end - t0) / interval, std::max(resolution, (end - t0) / most_steps)));
}

void check_continuous(const Method& method, const Control& control) {
  if (control.every != 0)
    throw std::invalid_argument(
        fmt::format("a continuous control law has no interval; {} is one of a sampled law", control.every));
  if (describe(method).is_explicit) return;
  throw std::invalid_argument(fmt::format(
      "{} solves equations and needs the derivatives of all forces, which a continuous control law has not: "
      "sample it, or take an explicit method (rk4, rkmk4, rk45, dop853, ...), or a law of the model",
      describe(method).name));
}

void check_control(const System& system, double t0, const Method& method, const Until& until, const Control& control) {
  if (system.inputs() == 0)
    throw std::invalid_argument(fmt::format("{} has no inputs that a control law could set", system.name()));
  if (control.continuous) return check_continuous(method, control);
  if (!(std::isfinite(control.every) && control.every >= 0))
    throw std::invalid_argument(
        fmt::format("the interval of a control law must be positive, or 0 for every step; it is {}", control.every));
  if (control.every == 0 && describe(method).adaptive)
    throw std::invalid_argument(
        fmt::format("a control law under {} needs an interval of its own, since steps vary: set Control::every",
                    describe(method).name));
  if (control.every > 0) check_interval("interval of the control law", control.every, t0, until.t);
}

}  // namespace

void check_request(const System& system, double t0, const Method& method, const Until& until, const Control& control) {
  check_until(system, t0, until);
  check(until.events);
  if (const double step = fixed_step(method); step > 0) check_interval("step", step, t0, until.t);
  if (until.every > 0) check_interval("output interval", until.every, t0, until.t);
  if (control.law) check_control(system, t0, method, until, control);
}

double fixed_step(const Method& method) {
  return std::visit(
      [](const auto& m) {
        if constexpr (requires { m.step; })
          return m.step;
        else
          return 0.0;
      },
      method);
}

Method with_step(Method method, double step) {
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.step; }) m.step = step;
      },
      method);
  return method;
}

}  // namespace hamel
