// The equations of motion as formulas, in any of the four forms of form.hpp: to read, to print, to paste.
//
//   fmt::print("{}", print(equations(model, Form::omega)));
//
//   velocity  [ M C^T; C 0 ] (q'', lambda) = r      C: constraints of the manifolds, then of the model; on a group or
//                                                   an orbit, which have none, M = P L_vv P + I - P
//   omega     q' = B xi,  M xi' = r                 M = B^T L_vv B, made regular where xi is redundant: it is the
//                                                   shortest one; with constraints of the model bordered by C B
//   mu        mu = P p,   mu' = P (dL/dq + f - C^T lambda) + P' p,       p = dL/dq'
//   pi        pi = B^T p, pi' = B^T (dL/dq + f - C^T lambda) + B'^T p
//
// Where a Hamiltonian is given, mu and pi use the projection form (2.7), (2.8) of projection.hpp. Of a first-order
// system all forms are the same: q' = f, or with constraints of the model [ I C^T; C 0 ] (q', lambda) = (f, 0).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamel/derive/form.hpp"
#include "hamel/graph/print.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct Equation {
  Expr left, right;  // left is a variable: q'.x, mu_q'.x, M[0,1], ...
};

struct Equations {
  std::string model;
  Form form;
  int first_index = 0;           // of M and r in print, as of all that the model has
  std::shared_ptr<Graph> graph;  // owns the expressions

  // What the formulas are written in. The partner of q is q' (velocity; mu and pi of a Lagrangian), the
  // quasi-velocities (omega), or mu (a given Hamiltonian).
  std::vector<Expr> q, partner, multipliers, inputs, parameters;
  Expr t;
  std::vector<Expr> variables() const;  // all of these, in this order

  std::vector<Equation> kinematics;      // q' = ...
  std::vector<Equation> legendre;        // mu = ... or pi = ...
  std::vector<Equation> momentum_rates;  // mu' = ... or pi' = ...
  std::vector<Expr> covector;            // the tangent p with B^T p = pi, in the form pi
  std::vector<Equation> constraints;     // 0 = ...

  // matrix * unknowns = right; the unknowns are rates of the partner (or q'), then multipliers. Empty in momentum
  // forms.
  std::vector<Expr> unknowns;
  MatrixXe matrix;
  VectorXe right;
};

// Those that the equations of a model have, the usual one first: all, but of a Hamiltonian mu and pi, and velocity
// where a manifold has no formula for its tangent basis.
std::vector<Form> forms(const Model& model);

// Throws std::invalid_argument where a manifold of the model has no such formulas, or the form needs a Lagrangian.
Equations equations(const Model& model, Form form);

// Text, LaTeX (one aligned environment), or a C function that computes all right-hand sides. Shared subexpressions
// have names.
std::string print(const Equations& equations, Notation notation = Notation::text);

}  // namespace hamel
