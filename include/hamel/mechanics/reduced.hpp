// Dense equations in a frozen basis N of the tangent space, for every manifold and every Lagrangian.
//
//   q'' = N a + gamma,    N^T L_vv N a + (G N)^T lambda = N^T { dL/dq + f - L_vq v - L_vt - L_vv gamma },
//   G N a = - G gamma - c''(v, v).
//
// A frame is never differentiated, and regularity is asked of N^T L_vv N, never of L_vv.
#pragma once

#include <memory>
#include <utility>

#include "hamel/derive/reduced.hpp"
#include "hamel/linear/lu.hpp"
#include "hamel/mechanics/constraints.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

class Reduced {
 public:
  Reduced(std::shared_ptr<const Geometry> geometry, Constraints constraints, ReducedKernels kernels)
      : geometry_(std::move(geometry)), constraints_(std::move(constraints)), kernels_(std::move(kernels)) {}

  struct Workspace {
    VectorXd scratch, b, p, gamma, c_rate, solution, rhs;
    MatrixXd H, HN, G, GN, matrix;
    linear::Lu lu;
    Geometry::Workspace geometry;
    Constraints::Workspace constraint;
  };
  Workspace workspace() const;

  void set_parameters(In values);
  std::vector<const Program*> programs() const;
  std::vector<const Program*> legendre_programs() const;  // of velocities that belong to momenta, among them

  void acceleration(Workspace& w, double t, In q, In v, In u, Out a, Out multipliers) const;
  // Of a momentum; the multipliers of the constraints are the last entries of w.solution.
  void velocity(Workspace& w, double t, In q, In p, Out v) const;
  // The shortest tangent change of q, in the metric L_vv, that brings the constraints to zero to first order.
  void restoring_change(Workspace& w, double t, In q, Out change) const;
  // N^T L_vv N (reduced mass) at a state.
  MatrixXd mass(double t, In q, In v) const;

 private:
  void assemble(Workspace& w) const;
  void to_tangent(const Workspace& w, In x, Out result) const;
  void from_tangent(const Workspace& w, In x, Out result) const;

  std::shared_ptr<const Geometry> geometry_;
  Constraints constraints_;
  ReducedKernels kernels_;
};

}  // namespace hamel
