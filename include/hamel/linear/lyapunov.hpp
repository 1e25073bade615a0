// Linear matrix equations for X = X^T, given a symmetric Q, by the method of Bartels and Stewart.
#pragma once

#include "hamel/linear/lu.hpp"

namespace hamel::linear {

MatrixXd solve_lyapunov(const MatrixXd& A, const MatrixXd& Q);  // A^T X + X A + Q = 0
MatrixXd solve_stein(const MatrixXd& A, const MatrixXd& Q);     // A^T X A - X + Q = 0

}  // namespace hamel::linear
