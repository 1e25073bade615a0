#include "hamel/linear/sparse_modes.hpp"

#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "hamel/linear/product.hpp"

namespace hamel::linear {
namespace {

using Ldlt = Eigen::SimplicialLDLT<SparseMatrix>;
using Triplets = std::vector<Eigen::Triplet<double>>;

void add_block(Triplets& all, const SparseMatrix& block, Eigen::Index row, Eigen::Index col, double factor) {
  for (Eigen::Index k = 0; k < block.outerSize(); ++k)
    for (SparseMatrix::InnerIterator entry(block, k); entry; ++entry) {
      all.emplace_back(row + entry.row(), col + entry.col(), factor * entry.value());
      if (row != col) all.emplace_back(col + entry.col(), row + entry.row(), factor * entry.value());
    }
}

// (K + s M)^-1 where C x = 0. Without pivoting: a tiny -delta stands for the zeros, and refinement takes it out.
class Solver {
 public:
  Solver(const SparseMatrix& K, const SparseMatrix& M, const SparseMatrix& C, double shift)
      : n_(K.rows()), m_(C.rows()) {
    Triplets all;
    add_block(all, K, 0, 0, 1);
    add_block(all, M, 0, 0, shift);
    add_block(all, C, n_, 0, 1);
    matrix_.resize(n_ + m_, n_ + m_);
    matrix_.setFromTriplets(all.begin(), all.end());
    const double size = matrix_.coeffs().cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < m_; ++i) all.emplace_back(n_ + i, n_ + i, -1e-10 * size);
    SparseMatrix regular(n_ + m_, n_ + m_);
    regular.setFromTriplets(all.begin(), all.end());
    factors_.compute(regular);
  }

  // Is it positive definite where C x = 0?
  bool is_definite() const {
    return factors_.info() == Eigen::Success && (factors_.vectorD().array() < 0).count() == m_;
  }

  VectorXd solve(const VectorXd& b) const {
    VectorXd right = VectorXd::Zero(n_ + m_);
    right.head(n_) = b;
    VectorXd x = factors_.solve(right);
    for (int again = 0; again < 3; ++again) x += factors_.solve(VectorXd(right - matrix_ * x));
    return x.head(n_);
  }

 private:
  Eigen::Index n_, m_;
  SparseMatrix matrix_;
  Ldlt factors_;
};

// For Spectra: across what is known.
class Deflated {
 public:
  using Scalar = double;
  Deflated(const Solver& solver, const SparseMatrix& M, const MatrixXd& known)
      : solver_(solver), known_(known), momenta_(M * known) {}
  Eigen::Index rows() const { return known_.rows(); }
  Eigen::Index cols() const { return rows(); }
  static void set_shift(double /*sigma*/) {}
  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const VectorXd> x(in, rows());
    const VectorXd y = solver_.solve(x - momenta_ * (known_.transpose() * x));
    Eigen::Map<VectorXd>(out, rows()) = y - known_ * (momenta_.transpose() * y);
  }

 private:
  const Solver& solver_;
  const MatrixXd& known_;
  MatrixXd momenta_;
};

class Mass {
 public:
  using Scalar = double;
  explicit Mass(const SparseMatrix& M) : M_(M) {}
  Eigen::Index rows() const { return M_.rows(); }
  Eigen::Index cols() const { return M_.cols(); }
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) = M_ * Eigen::Map<const VectorXd>(in, rows());
  }

 private:
  const SparseMatrix& M_;
};

// Sorted, those of `more` included.
SparseModes merged(const SparseModes& a, const SparseModes& b) {
  const Eigen::Index n = a.values.size(), count = n + b.values.size();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](Eigen::Index k) { return k < n ? a.values(k) : b.values(k - n); };
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) { return value(i) < value(j); });
  SparseModes result{VectorXd(count), MatrixXd(b.vectors.rows(), count)};
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index from = order[static_cast<std::size_t>(k)];
    result.values(k) = value(from);
    result.vectors.col(k) = from < n ? a.vectors.col(from) : b.vectors.col(from - n);
  }
  return result;
}

}  // namespace

SparseModes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, const SparseMatrix& C, int count) {
  const Eigen::Index freedom = K.rows() - C.rows();
  count = static_cast<int>(std::min<Eigen::Index>(count, freedom / 3));
  if (count < 1) throw std::invalid_argument("too small for a sparse eigenvalue problem");
  double largest = 0;  // of the rates, squared, roughly
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    if (M.coeff(i, i) > 0) largest = std::max(largest, std::abs(K.coeff(i, i)) / M.coeff(i, i));
  constexpr int most_shifts = 12, most_rounds = 10;
  double shift = 1e-9 * (largest > 0 ? largest : 1);
  std::optional<Solver> solver;
  for (int k = 0; k < most_shifts; ++k, shift *= 10) {
    solver.emplace(K, M, C, shift);
    if (solver->is_definite()) break;
    if (k == most_shifts - 1) throw std::runtime_error("no shift makes this eigenvalue problem definite");
  }
  SparseModes known{VectorXd(), MatrixXd(K.rows(), 0)};
  for (int round = 0; round < most_rounds; ++round) {
    Deflated op(*solver, M, known.vectors);
    Mass mass(M);
    const auto space = static_cast<int>(std::min<Eigen::Index>(3 * count, freedom));
    Spectra::SymGEigsShiftSolver<Deflated, Mass, Spectra::GEigsMode::ShiftInvert> lanczos(op, mass, count, space,
                                                                                          -shift);
    lanczos.init();
    lanczos.compute(Spectra::SortRule::LargestMagn, 1000, 1e-13);
    if (lanczos.info() != Spectra::CompInfo::Successful)
      throw std::runtime_error("the iteration for the lowest modes does not converge");
    SparseModes found{lanczos.eigenvalues(), lanczos.eigenvectors()};
    for (Eigen::Index k = 0; k < count; ++k) {  // Rayleigh's quotient has twice the digits of the vector
      const VectorXd x = found.vectors.col(k);
      found.values(k) = x.dot(K * x) / x.dot(M * x);
    }
    const bool is_complete =
        known.values.size() >= count &&
        found.values.minCoeff() > known.values(count - 1) + 1e-9 * std::abs(known.values(count - 1) + shift);
    if (is_complete) return {known.values.head(count), known.vectors.leftCols(count)};
    known = merged(known, found);
  }
  throw std::runtime_error("the lowest modes are too many of the same frequency");
}

VectorXd sparse_multipliers(const SparseMatrix& C, const VectorXd& g) {
  const SparseMatrix normal = C * C.transpose();
  const Ldlt factors(normal);
  if (factors.info() != Eigen::Success) throw std::domain_error("the constraints are not independent at this point");
  return factors.solve(VectorXd(C * g));
}

}  // namespace hamel::linear
