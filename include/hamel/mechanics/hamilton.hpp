// Systems given by a Hamiltonian H(q, mu, t) instead of a Lagrangian: the projection form on an embedded manifold
// (Lee, Leok, McClamroch, "Global Formulations of Lagrangian and Hamiltonian Dynamics on Embedded Manifolds"),
// with forces:
//
//   q'  = P H_mu                                                                        (2.7)
//   mu' = -P H_q + { P D^T P + D P - P D^T } H_mu + P f,     D = d(P mu)/dq             (2.8)
//
// It needs no Lagrangian, and holds also where H is degenerate in mu.
#pragma once

#include "hamel/linear/lu.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/kernel.hpp"

namespace hamel {

class Hamilton {
 public:
  Hamilton(const Model& model, const LoweredModel& lowered, const Parameters& parameters);

  void set_parameters(In values);

  struct Workspace {
    VectorXd scratch, mu, v, rate, a, gradient, q_force, force, previous;
    MatrixXd fibre, mixed, matrix;
    linear::Lu lu;
  };
  Workspace workspace() const;

  // q', mu' and q''.
  void flow(Workspace& w, double t, In q, In mu, In u, Out v, Out mu_rate, Out a) const;
  // The momentum of a velocity: P H_mu(q, mu) = v, by Newton's method on the cotangent space.
  void momentum(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q, In v, Out mu) const;
  // H, and H_mu, H_q.
  double value(Workspace& w, double t, In q, In mu) const;

  // Is the ambient fibre Hessian H_mu mu regular? Then L(q, v) = mu.v - H exists, and with it a variational integrator.
  bool is_regular(Workspace& w, double t, In q, In mu) const;
  // As Reduced::discrete_begin / discrete_end, through the inverse Legendre transform.
  void discrete_begin(Workspace& w, double t, double h, In q0, In q1, In u, Out residual,
                      Eigen::Ref<MatrixXd> jacobian) const;
  void discrete_end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const;

  std::vector<const Program*> programs() const { return {&flow_.program(), &fibre_.program(), &second_.program()}; }

 private:
  void invert(Workspace& w, double t, In q, In v, Out mu) const;  // H_mu(q, mu) = v in ambient coordinates

  int ambient_ = 0;
  Kernel flow_;    // (q, mu, u, {t}) -> (v, mu', a)
  Kernel fibre_;   // (q, mu, {t}) -> (H_mu, H_mumu, {H})
  Kernel second_;  // (q, mu, u, {t}) -> (H_q, H_qmu, H_mumu, f)
};

}  // namespace hamel
