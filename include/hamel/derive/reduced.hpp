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

struct DiscreteKernels {
  Kernel begin;  // (q0, q1, u, {t, h}) -> (-D1 L_d - f_d^-, its derivative with respect to q1)
  Kernel end;    // (q0, q1, u, {t, h}) -> D2 L_d + f_d^+

  void set_parameters(In values);
};
DiscreteKernels discrete_kernels(const Model& model, const Quadrature& rule);

}  // namespace hamel
