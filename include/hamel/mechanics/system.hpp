// A System is what a Model becomes: its equations of motion, ready to run.
//
//   System system = derive(model);
//   Workspace work(system);
//   system.acceleration(work, state.t, state.q, state.v, a);      // Euler-Lagrange
//
// A System is immutable and may be shared between threads; each thread has a Workspace of its own. Nothing allocates
// once a Workspace exists. States are ambient: q and its rate v, coordinate after coordinate, matrices column by
// column. The multipliers lambda of holonomic constraints are those of  d/dt dL/dv - dL/dq + C^T lambda = f, book
// (3.16).
//
// Parameters stay variables: system.with({{"m", 2.0}}) is the same system with another mass, in microseconds, and
// shares all programs, native ones too. It has the bits of deriving model().with({{"m", 2.0}}) anew. What was decided
// for the first values is not decided again: where others ask for another decision, or the equations are singular, it
// is refused.
//
// A model with a field instead of energies becomes a first-order system, q' = f(t, q) - C^T lambda: the velocity of a
// state follows from its point, and what needs energies is refused.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamel/mechanics/constant_mass.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/reduced.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct State {
  double t = 0;
  VectorXd q, v;
};

enum class Path { automatic, constant_mass, reduced };

struct DeriveOptions {
  Path path = Path::automatic;
};

class Canonical;
class System;
System derive(const Model& model, DeriveOptions options = {});

struct Energy {
  double kinetic = 0, potential = 0;
  double total = 0;  // v . dL/dv - L; T + U for a natural system
};

class Workspace {
 public:
  explicit Workspace(const System& system);
  VectorXd u;            // values of the inputs; zero unless set
  VectorXd multipliers;  // of the user's constraints, from the last acceleration or field

  Geometry::Workspace& geometry_workspace() { return geometry; }
  Reduced::Workspace& reduced_workspace() { return reduced; }
  Hamilton::Workspace& hamilton() { return reduced.hamilton; }

 private:
  friend class System;
  VectorXd scratch, eta, eta_rate, momentum, force, numbers;
  Geometry::Workspace geometry;
  Reduced::Workspace reduced;
};

class System {
 public:
  const std::string& name() const { return model_->name(); }
  const Model& model() const { return *model_; }
  const Manifold& space() const { return *space_; }
  int ambient() const { return geometry_->ambient(); }
  int rates() const { return geometry_->rates(); }
  int degrees_of_freedom() const { return geometry_->dimension() - constraints(); }
  int constraints() const { return static_cast<int>(constraint_names_.size()); }
  const std::vector<std::string>& constraint_names() const { return constraint_names_; }
  int inputs() const { return inputs_; }
  bool has_hamiltonian() const { return hamiltonian_; }
  bool is_conservative() const { return conservative_; }   // no forces, inputs, dissipation or explicit time
  bool is_first_order() const { return !field_.empty(); }  // given by a field, not by energies

  Path path() const { return path_; }
  const std::string& path_reason() const { return path_reason_; }

  System with(const ParameterValues& values) const;

  // Refuses a state that is not on the manifold, not tangent, or violates a constraint; says how far off.
  void check(const State& state, double tolerance = 1e-9) const;
  // From a point and quasi-velocities (omega, Omega, ...): the ambient state.
  State state(double t, In q, In xi) const;
  // Of a first-order system: from a point, with the velocity that the field gives it for inputs of zero.
  State state(double t, In q) const;

  // Of a first-order system: v = q'. The multipliers of constraints are left in the workspace.
  void field(Workspace& w, double t, In q, Out v) const;
  // Of a first-order system: brings a point that is close to the manifold and the constraints onto them.
  void restore(Workspace& w, double t, Out q) const;

