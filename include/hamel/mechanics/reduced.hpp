// The reduced path: dense equations in a frozen basis N of the tangent space, for every manifold and every Lagrangian.
//
//   q'' = N a + gamma,    N^T L_vv N a + (G N)^T lambda = N^T { dL/dq + f - L_vq v - L_vt - L_vv gamma },
//   G N a = - G gamma - c''(v, v).
//
// A frame is never differentiated, and regularity is asked of N^T L_vv N, never of L_vv.
#pragma once

#include <memory>

#include "hamel/linear/lu.hpp"
#include "hamel/mechanics/constant_mass.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/mechanics/hamilton.hpp"
#include "hamel/mechanics/kernel.hpp"

namespace hamel {

class Reduced {
 public:
  Reduced() = default;
  Reduced(const Model& model, const LoweredModel& lowered, const Parameters& parameters,
          const Quadrature& rule = Quadrature::trapezoidal);
  // Knows nothing but the constraints: all that the constant-mass path needs, and without dense matrices of n^2 terms.
  static Reduced of_constraints(const LoweredModel& lowered, const Parameters& parameters);

  struct Workspace {
    VectorXd scratch, b, p, gamma, c, c_rate, residual, solution, rhs;
    MatrixXd H, HN, G, GN, matrix, jacobian;
    linear::Lu lu;
    Hamilton::Workspace hamilton;
  };
  Workspace workspace(const Geometry& geometry) const;

  void set_parameters(In values);

  bool empty() const { return !by_hamiltonian() && dynamics_.empty(); }  // but for constraints
  bool by_hamiltonian() const { return hamilton_ != nullptr; }
  const Hamilton& hamilton() const { return *hamilton_; }

  void acceleration(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q, In v, In u, Out a,
                    Out multipliers) const;
  void velocity(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q, In p, Out v) const;

  // The user's constraints: w.c and w.G at q.
  void constraint(Workspace& w, In q) const;
  // The shortest tangent change of q, in the metric L_vv, that brings them to zero to first order.
  void restoring_change(const Geometry& geometry, Geometry::Workspace& g, Workspace& w, double t, In q,
                        Out change) const;

  // Discrete Lagrangian: -D1 L_d - f_d^- and its derivative with respect to q1 into w.residual and
  // w.jacobian; D2 L_d + f_d^+ into p1.
  void discrete_begin(Workspace& w, double t, double h, In q0, In q1, In u) const;
  void discrete_end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const;

  // N^T L_vv N (reduced mass) at a state.
  MatrixXd mass(const Geometry& geometry, double t, In q, In v) const;

  std::vector<const Program*> motion_programs() const;    // of all that belongs to one state
  std::vector<const Program*> legendre_programs() const;  // of velocities that belong to momenta, among them
  std::vector<const Program*> step_programs() const;      // of the discrete Lagrangian

 private:
  std::vector<const Program*> constraint_programs() const;

  int ambient_ = 0, constraints_ = 0;
  Kernel dynamics_;                       // (q, v, u, {t}) -> (b, L_vv, G, c''(v, v))
  Kernel fibre_;                          // (q, v, {t}) -> (p, L_vv)
  Kernel constraint_;                     // (q) -> (c, G)
  Kernel discrete_begin_, discrete_end_;  // (q0, q1, u, {t, h})
  std::shared_ptr<const Hamilton> hamilton_;
};

}  // namespace hamel
