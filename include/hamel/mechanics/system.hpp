// A System is what a Model becomes: its equations of motion, ready to run.
//
//   System system = derive(model);
//   State start = system.state(0, q, omega);
//   energy(system, start).total;
//
//   Workspace work(system);                                       // for many evaluations
//   system.acceleration(work, state.t, state.q, state.v, a);      // Euler-Lagrange
//
// A System is immutable and may be shared between threads; copies share all of it. Each thread has a Workspace of its
// own; nothing allocates once it exists. States are ambient: q and its rate v, coordinate after coordinate, matrices
// column by column. The multipliers lambda of holonomic constraints are those of
// d/dt dL/dv - dL/dq + C^T lambda = f, book (3.16).
//
// Parameters stay variables: system.with({{"m", 2.0}}) is the same system with another mass, in microseconds, and
// shares all programs, native ones too. It has the bits of deriving model().with({{"m", 2.0}}) anew. What was decided
// for the first values is not decided again: where others ask for another decision, or the equations are singular, it
// is refused.
//
// A model with a field instead of energies becomes a first-order system, q' = f(t, q) - C^T lambda: the velocity of a
// state follows from its point, and what needs energies is refused.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

struct State;

}  // namespace hamel

template <>
struct std::tuple_size<hamel::State> : std::integral_constant<std::size_t, 3> {};
template <std::size_t i>
struct std::tuple_element<i, hamel::State> {
  using type = std::conditional_t<i == 0, double, Eigen::VectorXd>;
};

namespace hamel {

class Dynamics;
class Geometry;
class System;

struct State {
  double t = 0;
  VectorXd q, v;
  std::shared_ptr<const Model> model = {};  // whose names it knows: states of System::state and of runs have one

  // A coordinate in its own shape, or its rate: state["R"] is a 3 x 3 matrix, state["R'"] how it changes.
  MatrixXd operator[](std::string_view name) const;
};

// const auto& [t, q, v] = state;
template <std::size_t i, class S>
requires std::same_as<std::remove_cvref_t<S>, State>
auto& get(S&& state) {
  if constexpr (i == 0)
    return state.t;
  else if constexpr (i == 1)
    return state.q;
  else
    return state.v;
}

enum class Path { automatic, constant_mass, reduced };

struct DeriveOptions {
  Path path = Path::automatic;
};

System derive(const Model& model, DeriveOptions options = {});

struct Energy {
  double kinetic = 0, potential = 0;
  double total = 0;  // v . dL/dv - L; T + U for a natural system
};

class Workspace {
 public:
  explicit Workspace(const System& system);
  Workspace(const Dynamics& dynamics, int inputs);
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  VectorXd u;            // values of the inputs; zero unless set
  VectorXd multipliers;  // of the user's constraints, from the last acceleration or field

  struct Scratch;  // mechanics/scratch.hpp
  Scratch& scratch() { return *scratch_; }

 private:
  std::unique_ptr<Scratch> scratch_;
};

class System {
 public:
  const std::string& name() const;
  const Model& model() const;
  const Manifold& space() const;
  int ambient() const;  // length of q and of v
  int rates() const;    // number of quasi-velocities
  int degrees_of_freedom() const;
  int constraints() const;
  const std::vector<std::string>& constraint_names() const;  // one per scalar constraint: "loop[2]"
  int inputs() const;
  bool has_energies() const;     // otherwise it is given by a field
  bool has_hamiltonian() const;  // otherwise its energies are a Lagrangian
  bool is_conservative() const;  // no forces, inputs, dissipation or explicit time
  Path path() const;
  const std::string& path_reason() const;

  System with(const ParameterValues& values) const;

  // Refuses a state that is not on the manifold, not tangent, or violates a constraint; says how far off.
  void check(const State& state, double tolerance = 1e-9) const;
  // The same for many states, also of systems that `with` gave: nothing allocates where all is well.
  struct CheckScratch {
    VectorXd tangent, program, inputs, multipliers, momentum, eta, eta_rate;
  };
  void check(const State& state, CheckScratch& scratch, double tolerance = 1e-9) const;
  // From a point and quasi-velocities (omega, Omega, ...): the ambient state.
  State state(double t, In q, In xi) const;
  // Of a first-order system: from a point, with the velocity that the field gives it for inputs of zero.
  State state(double t, In q) const;

  // Euler-Lagrange: a = q'' for q' = v. The multipliers of constraints are left in the workspace.
  void acceleration(Workspace& w, double t, In q, In v, Out a) const;
  // Of a first-order system: v = q'. The multipliers of constraints are left in the workspace.
  void field(Workspace& w, double t, In q, Out v) const;
  // Legendre transform: p = dL/dv (ambient), and back, for any representative of the covector. For a given H, p is mu.
  void momentum(Workspace& w, double t, In q, In v, Out p) const;
  void velocity(Workspace& w, double t, In q, In p, Out v) const;
  // dL/dq + f, the rate of momentum before constraint forces.
  void force(Workspace& w, double t, In q, In v, Out f) const;
  Energy energy(Workspace& w, double t, In q, In v) const;
  double power(Workspace& w, double t, In q, In v) const;  // of forces, inputs and dissipation
  void constraint(Workspace& w, In q, Out c) const;
  // The reaction - C^T lambda of the user's constraints, with the multipliers of the last acceleration.
  void add_reaction(Workspace& w, In q, Out f) const;

  // For integrators and those who look inside: mechanics/geometry.hpp, dynamics.hpp, parts.hpp.
  const Geometry& geometry() const;
  const Dynamics& dynamics() const;
  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  friend System derive(const Model& model, DeriveOptions options);
  explicit System(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

// The same with a workspace of their own. Inputs that are not given are zero.
VectorXd acceleration(const System& system, const State& state, In u = VectorXd());
VectorXd momentum(const System& system, const State& state);
Energy energy(const System& system, const State& state);
VectorXd constraint(const System& system, const State& state);

}  // namespace hamel
