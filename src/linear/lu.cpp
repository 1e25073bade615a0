#include "hamel/linear/lu.hpp"

#include <Eigen/LU>
#include <cmath>
#include <utility>

namespace hamel::linear {
namespace {

// The power of two that brings a size into [1, 2), or [1/2, 1).
double unit_of(double size) { return std::isnormal(size) ? std::ldexp(1.0, -std::ilogb(size)) : 1.0; }

}  // namespace

struct Lu::Factors {
  explicit Factors(Eigen::Index n)
      : rows(VectorXd::Ones(n)), columns(VectorXd::Ones(n)), scaled(MatrixXd::Zero(n, n)), decomposition(n) {}

  VectorXd rows, columns;  // units
  MatrixXd scaled;
  Eigen::PartialPivLU<MatrixXd> decomposition;
};

Lu::Lu(Eigen::Index n) : factors(std::make_unique<Factors>(n)) {}
Lu::Lu(const Lu& other) : factors(std::make_unique<Factors>(*other.factors)) {}
Lu::Lu(Lu&& other) noexcept = default;
Lu& Lu::operator=(Lu other) noexcept {
  factors = std::move(other.factors);
  return *this;
}
Lu::~Lu() = default;

void factorise(Lu& lu, const MatrixXd& A) {
  lu.factors->rows.resize(A.rows());
  lu.factors->columns.resize(A.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i) lu.factors->rows(i) = unit_of(A.row(i).lpNorm<Eigen::Infinity>());
  lu.factors->scaled.noalias() = lu.factors->rows.asDiagonal() * A;
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    lu.factors->columns(j) = unit_of(lu.factors->scaled.col(j).lpNorm<Eigen::Infinity>());
    lu.factors->scaled.col(j) *= lu.factors->columns(j);
  }
  lu.factors->decomposition.compute(lu.factors->scaled);
}
void solve(const Lu& lu, const VectorXd& b, VectorXd& x) {
  x = lu.factors->decomposition.solve(lu.factors->rows.cwiseProduct(b));
  x.array() *= lu.factors->columns.array();
}
void invert(Lu& lu, const MatrixXd& A, MatrixXd& inverse) {
  factorise(lu, A);
  inverse = lu.factors->decomposition.inverse();
  inverse.array().colwise() *= lu.factors->columns.array();
  inverse.array().rowwise() *= lu.factors->rows.transpose().array();
}
Pivots pivots(const Lu& lu) {
  const auto sizes = lu.factors->decomposition.matrixLU().diagonal().cwiseAbs();
  return {sizes.minCoeff(), sizes.maxCoeff()};
}
Determinant determinant(const Lu& lu) {
  const auto& pivots = lu.factors->decomposition.matrixLU().diagonal();
  const double units = lu.factors->rows.array().log().sum() + lu.factors->columns.array().log().sum();
  return {pivots.array().sign().prod() * static_cast<double>(lu.factors->decomposition.permutationP().determinant()),
          pivots.array().abs().log().sum() - units};
}
double ratio(const Determinant& a, const Determinant& b) {
  return a.sign * b.sign * std::exp(a.logarithm - b.logarithm);
}

}  // namespace hamel::linear
