// The motion in canonical variables (q, p) of the ambient space, in numbers (derive/canonical.hpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/derive/canonical.hpp"
#include "hamel/linear/lu.hpp"

namespace hamel {

class Canonical {
 public:
  Canonical(std::string name, int ambient, CanonicalKernels kernels)
      : name_(std::move(name)), ambient_(ambient), k_(std::move(kernels)) {}

  void set_parameters(In values) { k_.set_parameters(values); }

  struct Workspace {
    VectorXd scratch, eta, lambda, residual, correction, rhs, q, p, v, rate;
    MatrixXd H, C, matrix;
    linear::Lu lu;
  };
  Workspace workspace() const;

  int ambient() const { return ambient_; }
  // Are all constraints, those of the manifold and the user's, quadratic? If not, they are given here.
  bool is_quadratic() const { return k_.constraint.empty(); }
  int constraints() const { return k_.multipliers; }
  void constraint(Workspace& w, In q, Out c, Eigen::Ref<MatrixXd> C) const;
  const std::vector<QuadraticInvariant>& invariants() const { return k_.invariants; }
  // One program computes it, for several states at once (of one that is not finite, the velocity is looked for).
  bool is_explicit() const { return !k_.flow.empty(); }
  const Kernel& program() const { return k_.flow; }
  const Kernel& normal_part() const { return k_.normal_part; }  // derive/canonical.hpp
  // All of a step with fixed size is programs, and nothing is projected in numbers.
  bool is_all_programs() const { return is_explicit() && is_quadratic() && !k_.projects_in_numbers; }
  std::vector<const Program*> flow_programs() const;  // that one, or those that Newton's method runs
  std::vector<const Program*> step_programs() const;  // what is run a few times a step, beside the flow

  // q' and p' at `lanes` states (1, 4 or 8): number i of state k is at [i * lanes + k]. The inputs are those of all.
  void flow(int lanes, Workspace& w, const double* t, const double* q, const double* p, const double* u, double* v,
            double* p_rate) const;

 private:
  void solve(Workspace& w, double t, const double* q, const double* p) const;

  std::string name_;
  int ambient_;
  CanonicalKernels k_;
};

}  // namespace hamel
