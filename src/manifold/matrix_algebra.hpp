// Lie algebras of matrices: membership, brackets, exponentials.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

// The principal logarithm; empty where there is none (an eigenvalue on the closed negative axis).
MatrixXd principal_logarithm(const MatrixXd& g);

// exp(X + sE) = exp(X) + s L + ..., L in the last columns: the derivative of exp in the direction E.
MatrixXd exponential_derivative(const MatrixXd& X, const MatrixXd& E);

// The matrices as columns. Throws std::invalid_argument where one is not square, differs in size from the first or is
// not finite.
MatrixXd as_columns(const std::vector<MatrixXd>& matrices, const std::string& name);

// Throws std::invalid_argument where a bracket leaves the span, and says by how much.
void check_closed_under_brackets(const std::vector<MatrixXd>& matrices, const MatrixXd& columns,
                                 const std::string& name);

int numerical_rank(const MatrixXd& A);

// The largest |Im eigenvalue|.
double frequency(const MatrixXd& X);

// The largest frequency(X(z)) over |z| = 1, by a random search that is the same each time; 0 where all are 0.
// X must be linear.
double largest_frequency(int unknowns, const std::function<MatrixXd(const VectorXd&)>& X);

}  // namespace hamel
