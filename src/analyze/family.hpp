// Equilibria beside an equilibrium: Newton's method, and steps along the null space of K.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "hamel/analyze/linear_model.hpp"

namespace hamel {

struct NewtonOptions {
  int steps = 60;
  double longest = 0.5;            // of a step, in units of the model
  std::string* refusal = nullptr;  // becomes why the start has no linear model
};
// The length of a change of q, in units of the model.
inline double length_of(const LinearModel& model, const VectorXd& change) {
  return change.cwiseQuotient(model.units).norm();
}
// The nearest equilibrium, by least-norm steps with damping; none if there is no way down to zero.
using LinearModelAt = std::function<LinearModel(In q)>;  // whose K is the derivative of its residual
std::optional<LinearModel> find_equilibrium(const System& system, const LinearModelAt& model_at, VectorXd q,
                                            const NewtonOptions& options = {});

// Is what is left of the forces within rounding errors, and the next step of Newton's method short? In the tail of a
// law it is not, however small both are.
bool is_settled(const LinearModel& model);
// From an equilibrium of a family towards `to`: do forces come up as a tail does, exponentially, so that they are zero
// here as numbers only?
bool is_in_a_tail(const System& system, const LinearModelAt& model_at, const LinearModel& model, const VectorXd& to);

// On the manifold and on the constraints, moved by `change` of a tangent vector.
VectorXd moved_along(const System& system, In q, In change);

// Where K vanishes, measured by the kinetic energy and the largest stiffness.
struct StiffnessKernel {
  MatrixXd directions;          // orthonormal in units of the model
  bool is_nearly_more = false;  // is some stiffness very small, though not zero?
};
StiffnessKernel stiffness_kernel(const LinearModel& model);
inline MatrixXd kernel_directions(const LinearModel& model) { return stiffness_kernel(model).directions; }
// Along how many of them are there equilibria again? All or none.
int family_dimension(const System& system, const LinearModelAt& model_at, const LinearModel& model);

// From one equilibrium to another without leaving rest?
bool can_walk(const System& system, const LinearModelAt& model_at, const LinearModel& from, const VectorXd& to);
constexpr double same_point = 1e-6;        // in units of the model
constexpr double degenerate_reach = 5e-3;  // Newton's method stops so far from a degenerate point

// What no symmetry changes. Where it is the same nearby, a family is homogeneous: it is the same all over it.
Eigen::Vector4d invariants(const LinearModel& model);
bool is_homogeneous(const System& system, const LinearModelAt& model_at, const LinearModel& model);

// Entries that are 0 or 1 but for rounding, or but for what a degenerate point leaves open, become so where that is no
// worse.
LinearModel without_rounding(const System& system, const LinearModelAt& model_at, const LinearModel& model,
                             double reach);

}  // namespace hamel
