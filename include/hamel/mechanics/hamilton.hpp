// The projection form of Hamilton's equations, in numbers (derive/projection.hpp). It needs no Lagrangian, and holds
// also where H is degenerate in mu.
#pragma once

#include <memory>
#include <utility>

#include "hamel/derive/projection.hpp"
#include "hamel/linear/lu.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

class Hamilton {
 public:
  Hamilton(std::shared_ptr<const Geometry> geometry, ProjectionKernels kernels)
      : geometry_(std::move(geometry)), ambient_(geometry_->ambient()), kernels_(std::move(kernels)) {}

  void set_parameters(In values) { kernels_.set_parameters(values); }

  struct Workspace {
    VectorXd scratch, mu, v, rate, a, gradient, q_force, force;
    MatrixXd fibre, mixed, matrix;
    linear::Lu lu;
    Geometry::Workspace geometry;
  };
  Workspace workspace() const;

  // q', mu' and q''.
  void flow(Workspace& w, double t, In q, In mu, In u, Out v, Out mu_rate, Out a) const;
  // The momentum of a velocity: P H_mu(q, mu) = v, by Newton's method on the cotangent space.
  void momentum(Workspace& w, double t, In q, In v, Out mu) const;
  // H, and H_mu, H_q.
  double value(Workspace& w, double t, In q, In mu) const;
  double power(Workspace& w, double t, In q, In v, In u) const;  // of the forces

  // Is the fibre Hessian K_mumu regular (derive/projection.hpp)? Then L(q, v) = mu.v - K exists, and with it a
  // variational integrator.
  bool is_regular(Workspace& w, double t, In q, In mu) const;
  // The trapezoidal discrete Lagrangian as in mechanics/discrete_map.hpp, through the inverse Legendre transform.
  void discrete_begin(Workspace& w, double t, double h, In q0, In q1, In u, Out residual,
                      Eigen::Ref<MatrixXd> jacobian) const;
  void discrete_end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const;

  std::vector<const Program*> programs() const;

 private:
  void split_fibre(Workspace& w, double t, In q, In mu) const;    // K_mu and K_mumu into w.gradient and w.fibre
  void invert(Workspace& w, double t, In q, In v, Out mu) const;  // K_mu(q, mu) = v in ambient coordinates

  std::shared_ptr<const Geometry> geometry_;
  int ambient_;
  ProjectionKernels kernels_;
};

}  // namespace hamel
