// The variational integrator of order 2 on any product of manifolds:
//
//   L_d(q0, q1) = h sum_i w_i L((1 - s_i) q0 + s_i q1, (q1 - q0)/h)    derive/quadrature.hpp
//   solve  -B0^T D1 L_d(q0, q1) = pi0  for q1,    pi1 = B1^T D2 L_d(q0, q1).
//
// On S^2 and with the trapezoidal rule this is the integrator of Lee, Leok, McClamroch, "Lagrangian mechanics and
// variational integrators on two-spheres"; on SO(3), with T = tr(R' J_d R'^T)/2, the Lie group variational integrator.
// Forces enter by the discrete Lagrange-d'Alembert principle, constraints by multipliers at both ends. Symplectic and
// symmetric.
//
// Orders 4, 6, 8 are symmetric compositions of 5, 9 and 17 such steps (Suzuki; Kahan and Li), see composition.hpp. They
// go back in time between: with dissipation, or energies that are not smooth, only order 2 is promised.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "integrate/method_row.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {
namespace {

std::vector<Variational> variational_variants() {
  std::vector<Variational> all;
  for (const Quadrature& rule : quadratures)
    for (const int order : {2, 4, 6, 8}) all.push_back({.step = 0, .order = order, .rule = rule});
  return all;
}

void check_variational(const Variational& method, const std::string& name) {
  if (method.order < 2 || method.order > 8 || method.order % 2 != 0)
    throw std::invalid_argument(
        fmt::format("the variational integrator has the orders 2, 4, 6 and 8; {} is none of them", method.order));
  if (std::find(quadratures.begin(), quadratures.end(), method.rule) == quadratures.end())
    throw std::invalid_argument(
        fmt::format("the quadrature {} is not in the table of derive/quadrature.hpp; add it there", method.rule.name));
  check_step(method, name);
}

}  // namespace

const MethodRow<Variational>& Variational::row() {
  static const MethodRow<Variational> row{
      .variants = variational_variants(),
      .name =
          [](const Variational& m) {
            return fmt::format("variational{}{}", m.order == 2 ? "" : std::to_string(m.order),
                               m.rule == Quadrature::trapezoidal ? "" : std::string("-") + m.rule.name);
          },
      .info =
          [](const Variational& m) {
            return MethodInfo{.order = m.order,
                              .symplectic = true,
                              .symmetric = true,
                              .keeps_manifold = true,
                              .needs_energies = true,
                              .needs_lagrangian = m.rule != Quadrature::trapezoidal};
          },
      .parts = {number("step", &Variational::step), number("order", &Variational::order),
                word("rule", &Variational::rule,
                     [] {
                       std::vector<std::pair<std::string, Quadrature>> words;
                       for (const Quadrature& each : quadratures) words.emplace_back(each.name, each);
                       return words;
                     }())},
      .check = check_variational,
      .stepper =
          [](const System& system, const Variational& m) {
            return system.path() == Path::constant_mass ? constant_mass_stepper(system, m) : reduced_stepper(system, m);
          },
      .lanes = constant_mass_lanes};
  return row;
}

}  // namespace hamel