  // Euler-Lagrange: a = q'' for q' = v. The multipliers of constraints are left in the workspace.
  void acceleration(Workspace& w, double t, In q, In v, Out a) const;
  // The same in natural velocities (ambient rates; quasi-velocities of groups): what the constant-mass path computes.
  bool has_natural_acceleration() const { return path_ == Path::constant_mass; }
  const std::vector<int>& natural_offsets() const { return constant_mass_.natural; }
  void natural_acceleration(Workspace& w, double t, const double* q, const double* eta, double* eta_rate) const {
    constant_mass_.acceleration.run<4, 2>({q, eta, w.u.data(), &t}, {eta_rate, w.multipliers.data()}, w.scratch.data());
  }
  void natural_velocity(In q, In v, Out eta) const;
  void ambient_velocity(In q, In eta, Out v) const;

  // Legendre transform: p = dL/dv (ambient), and back, for any representative of the covector. For a given H, p is mu.
  void momentum(Workspace& w, double t, In q, In v, Out p) const;
  void velocity(Workspace& w, double t, In q, In p, Out v) const;
  // dL/dq + f, the rate of momentum before constraint forces.
  void force(Workspace& w, double t, In q, In v, Out f) const;
  // The reaction - C^T lambda of the user's constraints, with the multipliers of the last acceleration.
  void add_reaction(Workspace& w, In q, Out f) const;

  Energy energy(Workspace& w, double t, In q, In v) const;
  double power(Workspace& w, double t, In q, In v) const;  // of forces, inputs and dissipation
  void constraint(Workspace& w, In q, Out c) const;

  const Geometry& geometry() const { return *geometry_; }
  const Reduced& reduced() const { return reduced_; }
  const ConstantMass& constant_mass() const { return constant_mass_; }
  // Derived when they are first asked for.
  const Canonical& canonical() const;
  const Kernel& motion() const;                           // of (q, xi), constant_mass.hpp; empty on other paths
  const StepKernels& step(const Quadrature& rule) const;  // of the constant-mass path
  const Kernel& step_pivots(const Quadrature& rule) const;
  const Reduced& reduced(const Quadrature& rule) const;

  // What computes energies and momenta, accelerations and the Legendre transform. Steps have programs of their own.
  std::vector<const Program*> energy_programs() const;
  std::vector<const Program*> motion_programs() const;
  // Native code for these and for the trapezoidal steps, for so many evaluations, where that pays.
  void prepare(double runs) const;

 private:
  friend System derive(const Model& model, DeriveOptions options);
  friend class Workspace;
  System() = default;
  void ambient_acceleration(Workspace& w, In q, In v, In eta_rate, Out a) const;
  void set_field(const LoweredModel& lowered, const Parameters& parameters);
  void set_energies(const LoweredModel& lowered, const Parameters& parameters);
  void choose_path(DeriveOptions options);
  void check_constraints(const State& state, double tolerance) const;
  void check_field(const State& state, double tolerance) const;
  void need_energies(const char* what) const;
  void check_tangent() const;  // the field of a first-order system
  void set_parameters(const VectorXd& values);
  void check_parameters() const;  // that the equations are regular, and their numbers in range

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Manifold> space_;
  std::vector<std::string> constraint_names_;
  int inputs_ = 0;
  bool hamiltonian_ = false, conservative_ = true;
  Path path_ = Path::reduced;
  std::string path_reason_;
  std::shared_ptr<const Geometry> geometry_;
  std::shared_ptr<const ParameterRules> rules_;
  ConstantMass constant_mass_;
  Reduced reduced_;
  Kernel energy_;    // (q, v, u, {t}) -> {T, U, E, power}
  Kernel momentum_;  // (q, v, {t}) -> p
  Kernel force_;     // (q, v, u, {t}) -> dL/dq + f
  Kernel field_;     // (q, u, {t}) -> f, of a first-order system
  struct Later;
  template <class Part, class Select, class Make>
  const Part& later(const Select& select, const Make& make) const;
  std::shared_ptr<Later> later_;         // what is derived when it is first asked for
  std::shared_ptr<const System> first_;  // the system that was derived, of which this one has other parameters
};

}  // namespace hamel
