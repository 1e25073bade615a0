// Methods of integration, as data: what to use and how fine.
//
//   Variational{.step = 0.01}              order 2 (or 4, 6, 8), symplectic: keeps manifold, momenta, energy band
//   Gauss{.step = 0.1, .order = 16}        symplectic, of any even order: for high accuracy
//   Rk2{.step = 0.01}                      the midpoint rule, or Heun's
//   Rk4{.step = 0.01}                      the classical Runge-Kutta method
//   Rk45{.relative = 1e-6}                 Dormand and Prince, order 5 with steps of its own choice
//   LieRk{.step = 0.01}                    Runge-Kutta by exponentials of a group, order 4: keeps the manifold
//
// Other Runge-Kutta methods integrate one presentation of the flow (field.hpp) in its ambient space. They drift off the
// manifold, unless `reproject` brings every step back to it, and off holonomic constraints.
#pragma once

#include <limits>
#include <string>
#include <variant>

#include "hamel/mechanics/field.hpp"

namespace hamel {

// Order 2, or 4, 6, 8 by symmetric composition of steps of order 2, some of them backwards. The midpoint rule evaluates
// the energies between the two ends of a step, off the manifold: they must be defined there.
struct Variational {
  double step;
  int order = 2;
  Quadrature rule = Quadrature::trapezoidal;
};

// Of order 2, 4, ..., 16. The step is fixed, or chosen such that the relative error of every step is about `tolerance`.
struct Gauss {
  double step = 0;
  int order = 8;
  double tolerance = 0;
};

enum class Rk2Rule { midpoint, heun };

struct Rk2 {
  double step;
  Rk2Rule rule = Rk2Rule::midpoint;
  Form form = Form::omega;
  bool reproject = false;
};

struct Rk4 {
  double step;
  Form form = Form::omega;
  bool reproject = false;
};

// Whose step control and continuous output rk45 has: those of DOPRI5, or those of MATLAB's ode45, which much of the
// literature used (each step follows from the error of the last one alone, and the larger of the two tolerances takes
// the place of their sum).
enum class Rk45Code { dopri5, ode45 };

// The error of a step is at most absolute + relative * |y_i| in every component of y = (q, partner of q).
struct Rk45 {
  double relative = 1e-9, absolute = 1e-12;
  Form form = Form::omega;
  double first_step = 0;  // 0: chosen
  double largest_step = std::numeric_limits<double>::infinity();
  bool reproject = false;
  Rk45Code code = Rk45Code::dopri5;
};

// Of order 4, where a group acts on every factor: lie_group_rk.hpp.
enum class LieScheme { rkmk4, commutator_free4 };

struct LieRk {
  double step;
  LieScheme scheme = LieScheme::rkmk4;
};

using Method = std::variant<Variational, Gauss, Rk2, Rk4, Rk45, LieRk>;

struct MethodInfo {
  std::string name;
  int order = 0;
  bool symplectic = false, symmetric = false;
  bool is_explicit = false, adaptive = false;
  bool keeps_manifold = false;
};

MethodInfo describe(const Method& method);

// Refuses sizes and tolerances that are not positive numbers.
void check(const Method& method);

}  // namespace hamel
