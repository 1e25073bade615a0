#include "mechanics/symmetry_space.hpp"

#include <algorithm>
#include <cmath>

#include "manifold/linear_algebra.hpp"

namespace hamel {
namespace {

constexpr double zero = 1e-11;      // a sum this small against what was added up is rounding
constexpr double dependent = 1e-9;  // columns of length one, this near to the span of others, wait for the next scale

double simple(double x) {
  for (int denominator = 1; denominator <= 12; ++denominator) {
    const double numerator = std::round(x * denominator);
    if (std::abs(x * denominator - numerator) < 1e-10 * (1 + std::abs(x))) return numerator / denominator;
  }
  return x;
}

// Conditions at all samples, as linear equations in the coefficients of a basis.
class SampledConditions {
 public:
  SampledConditions(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                    SymmetryConditions::Velocities velocities, const MatrixXd& basis)
      : conditions_(conditions),
        samples_(samples),
        velocities_(velocities),
        basis_(basis),
        magnitudes_(basis.cwiseAbs()),
        is_identity_(basis.rows() == basis.cols() && basis.isIdentity(0)) {
    find_silent_terms();
    add_up();
    drop_rounding();
    scale();
  }

  const MatrixXd& matrix() const { return sums_; }
  double smallest_ratio() const { return smallest_; }  // of the sums that are not zero
  double largest_zero() const { return largest_zero_; }

 private:
  template <class Visit>
  void for_each_sample(Visit visit) {
    MatrixXd value, size, in_basis, size_in_basis;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      conditions_.contributions(samples_[s], velocities_, value, size);
      if (is_identity_) {
        visit(static_cast<Eigen::Index>(s), value, size);
        continue;
      }
      in_basis.noalias() = value * basis_;
      size_in_basis.noalias() = size * magnitudes_;
      visit(static_cast<Eigen::Index>(s), in_basis, size_in_basis);
    }
  }

  // Terms that a basis vector leaves alone, judged by their own size: their rounding must not hide small terms.
  void find_silent_terms() {
    MatrixXd values = MatrixXd::Zero(conditions_.terms(), basis_.cols()), sizes = values;
    for_each_sample([&](Eigen::Index, const MatrixXd& value, const MatrixXd& size) {
      values.array() += value.array().square();
      sizes.array() += size.array().square();
    });
    speaks_ = (values.array() > zero * zero * sizes.array()).cast<double>();
    for (Eigen::Index i = 0; i < values.size(); ++i)
      if (speaks_(i) == 0 && sizes(i) > 0) largest_zero_ = std::max(largest_zero_, std::sqrt(values(i) / sizes(i)));
  }

  void add_up() {
    count_ = static_cast<Eigen::Index>(samples_.size());
    sums_ = sizes_ = MatrixXd::Zero(count_ * conditions_.conditions(), basis_.cols());
    for_each_sample([&](Eigen::Index s, const MatrixXd& value, const MatrixXd& size) {
      for (int term = 0; term < conditions_.terms(); ++term) {
        const Eigen::Index row = conditions_.condition_of(term) * count_ + s;
        sums_.row(row).array() += speaks_.row(term) * value.row(term).array();
        sizes_.row(row).array() += speaks_.row(term) * size.row(term).array();
      }
    });
  }

  void drop_rounding() {
    for (int condition = 0; condition < conditions_.conditions(); ++condition)
      for (Eigen::Index column = 0; column < basis_.cols(); ++column) {
        auto sums = sums_.col(column).segment(condition * count_, count_);
        const double size = sizes_.col(column).segment(condition * count_, count_).norm();
        if (size == 0) continue;
        const double ratio = sums.norm() / size;
        if (ratio > zero) {
          smallest_ = std::min(smallest_, ratio);
          continue;
        }
        largest_zero_ = std::max(largest_zero_, ratio);
        sums.setZero();
      }
  }

  void scale() {
    for (Eigen::Index row = 0; row < sums_.rows(); ++row) {
      const double largest = sizes_.row(row).maxCoeff();
      if (largest > 0) sums_.row(row) /= largest;
    }
  }

  const SymmetryConditions& conditions_;
  const std::vector<SymmetrySample>& samples_;
  SymmetryConditions::Velocities velocities_;
  const MatrixXd& basis_;
  MatrixXd magnitudes_;
  bool is_identity_;
  Eigen::Index count_ = 0;
  Eigen::ArrayXXd speaks_;  // terms x basis: 0 for silent terms, else 1
  MatrixXd sums_, sizes_;
  double smallest_ = 1, largest_zero_ = 0;
};

// x with matrix x = 0, for columns that are not zero; columns count as dependent relative to their own length.
MatrixXd null_space(MatrixXd matrix, double& signal) {
  const VectorXd lengths = matrix.colwise().norm();
  matrix.array().rowwise() /= lengths.transpose().array();
  const auto [combinations, smallest_pivot] = linear::dependencies(matrix, dependent);
  signal = std::min(signal, smallest_pivot);
  return combinations.array().colwise() / lengths.array();
}

}  // namespace

MatrixXd reduced_echelon(const MatrixXd& basis) {
  if (basis.cols() == 0) return basis;
  MatrixXd rows = basis.transpose();
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) /= rows.row(i).lpNorm<Eigen::Infinity>();
  Eigen::Index rank = 0;
  for (Eigen::Index column = 0; column < rows.cols() && rank < rows.rows(); ++column) {
    Eigen::Index pivot = 0;
    if (rows.col(column).tail(rows.rows() - rank).cwiseAbs().maxCoeff(&pivot) < 1e-8) continue;
    rows.row(rank).swap(rows.row(rank + pivot));
    rows.row(rank) /= rows(rank, column);
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      if (i != rank) rows.row(i) -= rows(i, column) * rows.row(rank).eval();
    ++rank;
  }
  return rows.topRows(rank).unaryExpr(&simple).transpose();
}

SymmetrySpace symmetry_space(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                             SymmetryConditions::Velocities velocities, MatrixXd basis) {
  SymmetrySpace space;
  while (basis.cols() > 0) {  // each round loses at least one dimension
    const SampledConditions equations(conditions, samples, velocities, basis);
    space.noise = equations.largest_zero();
    std::vector<Eigen::Index> free, bound;
    for (Eigen::Index i = 0; i < basis.cols(); ++i) (equations.matrix().col(i).isZero(0) ? free : bound).push_back(i);
    if (bound.empty()) break;
    space.signal = std::min(space.signal, equations.smallest_ratio());
    const MatrixXd null = null_space(equations.matrix()(Eigen::all, bound), space.signal);
    const MatrixXd combined = null.cols() == 0 ? MatrixXd(basis.rows(), 0) : MatrixXd(basis(Eigen::all, bound) * null);
    MatrixXd next(basis.rows(), static_cast<Eigen::Index>(free.size()) + combined.cols());
    next.leftCols(static_cast<Eigen::Index>(free.size())) = basis(Eigen::all, free);
    next.rightCols(combined.cols()) = combined;
    basis = reduced_echelon(next);
  }
  space.basis = basis;
  return space;
}

}  // namespace hamel
