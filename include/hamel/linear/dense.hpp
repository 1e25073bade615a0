// Dense linear algebra that is not hot, as plain functions: decompositions are compiled here and nowhere else, for
// each costs seconds to compile.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "hamel/linear/lu.hpp"

namespace hamel::linear {

// A x = b by elimination.
VectorXd solve(const MatrixXd& A, const VectorXd& b);
MatrixXd solve_columns(const MatrixXd& A, const MatrixXd& B);
MatrixXd inverse(const MatrixXd& A);
double determinant(const MatrixXd& A);

// |A x - b| least: for independent columns, and the shortest such x for any.
VectorXd least_squares(const MatrixXd& A, const VectorXd& b);
VectorXd shortest_least_squares(const MatrixXd& A, const VectorXd& b);
MatrixXd shortest_least_squares(const MatrixXd& A, const MatrixXd& B, double threshold);
MatrixXd pseudo_inverse(const MatrixXd& A);

// Orthogonal columns that span those of A, largest first, and then the rest of the space: A P = Q R.
struct Orthogonal {
  MatrixXd Q, R;
  Eigen::VectorXi order;  // column k of A P is column order(k) of A
  Eigen::Index rank;
};
constexpr double rounding = 0;  // the threshold of rounding errors, which depends on the size of A
Orthogonal orthogonal(const MatrixXd& A, double threshold = rounding);
MatrixXd orthonormal_columns(const MatrixXd& A);                      // of independent columns, in their order
MatrixXd without_rotation(const MatrixXd& A);                         // as few rows as possible, with R^T R = A^T A
MatrixXd null_space(const MatrixXd& A, double threshold = rounding);  // orthonormal

// A x = 0 again, for an A with many rows: each column of x says how one column of A follows from `rank` others.
struct Dependencies {
  MatrixXd x;
  std::vector<Eigen::Index> independent;  // those `rank` others
};
Dependencies dependencies(const MatrixXd& A, double threshold);

VectorXd singular_values(const MatrixXd& A);  // largest first
struct RightSingular {
  VectorXd values;
  MatrixXd vectors;  // all of them, one per column
};
RightSingular right_singular(const MatrixXd& A);

Eigen::VectorXcd eigenvalues(const MatrixXd& A);
MatrixXd exponential(const MatrixXd& X);
MatrixXd logarithm(const MatrixXd& g);  // the principal one, of a g that has it

}  // namespace hamel::linear
