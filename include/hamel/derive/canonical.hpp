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

#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/derive/quadratic_invariants.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct CanonicalKernels {
  // (q, p, {t}, u) -> (q', p'), where H is given, the mass is constant, or small and linear in the velocity: then not
  // finite where solving for the velocity without pivots would lose too many digits, and the next two are there as
  // well.
  Kernel flow;
  Kernel normal_part;  // (q, p) -> the part of p that is normal to the manifold, where there is a flow, there are no
                       // other constraints, and the manifold has formulas
  // Where the mass is not constant: (q, p, eta, {t}) -> (d(L - p.V)/d eta, its derivative, C); the natural velocity eta
  // is found by Newton's method.
  Kernel fibre;
  Kernel rate;  // (q, p, eta, lambda, {t}, u) -> (q', p')
  Kernel
      constraint;  // (q) -> (c, C) of all constraints, those of the manifold and the user's; empty: all are quadratic
  // What the flow keeps on the manifold, of spheres and rotations; not those that are among the constraints.
  std::vector<QuadraticInvariant> invariants;
  int natural = 0, multipliers = 0;
  bool linear = false;               // is dL/dv linear in v?
  bool projects_in_numbers = false;  // there is no normal_part, for want of formulas
  bool redundant = false;            // are there more rates than dimensions, as on homogeneous spaces?

  void set_parameters(In values);
  void without_flow();  // where that is of no use
};

// Refuses manifolds that it cannot describe, and says why.
CanonicalKernels canonical_kernels(const Model& model, bool has_constant_mass);

// (q, p, {t}, u) -> the derivative of (q', p') with respect to (q, p), column by column; empty where no program
// computes them.
Kernel canonical_derivative(const Model& model, bool has_constant_mass);

}  // namespace hamel
