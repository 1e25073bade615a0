// The constant-mass path: equations of motion of systems whose kinetic energy, written in ambient coordinates and
// lifted points (lift.hpp), has a constant mass matrix M.
//
//   [ M  C^T ] [ z''    ]   [ A^T (dL/dQ + f - d/dt dL/dV at z'' = 0) ]
//   [ C   0  ] [ lambda ] = [ - c''(V, V)                             ]
//
// The elimination is written out once, as a program; its cost is O(n) for chains, trees, rods and carts.
// Velocities are natural ones: ambient rates, and the quasi-velocities of the group factors.
#pragma once

#include <optional>
#include <string>

#include "hamel/derive/kernel.hpp"
#include "hamel/derive/lift.hpp"
#include "hamel/derive/quadrature.hpp"

namespace hamel {

// One step of the variational integrator (order 2). The unknown W is the mean rate of z over the step: the chord
// V = (Q1 - Q0)/h is A W, or follows from the retraction h W of a group. With the trapezoidal rule:
//   A(q0)^T { (p(Q0, V) + p(Q1, V))/2 - h/2 (dL/dQ + f)(Q0, V) } - P0 + C(q0)^T lambda = 0,     c(q1) = 0,
//   P1 = A(q1)^T { (p(Q0, V) + p(Q1, V))/2 + h/2 (dL/dQ + f)(Q1, V) }.
// The momentum P = A^T p goes from step to step, and of it the change in a step is computed. The velocity is only
// looked at: going through it would multiply P with the mass and its inverse in every step, whose rounding is always
// the same and adds up. Where the first equation is linear it holds after one Newton step, and only c(q1) = 0 is left
// to refine. With the trapezoidal rule
// the force of a potential is evaluated once in a step, at its end, where the next one begins.
struct StepKernels {
  Kernel predict;   // (q0, v0) -> W, as if the motion were uniform
  Kernel start;     // (q0, v0, {t, h, 1/h}) -> P0
  Kernel pull;      // (q, {t, h, 1/h}) -> F, the force A^T (-dU/dQ); empty where it is as quickly computed as read
  Kernel newton;    // (q0, P0, F0, W, lambda, u, {t, h, 1/h}) -> (W, lambda)
  Kernel refine;    // (q0, W, lambda, u, {t, h, 1/h}) -> (W, lambda); empty where the first equation is not linear
  Kernel way;       // (q0, W, {t, h, 1/h}) -> q1 - q0
  Kernel finish;    // (q0, q1, F0, W, lambda, u, {t, h, 1/h}) -> (P1 - P0, F1)
  Kernel velocity;  // (q, P, {t, h, 1/h}) -> v
  // Where the step is explicit, because bodies are coupled only through forces: (q0, P0, F0, u, {t, h, 1/h}) -> (W,
  // lambda), instead of predict, newton and refine.
  Kernel closed;
  int increments = 0, multipliers = 0;
  struct Reach {  // how far a number of q moves, at most, when W is changed by 1/h
    int increment, number;
    double slope;
  };
  std::vector<Reach> reaches;
  Constants slopes;  // of the reaches, with their signs

  void set_reaches();  // from the slopes
  void set_parameters(In values);
  bool empty() const { return finish.empty(); }
  std::vector<const Program*> programs() const;
};

struct ConstantMass {
  Kernel acceleration;             // (q, eta, u, {t}) -> (eta', multipliers of the user's constraints)
  Kernel velocity;                 // (q, p, {t}) -> eta: the Legendre transform backwards
  StepKernels step;                // with the trapezoidal rule
  std::vector<int> natural;        // where the natural velocity of each factor begins
  bool natural_is_ambient = true;  // no factor is a group

  // Why the path does not apply; empty if it does.
  std::string obstacle;

  void set_parameters(In values);
  // What was decided for parameters before and would be decided otherwise for these values; empty: nothing.
  std::string broken_decision(const ConstantMass& before, In values) const;

 private:
  friend ConstantMass constant_mass_kernels(const Model& model);

  PointPlaces places_;
  Kernel singular_;  // the acceleration, where its constants are not finite
  VectorXd tested_;  // the parameters about which invariants were looked for; empty where there are no groups
};

ConstantMass constant_mass_kernels(const Model& model);

// For a model that takes this path:

StepKernels step_kernels(const Model& model, const Quadrature& rule);
// (q0, P0, W, lambda, u, {t, h, 1/h}) -> the pivots of the matrix of Newton's method: none vanishes or changes its sign
// between W = 0 and the solution, unless the step goes beyond a fold of the discrete Legendre transform.
Kernel step_pivots(const Model& model, const Quadrature& rule);
// (q, xi, u, {t}) -> (q', xi', multipliers of the user's constraints); empty where a factor has no formula for it.
Kernel motion_kernel(const Model& model);

}  // namespace hamel
