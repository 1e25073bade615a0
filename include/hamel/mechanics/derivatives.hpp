// Derivatives of the motion: how acceleration, momentum and energy change with the state, the inputs and the
// parameters.
//
//   const Derivatives derivatives(system);
//   const Derivative a = derivatives.acceleration(state);       // a.point, a.velocity, a.inputs, a.parameters
//
// States vary in natural tangent coordinates x and y. Those of a factor given by constraints (R^n, spheres, sets) are
// ambient, those of a group (SO(3), SE(3), ...) belong to its basis:
//
//   dq = E(q) x,     q' = E(q) eta,     deta = y,     E = I, or B(q)
//   deta' = point x + velocity y + inputs du + parameters dp
//
// Rows of the acceleration and of a field are natural, too; those of the momentum dL/dq' are ambient. A state stays on
// its manifold: where a factor has constraints c(q) = 0, with derivative C, only C x = 0 and C y = -(dC x) q' vary it,
// and for other x and y the products mean nothing. The columns of the parameters are the entries of parameter_values,
// and change as in System::with: what follows a parameter changes along. Of redundant rates (orbits, projections) eta'
// is the shortest of those that give the same motion, and its derivative is known up to what keeps the point at rest.
//
// Nothing is differenced: the equations of motion F(q, eta, u, p; z) = 0 are differentiated as formulas
// (derive/tangent.hpp), and dz = -F_z^-1 (F_q dq + ...).
#pragma once

#include "hamel/mechanics/system.hpp"

namespace hamel {

struct TangentKernels;

struct Derivative {
  MatrixXd point, velocity, inputs, parameters;  // a column for each x, y, u and p
};

class Derivatives {
 public:
  explicit Derivatives(const System& system);  // refuses one that is given by a Hamiltonian
  // The same for the parameters of a system that System::with made of this one.
  Derivatives with(const System& system) const;

  int natural() const;  // coordinates x, and y
  // The coordinates x of a tangent vector at q.
  VectorXd coordinates(In q, In tangent) const;

  Derivative acceleration(const State& state, In u = VectorXd()) const;  // of eta'
  Derivative field(const State& state, In u = VectorXd()) const;         // of eta, of a first-order system
  Derivative momentum(const State& state) const;                         // of dL/dq'
  Derivative energy(const State& state) const;                           // of v . dL/dv - L; one row

  const TangentKernels& kernels() const { return *kernels_; }  // derive/tangent.hpp

 private:
  Derivative of_motion(const State& state, In u) const;
  Derivative of_quantity(const State& state, bool energy) const;

  std::string name_;
  bool redundant_ = false;
  std::shared_ptr<const Geometry> geometry_;
  std::shared_ptr<const TangentKernels> kernels_;
};

}  // namespace hamel
