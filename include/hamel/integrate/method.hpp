// Methods of integration, as data: what to use and how fine.
//
//   Variational{.step = 0.01}              order 2 (or 4, 6, 8), symplectic: keeps manifold, momenta, energy band
//   Gauss{.step = 0.1, .order = 16}        symplectic, of any even order: for high accuracy
//   LieRk{.step = 0.01}                    Runge-Kutta by exponentials of a group, order 4: keeps the manifold
//   Rk2{.step = 0.01}                      the midpoint rule, or Heun's
//   Rk4{.step = 0.01}                      the classical Runge-Kutta method
//   Rk45{.relative = 1e-6}                 Dormand and Prince, order 5 with steps of its own choice
//   Dop853{.relative = 1e-12}              Dormand and Prince, order 8 with steps of its own choice
//   Dop853{.step = 0.1}                    or with fixed ones, whatever their error
//
// Other Runge-Kutta methods integrate one presentation of the flow (form.hpp) in its ambient space. They drift off the
// manifold, unless `reproject` brings every step back to it, and off holonomic constraints.
//
// A new method is its settings here, its name in `Method`, and one file src/integrate/<name>.cpp with its row of the
// table (method_row.hpp) and its stepper. Model files, commands, records and tests find it in the table.
#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "hamel/derive/form.hpp"
#include "hamel/derive/quadrature.hpp"

namespace hamel {

template <class M>
struct MethodRow;

// Order 2, or 4, 6, 8 by symmetric composition of steps of order 2, some of them backwards. Other rules than the
// trapezoidal one evaluate the energies between the two ends of a step, off the manifold: they must be defined there.
struct Variational {
  double step;
  int order = 2;
  Quadrature rule = Quadrature::trapezoidal;
  static const MethodRow<Variational>& row();
};

// Of order 2, 4, ..., 16. The step is fixed, or chosen such that the relative error of every step is about `tolerance`.
struct Gauss {
  double step = 0;
  int order = 8;
  double tolerance = 0;
  static const MethodRow<Gauss>& row();
};

// Of order 4, where a group acts on every factor.
enum class LieScheme { rkmk4, commutator_free4 };

struct LieRk {
  double step;
  LieScheme scheme = LieScheme::rkmk4;
  static const MethodRow<LieRk>& row();
};

enum class Rk2Rule { midpoint, heun };

struct Rk2 {
  double step;
  Rk2Rule rule = Rk2Rule::midpoint;
  Form form = Form::omega;
  bool reproject = false;
  static const MethodRow<Rk2>& row();
};

struct Rk4 {
  double step;
  Form form = Form::omega;
  bool reproject = false;
  static const MethodRow<Rk4>& row();
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
  static const MethodRow<Rk45>& row();
};

// Order 8, with error estimates of orders 5 and 3; tolerances as above. Or with a fixed step: nothing else is then
// looked at but form and reproject.
struct Dop853 {
  double relative = 1e-9, absolute = 1e-12;
  Form form = Form::omega;
  double first_step = 0;  // 0: chosen
  double largest_step = std::numeric_limits<double>::infinity();
  bool reproject = false;
  double step = 0;  // 0: chosen, one after the other
  static const MethodRow<Dop853>& row();
};

using Method = std::variant<Variational, Gauss, LieRk, Rk2, Rk4, Rk45, Dop853>;

struct MethodInfo {
  std::string name = {};  // as model files, commands and records write it
  int order = 0;
  bool symplectic = false, symmetric = false;
  bool is_explicit = false, adaptive = false;
  bool keeps_manifold = false;
  bool needs_energies = false;    // and is not for first-order systems
  bool needs_lagrangian = false;  // and is not for systems that are given by a Hamiltonian
  bool needs_group = false;       // that acts on every factor
  bool takes_step = false, takes_tolerance = false;
  bool chooses_without_step = false;  // takes a step, but needs neither that nor a tolerance
};

MethodInfo describe(const Method& method);

// Refuses sizes and tolerances that are not positive numbers.
void check(const Method& method);

// The table: every method that has a name.
const std::vector<MethodInfo>& methods();
const std::vector<std::string>& method_names();
const MethodInfo* find_method(const std::string& name);  // none: nullptr
// What is 0 was not given. Refuses unknown names, and what is missing or not for this method.
Method method_named(const std::string& name, double step, double tolerance);

// A method as names and values: its name, and what can be set.
struct Setting {
  std::string name;
  std::variant<double, std::string> value;
  friend bool operator==(const Setting&, const Setting&) = default;
};
std::vector<Setting> settings_of(const Method& method);
Method method_of(const std::vector<Setting>& settings);  // and back
std::string to_string(const std::vector<Setting>& settings);

}  // namespace hamel
