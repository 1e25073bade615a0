#include "integrate/gauss_newton.hpp"

#include "hamel/linear/schur.hpp"

namespace hamel {
namespace {

// Of an eigenvector that is real but for it.
std::complex<double> phase_of(const Eigen::VectorXcd& x) {
  Eigen::Index largest = 0;
  for (Eigen::Index i = 1; i < x.size(); ++i)
    if (std::abs(x(i)) > std::abs(x(largest))) largest = i;
  return x(largest) / std::abs(x(largest));
}

}  // namespace

// With A = T diag(lambda) T^-1, a pair of conjugates adds 2 Re(t x), t the column of T.
GaussNewton::GaussNewton(const MatrixXd& A) {
  const linear::Diagonal diagonal = linear::diagonalise(A);
  const double real_enough = 1e-8 * A.norm();
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> lambda = diagonal.values(k);
    if (lambda.imag() < -real_enough) continue;  // its conjugate stands for both
    const bool is_pair = lambda.imag() > real_enough;
    Mode mode{lambda.real(), is_pair ? lambda.imag() : 0, MatrixXd(is_pair ? 2 : 1, A.cols()),
              MatrixXd(A.rows(), is_pair ? 2 : 1), linear::Lu()};
    const std::complex<double> phase = is_pair ? 1 : phase_of(diagonal.vectors.col(k));
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const std::complex<double> from = diagonal.inverse(k, i) * phase, to = diagonal.vectors(i, k) / phase;
      mode.from_stages(0, i) = from.real();
      mode.to_stages(i, 0) = is_pair ? 2 * to.real() : to.real();
      if (!is_pair) continue;
      mode.from_stages(1, i) = from.imag();
      mode.to_stages(i, 1) = -2 * to.imag();
    }
    modes_.push_back(std::move(mode));
  }
}

void GaussNewton::factorise(const MatrixXd& J, double h) {
  const auto n = J.rows();
  for (Mode& mode : modes_) {
    if (mode.imaginary == 0) {
      matrix_ = -h * mode.real * J;
    } else {
      matrix_.resize(2 * n, 2 * n);
      matrix_.topLeftCorner(n, n) = -h * mode.real * J;
      matrix_.bottomRightCorner(n, n) = matrix_.topLeftCorner(n, n);
      matrix_.topRightCorner(n, n) = h * mode.imaginary * J;
      matrix_.bottomLeftCorner(n, n) = -h * mode.imaginary * J;
    }
    matrix_.diagonal().array() += 1;
    linear::factorise(mode.lu, matrix_);
  }
}

void GaussNewton::solve(const MatrixXd& residual, MatrixXd& result) {
  const auto n = residual.cols();
  result.setZero(residual.rows(), n);
  for (const Mode& mode : modes_) {
    coordinates_.noalias() = mode.from_stages * residual;
    rhs_ = coordinates_.reshaped<Eigen::RowMajor>();
    linear::solve(mode.lu, rhs_, x_);
    coordinates_ = x_.reshaped<Eigen::RowMajor>(coordinates_.rows(), n);
    result.noalias() += mode.to_stages * coordinates_;
  }
}

}  // namespace hamel
