// The stabilizing solutions P of Riccati's algebraic equations, and the feedback u = -K x that they give:
//
//   A^T P + P A - P B R^-1 B^T P + Q = 0                          K = R^-1 B^T P            for x' = A x + B u
//   A^T P A - P - A^T P B (R + B^T P B)^-1 B^T P A + Q = 0         K = (R + B^T P B)^-1 B^T P A    for x -> A x + B u
//
// By the ordered Schur form of Hamilton's matrix, in balanced units; the symplectic pencil of the second is made such a
// matrix by Cayley's transform, so that A may be singular. Newton's method (Kleinman) polishes. Whether a solution
// exists is decided by ranks at the eigenvalues of A, never by the spectrum of Hamilton's matrix.
#pragma once

#include <stdexcept>

#include "hamel/linear/controllability.hpp"

namespace hamel::linear {

struct Riccati {
  MatrixXd P, gain;
  VectorXcd closed_loop;  // the eigenvalues of A - B K
  double residual = 0;    // of the equation, relative to the sizes of its terms
  int corrections = 0;    // of Newton's method
};
// Refuse an R that is not symmetric and positive definite, and a Q that is not symmetric and semidefinite.
Riccati solve_riccati(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R);
Riccati solve_discrete_riccati(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R);

// Why there is no stabilizing solution.
struct NotStabilizable : std::domain_error {  // a mode that does not decay, and that no input moves
  explicit NotStabilizable(HiddenMode mode);
  HiddenMode mode;
};
struct NotDetectable : std::domain_error {  // one that neither grows nor decays, and that Q does not weigh
  explicit NotDetectable(HiddenMode mode);
  HiddenMode mode;
};

}  // namespace hamel::linear
