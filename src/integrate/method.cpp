#include "hamel/integrate/method.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/integrate/lie_group_rk.hpp"
#include "hamel/integrate/runge_kutta.hpp"
#include "hamel/integrate/variational.hpp"

namespace hamel {
namespace {

MethodInfo info(const Variational&) {
  return {.name = "variational", .order = 2, .symplectic = true, .symmetric = true, .keeps_manifold = true};
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

void check_method(const Variational& method) { need_positive("variational", "step", method.step); }
void check_method(const Rk2& method) { need_positive("rk2", "step", method.step); }
void check_method(const Rk4& method) { need_positive("rk4", "step", method.step); }
void check_method(const Rk45& method) {
  need_positive("rk45", "relative tolerance", method.relative);
  need_positive("rk45", "absolute tolerance", method.absolute);
  if (method.first_step != 0) need_positive("rk45", "first step", method.first_step);
  if (!std::isinf(method.largest_step) || method.largest_step < 0)
    need_positive("rk45", "largest step", method.largest_step);
}
void check_method(const LieRk& method) { need_positive(describe(method).name.c_str(), "step", method.step); }

std::unique_ptr<Stepper> stepper_of(const System& system, const Variational& method) {
  return variational_stepper(system, method.step);
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
