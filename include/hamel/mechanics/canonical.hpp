// The motion in canonical variables (q, p) of the ambient space, for integrators that are symplectic there:
//
//   H(q, p) = max over { v : C(q) v = 0 } of  p.v - L(q, v),
//   q' = v,     p' = dL/dq + f + sum_k lambda_k d(C_k v)/dq,     M v + C^T lambda = p.
//
// Factors that are given by a basis (groups) have q' = B(q) xi instead of constraints, and p' = d(L - p.B xi)/dq + f.
// The part of p that is normal to the manifold means nothing; p := dL/dv, from time to time, keeps it small. The
// velocity is tangent for every q and p, also off the manifold, so that methods which keep quadratic invariants keep
// every manifold and every constraint that is given by quadratic functions.
//
// A given Hamiltonian is extended off the manifold: H(q, P(q) p).
#pragma once

#include <string>
#include <vector>

#include "hamel/linear/lu.hpp"
#include "hamel/mechanics/quadratic_invariants.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Canonical {
 public:
  explicit Canonical(const System& system);  // refuses manifolds that it cannot describe, and says why

  void set_parameters(In values);

  struct Workspace {
    VectorXd scratch, eta, lambda, residual, correction, rhs, q, p, v, rate;
    MatrixXd H, C, matrix;
    linear::Lu lu;
  };
  Workspace workspace() const;

  int ambient() const { return ambient_; }
  // Are all constraints, those of the manifold and the user's, quadratic? If not, they are given here.
  bool is_quadratic() const { return constraint_.empty(); }
  int constraints() const { return multipliers_; }
  void constraint(Workspace& w, In q, Out c, Eigen::Ref<MatrixXd> C) const;
  // What the flow keeps for every q and p, of spheres and rotations; not those that are among constraint().
  const std::vector<QuadraticInvariant>& invariants() const { return invariants_; }
  // One program computes it, for several states at once.
  bool is_explicit() const { return !flow_.empty(); }
  const Kernel& program() const { return flow_; }
  std::vector<const Program*> flow_programs() const;  // that one, or those that Newton's method runs
  std::vector<const Program*> step_programs() const;  // what is run a few times a step, beside the flow

  // q' and p' at `lanes` states (1, 4 or 8): number i of state k is at [i * lanes + k]. The inputs are those of all.
  template <int lanes>
  void flow(Workspace& w, const double* t, const double* q, const double* p, const double* u, double* v,
            double* p_rate) const;

 private:
  void solve(Workspace& w, double t, const double* q, const double* p) const;

  int ambient_ = 0, inputs_ = 0, natural_ = 0, multipliers_ = 0;
  bool linear_ = false;     // is dL/dv linear in v?
  bool redundant_ = false;  // are there more rates than dimensions, as on homogeneous spaces?
  std::string name_;
  Kernel flow_;   // (q, p, {t}, u) -> (q', p')
  Kernel fibre_;  // (q, p, eta, {t}) -> (d(L - p.V)/d eta, its derivative, C): where eta is found by Newton's method
  Kernel rate_;   // (q, p, eta, lambda, {t}, u) -> (q', p')
  Kernel constraint_;  // (q) -> (c, C)
  std::vector<QuadraticInvariant> invariants_;
};

// (q, p, {t}, u) -> the derivative of (q', p') with respect to (q, p), column by column; empty where no program
// computes them.
Kernel canonical_derivative(const System& system);

}  // namespace hamel
