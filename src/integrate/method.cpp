#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/integrate/gauss.hpp"
#include "hamel/integrate/lie_group_rk.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/integrate/runge_kutta.hpp"
#include "hamel/integrate/variational.hpp"

namespace hamel {
namespace {

std::string name_of(const Variational& method) {
  return fmt::format("variational{}{}", method.order == 2 ? "" : std::to_string(method.order),
                     method.rule == Quadrature::trapezoidal ? "" : std::string(", ") + method.rule.name);
}

MethodInfo info(const Variational& method) {
  return {
      .name = name_of(method), .order = method.order, .symplectic = true, .symmetric = true, .keeps_manifold = true};
}
MethodInfo info(const Gauss& method) {
  const bool adaptive = method.tolerance > 0;
  return {.name = fmt::format("gauss{}", method.order),
          .order = method.order,
          .symplectic = !adaptive,
          .symmetric = !adaptive,
          .adaptive = adaptive,
          .keeps_manifold = true};
}
MethodInfo info(const Rk2& method) {
  const std::string name = method.rule == Rk2Rule::midpoint ? "rk2 (midpoint)" : "rk2 (Heun)";
  return {.name = method.reproject ? name + ", reprojected" : name,
          .order = 2,
          .is_explicit = true,
          .keeps_manifold = method.reproject};
}
MethodInfo info(const Rk4& method) {
  return {.name = method.reproject ? "rk4, reprojected" : "rk4",
          .order = 4,
          .is_explicit = true,
          .keeps_manifold = method.reproject};
}
MethodInfo info(const Rk45& method) {
  return {.name = method.reproject ? "rk45, reprojected" : "rk45",
          .order = 5,
          .is_explicit = true,
          .adaptive = true,
          .keeps_manifold = method.reproject};
}
MethodInfo info(const LieRk& method) {
  return {.name = method.scheme == LieScheme::rkmk4 ? "rkmk4" : "commutator_free4",
          .order = 4,
          .is_explicit = true,
          .keeps_manifold = true};
}

void need_positive(const char* method, const char* what, double value) {
  if (!(std::isfinite(value) && value > 0))
    throw std::invalid_argument(fmt::format("the {} of {} must be a positive number, not {}", what, method, value));
}

// What rounding makes of a step is not cured by shorter ones, of which there would be no end.
void need_tolerance(const char* method, const char* what, double value) {
  constexpr double smallest = 1e-16;
  need_positive(method, what, value);
  if (value < smallest)
    throw std::invalid_argument(fmt::format("the {} of {} must be at least {:.0e}, which is rounding; it is {}", what,
                                            method, smallest, value));
}

void check_method(const Variational& method) {
  if (method.order < 2 || method.order > 8 || method.order % 2 != 0)
    throw std::invalid_argument(
        fmt::format("the variational integrator has the orders 2, 4, 6 and 8; {} is none of them", method.order));
  need_positive(name_of(method).c_str(), "step", method.step);
}
void check_method(const Gauss& method) {
  if (method.order < 2 || method.order > 16 || method.order % 2 != 0)
    throw std::invalid_argument(
        fmt::format("Gauss methods have the orders 2, 4, ..., 16; {} is none of them", method.order));
  const std::string name = fmt::format("gauss{}", method.order);
  if (method.step != 0 && method.tolerance != 0)
    throw std::invalid_argument(fmt::format("{} has a fixed step or a tolerance, not both", name));
  if (method.tolerance != 0)
    need_tolerance(name.c_str(), "tolerance", method.tolerance);
  else
    need_positive(name.c_str(), "step", method.step);
}
void check_method(const Rk2& method) { need_positive("rk2", "step", method.step); }
void check_method(const Rk4& method) { need_positive("rk4", "step", method.step); }
void check_method(const Rk45& method) {
  need_tolerance("rk45", "relative tolerance", method.relative);
  need_positive("rk45", "absolute tolerance", method.absolute);
  if (method.first_step != 0) need_positive("rk45", "first step", method.first_step);
  if (!std::isinf(method.largest_step) || method.largest_step < 0)
    need_positive("rk45", "largest step", method.largest_step);
}
void check_method(const LieRk& method) { need_positive(describe(method).name.c_str(), "step", method.step); }

// A symplectic method steps momenta, which first-order systems do not have.
void need_energies(const System& system, const Method& method) {
  if (system.is_first_order())
    throw std::invalid_argument(
        fmt::format("{} needs energies, and {} is given by a field; use rkmk4, commutator_free4, rk4 or rk45",
                    describe(method).name, system.name()));
}

std::unique_ptr<Stepper> stepper_of(const System& system, const Variational& method) {
  need_energies(system, method);
  return variational_stepper(system, method);
}
std::unique_ptr<Stepper> stepper_of(const System& system, const Gauss& method) {
  need_energies(system, method);
  return gauss_stepper(system, method);
}
std::unique_ptr<Stepper> stepper_of(const System& system, const Rk2& method) { return rk2_stepper(system, method); }
std::unique_ptr<Stepper> stepper_of(const System& system, const Rk4& method) { return rk4_stepper(system, method); }
std::unique_ptr<Stepper> stepper_of(const System& system, const Rk45& method) { return rk45_stepper(system, method); }
std::unique_ptr<Stepper> stepper_of(const System& system, const LieRk& method) {
  return lie_rk_stepper(system, method);
}

}  // namespace

MethodInfo describe(const Method& method) {
  return std::visit([](const auto& m) { return info(m); }, method);
}

void check(const Method& method) {
  std::visit([](const auto& m) { check_method(m); }, method);
}

std::unique_ptr<Stepper> make_stepper(const System& system, const Method& method) {
  return std::visit([&](const auto& m) { return stepper_of(system, m); }, method);
}

}  // namespace hamel
