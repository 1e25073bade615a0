// Systems given by a Hamiltonian H(q, mu, t) instead of a Lagrangian: the projection form on an embedded manifold
// (Lee, Leok, McClamroch, "Global Formulations of Lagrangian and Hamiltonian Dynamics on Embedded Manifolds"),
// with forces:
//
//   q'  = P H_mu                                                                        (2.7)
//   mu' = -P H_q + { P D^T P + D P - P D^T } H_mu + P f,     D = d(P mu)/dq             (2.8)
#pragma once

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/kernel.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

// P(q) x, factor by factor.
Exprs tangent_part(const Model& model, const LoweredModel& lowered, const Exprs& x);

struct HamiltonianFlow {
  Exprs velocity;       // (2.7)
  Exprs momentum_rate;  // (2.8) + P f
};
HamiltonianFlow hamiltonian_flow(const Model& model, const LoweredModel& lowered);

struct ProjectionKernels {
  Kernel flow;   // (q, mu, u, {t}) -> (v, mu', a)
  Kernel fibre;  // (q, mu, {t}) -> (H_mu, H_mumu, {H})
  // Of the Hamiltonian K that has the Lagrangian of H for tangent velocities, and one for chords as well:
  Kernel split_fibre;   // (q, mu, {t}) -> (K_mu, K_mumu)
  Kernel split_second;  // (q, mu, v, u, {t}) -> (K_q, K_qmu, K_mumu, f)
  Kernel power;         // (q, v, u, {t}) -> the power of the forces

  void set_parameters(In values);
};
ProjectionKernels projection_kernels(const Model& model, const LoweredModel& lowered, const Parameters& parameters);

}  // namespace hamel
