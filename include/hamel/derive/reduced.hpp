// Dense equations in ambient coordinates, as kernels: what mechanics/reduced.hpp solves in bases of the tangent space,
// and the discrete Lagrangian of a step.
#pragma once

#include "hamel/derive/kernel.hpp"
#include "hamel/derive/quadrature.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

struct ReducedKernels {
  Kernel dynamics;  // (q, v, u, {t}) -> (b, L_vv, G, c''(v, v)) with b = dL/dq + f - L_vq v - L_vt
  Kernel fibre;     // (q, v, {t}) -> (p, L_vv)

  void set_parameters(In values);
};
ReducedKernels reduced_kernels(const LoweredModel& lowered, const Parameters& parameters);

// (q, xi, u, {t}) -> (q', xi', no multipliers), as motion_kernel of the constant-mass path: the equations are solved by
// an elimination that is written out. Not finite where that loses too many digits, since a coordinate has little
// inertia left beside the others; empty where there are constraints, which may depend on each other somewhere, where a
// factor has no formula for it or redundant rates, and where it would be long.
Kernel reduced_motion_kernel(const Model& model);

struct DiscreteKernels {
  Kernel begin;  // (q0, q1, u, {t, h}) -> (-D1 L_d - f_d^-, its derivative with respect to q1)
  Kernel end;    // (q0, q1, u, {t, h}) -> D2 L_d + f_d^+

  void set_parameters(In values);
};
DiscreteKernels discrete_kernels(const Model& model, const Quadrature& rule);

}  // namespace hamel
