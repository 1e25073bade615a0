// A square matrix that has been factorised, to be solved with. Its rows and columns are measured in units of their
// own (powers of two, so that nothing is rounded): pivots are chosen, and compared, by what they mean. A mass matrix
// that is bordered by constraints has entries of 1e-13 kg beside those of 1 metre.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace hamel::linear {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Lu {
 public:
  Lu() : Lu(0) {}
  explicit Lu(Eigen::Index n);  // with the memory that a matrix of n rows needs
  Lu(const Lu& other);
  Lu(Lu&& other) noexcept;
  Lu& operator=(Lu other) noexcept;
  ~Lu();

  struct Factors;  // in lu.cpp: to compile a decomposition takes seconds
  std::unique_ptr<Factors> factors;
};

// None of these allocates where the matrix has the size that Lu was made for.
void factorise(Lu& lu, const MatrixXd& A);
void solve(const Lu& lu, const VectorXd& b, VectorXd& x);
void invert(Lu& lu, const MatrixXd& A, MatrixXd& inverse);

struct Pivots {
  double smallest, largest;
};
Pivots pivots(const Lu& lu);

struct Determinant {
  double sign, logarithm;
};
Determinant determinant(const Lu& lu);
double ratio(const Determinant& a, const Determinant& b);

}  // namespace hamel::linear
