// The equations of a steady motion, whose velocity and acceleration are known at every point (those of rest are zero),
// and how they change, as kernels. What they are for: analyze/linear_model.hpp.
//
//   F = E^T (d/dt dL/dv - dL/dq - f + C^T lambda) = 0,     c(q) = 0;     of a field: F = E^T (v - f + C^T lambda)
//
// Natural coordinates, E and the order of the constraints are those of derive/tangent.hpp. Here q, v and a are ambient
// and independent. Matrices are given column by column.
//
// Where a Hamiltonian H(q, mu) is given, L(q, v) = p.v - H is known by its momentum p and the rate r of p, which solve
//
//   H_p = v,    s = H_pq v + H_pp r + H_pt = a,     and F = E^T (r + H_q - f + C^T lambda)
//
// for the H(q, P(q) p) + w |p - P(q) p|^2 / 2, whose fibre is regular in all of the ambient space. On tangent vectors
// its Lagrangian is that of H, whatever the weights w are, one of each factor.
#pragma once

#include "hamel/derive/kernel.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct SteadyKernels {
  Kernel balance;     // (q, v, a, u, {t}, p, r, w) -> (F at lambda = 0, E^T C^T, c, sizes of what cancels)
  Kernel variations;  // (q, v, a, lambda, u, {t}, p, r, w) -> (F_q, F_v, F_a, F_u, F_p, F_r)
  Kernel momentum;    // (q, v, {t}) -> (p, p_q, p_v), p = dL/dv; empty where L is not given
  Kernel fibre;       // (q, v, {t}, p, r, w) -> (H_p, s, H_pq, H_pp, s_q, s_p); empty where H is not given
  int natural = 0, multipliers = 0, inputs = 0, sizes = 0, momenta = 0, weights = 0;
  bool depends_on_time = false;
};
SteadyKernels steady_kernels(const Model& model);

}  // namespace hamel
