// A discrete Lagrangian in expressions: momenta and forces, sampled at the nodes of its quadrature.
#pragma once

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/quadrature.hpp"

namespace hamel {

// The two ends of a step and what lies between them.
struct Chord {
  const Exprs &Q, &V;        // the variables that momenta and forces are written in
  const Exprs &end, &chord;  // Q at the end, and the mean of V
  Expr t, h;
};

// -D1 L_d - f^- = momentum - h/2 force_begin,  D2 L_d + f^+ = momentum + h/2 force_end.
struct DiscreteLagrangian {
  Exprs momentum, force_begin, force_end;
};
DiscreteLagrangian discretise(const Quadrature& rule, const Chord& chord, const Exprs& momentum, const Exprs& force);

}  // namespace hamel
