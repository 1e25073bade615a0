#include "symmetry/space.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"

namespace hamel {
namespace {

constexpr double rounding_unit = std::numeric_limits<double>::epsilon();
constexpr double certain = 1e6;      // times its rounding error: this is not zero
constexpr double possible = 300;     // times its rounding error: this may be zero
constexpr double dependent = 1e-9;   // columns of length one, this near to the span of others, are looked at again
constexpr double cancelled = 1e-11;  // a coefficient this small against what was added up is none

// What columns of coefficients do to a term or a sum of terms at all samples.
struct Effects {
  Effects(Eigen::Index rows, Eigen::Index cols) : value(MatrixXd::Zero(rows, cols)), error(value) {}
  MatrixXd value, error;

  double largest_ratio(Eigen::Index column) const {
    double largest = 0;
    for (Eigen::Index i = 0; i < value.rows(); ++i)
      if (value(i, column) != 0)
        largest = std::max(largest, std::abs(value(i, column)) / (rounding_unit * error(i, column)));
    return largest;
  }
};

Effects effects_of(const SymmetryTerm& term, const MatrixXd& basis) {
  Effects result(term.value.rows(), basis.cols());
  for (Eigen::Index column = 0; column < basis.cols(); ++column)
    for (std::size_t k = 0; k < term.unknowns.size(); ++k) {
      const double z = basis(term.unknowns[k], column);
      if (z == 0) continue;
      const auto from = static_cast<Eigen::Index>(k);
      result.value.col(column) += z * term.value.col(from);
      result.error.col(column) += std::abs(z) * (term.error.col(from) + term.value.col(from).cwiseAbs());
    }
  return result;
}

// All conditions, one after the other; terms that a column leaves alone have no part in it, nor have their errors.
Effects sums_of(const std::vector<SymmetryTerm>& terms, const MatrixXd& basis) {
  const Eigen::Index samples = terms.front().value.rows();
  Effects result(samples * (terms.back().condition + 1), basis.cols());
  for (const SymmetryTerm& term : terms) {
    const Effects effects = effects_of(term, basis);
    for (Eigen::Index column = 0; column < basis.cols(); ++column) {
      if (effects.largest_ratio(column) <= certain) continue;
      result.value.col(column).segment(term.condition * samples, samples) += effects.value.col(column);
      result.error.col(column).segment(term.condition * samples, samples) += effects.error.col(column);
    }
  }
  return result;
}

MatrixXd beside(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd result(left.rows(), left.cols() + right.cols());
  result << left, right;
  return result;
}

// Sums of columns; what cancels in them is zero.
MatrixXd combined(const MatrixXd& columns, const MatrixXd& coefficients) {
  const MatrixXd sums = columns * coefficients, sizes = columns.cwiseAbs() * coefficients.cwiseAbs();
  return (sums.array().abs() <= cancelled * sizes.array()).select(0, sums);
}

struct Split {
  MatrixXd free, seen;
};

// Combinations that the equations do not see, and as many of the columns that they do.
Split split(const std::function<Effects(const MatrixXd&)>& equations, MatrixXd basis, double& signal) {
  MatrixXd seen(basis.rows(), 0);
  while (basis.cols() > 0) {  // each round loses at least one dimension
    const Effects effects = equations(basis);
    std::vector<Eigen::Index> free, bound;
    for (Eigen::Index column = 0; column < basis.cols(); ++column) {
      const double ratio = effects.largest_ratio(column);
      (ratio <= certain ? free : bound).push_back(column);
      if (ratio > certain) signal = std::min(signal, ratio);
    }
    if (bound.empty()) break;
    MatrixXd matrix = effects.value(Eigen::all, bound), errors = rounding_unit * effects.error(Eigen::all, bound);
    const VectorXd scale = scale_to_one(matrix, errors);
    const double noise = errors.colwise().norm().maxCoeff();
    const auto [x, independent] = linear::dependencies(matrix, std::clamp(100 * noise, dependent, 1e-3));
    const MatrixXd columns = basis(Eigen::all, bound);
    seen = beside(seen, columns(Eigen::all, independent));
    const MatrixXd cleaned = (x.array().abs() <= cancelled).select(0, x).array().colwise() / scale.array();
    basis = beside(basis(Eigen::all, free), combined(columns, cleaned));
  }
  return {basis, seen};
}

// The largest first, in the mean over the samples.
std::vector<std::size_t> by_size(const std::vector<SymmetryTerm>& terms) {
  std::vector<double> sizes;
  for (const SymmetryTerm& term : terms) {
    double sum = 0;
    for (Eigen::Index s = 0; s < term.value.rows() && term.value.cols() > 0; ++s)
      sum += std::log(term.value.row(s).lpNorm<Eigen::Infinity>() + std::numeric_limits<double>::min());
    sizes.push_back(sum);
  }
  std::vector<std::size_t> order(terms.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

double simple(double x) {
  constexpr double largest = 1e3, tolerance = 1e-11;
  for (int denominator = 1; denominator <= 12 && std::abs(x) < largest; ++denominator) {
    const double numerator = std::round(x * denominator);
    if (std::abs(x * denominator - numerator) < tolerance * std::abs(x * denominator)) return numerator / denominator;
  }
  return x;
}

// The reduced column echelon form, pivots in order of rows.
MatrixXd reduced_echelon(const MatrixXd& basis) {
  MatrixXd rows = basis.transpose();
  Eigen::Index rank = 0;
  for (Eigen::Index column = 0; column < rows.cols() && rank < rows.rows(); ++column) {
    Eigen::Index pivot = -1;
    double largest = 0;
    for (Eigen::Index i = rank; i < rows.rows(); ++i)
      if (const double size = std::abs(rows(i, column)) / rows.row(i).lpNorm<Eigen::Infinity>(); size > largest) {
        largest = size;
        pivot = i;
      }
    if (pivot < 0) continue;
    rows.row(rank).swap(rows.row(pivot));
    rows.row(rank) /= rows(rank, column);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (i == rank || rows(i, column) == 0) continue;
      const Eigen::ArrayXd taken = rows(i, column) * rows.row(rank).transpose(), old = rows.row(i).transpose();
      const Eigen::ArrayXd left = old - taken;
      rows.row(i) = (left.abs() <= cancelled * (old.abs() + taken.abs())).select(0, left).matrix().transpose();
      rows(i, column) = 0;
    }
    ++rank;
  }
  return rows.topRows(rank).transpose();
}

}  // namespace

VectorXd scale_to_one(MatrixXd& A, MatrixXd& errors) {
  constexpr double trusted = 1e10;  // an entry this much larger than its error
  const auto divide_columns = [&](VectorXd sizes) {
    sizes = (sizes.array() == 0).select(1, sizes);
    A.array().rowwise() /= sizes.transpose().array();
    errors.array().rowwise() /= sizes.transpose().array();
    return sizes;
  };
  const VectorXd scale = divide_columns(A.cwiseAbs().colwise().maxCoeff());
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    const double largest = (A.row(row).cwiseAbs() + trusted * errors.row(row)).maxCoeff();
    if (largest == 0) continue;
    A.row(row) /= largest;
    errors.row(row) /= largest;
  }
  return scale.cwiseProduct(divide_columns(A.colwise().norm()));
}

VectorXd with_simple_fractions(In coefficients) { return coefficients.unaryExpr(&simple); }

SymmetrySpace symmetry_space(const std::vector<SymmetryTerm>& terms, const MatrixXd& basis) {
  SymmetrySpace space;
  MatrixXd free = basis, seen(basis.rows(), 0);
  for (const std::size_t k : by_size(terms)) {
    Split found = split([&](const MatrixXd& z) { return effects_of(terms[k], z); }, free, space.signal);
    free = std::move(found.free);
    seen = beside(seen, found.seen);
  }
  const Split compensated = split([&](const MatrixXd& z) { return sums_of(terms, z); }, seen, space.signal);
  space.basis = reduced_echelon(beside(free, compensated.free));
  return space;
}

SymmetryVerdict judge(const std::vector<SymmetryTerm>& terms, In coefficients) {
  const Eigen::Index samples = terms.front().value.rows();
  Effects sums(samples * (terms.back().condition + 1), 1);
  std::vector<std::pair<int, VectorXd>> seen;
  SymmetryVerdict verdict;
  for (const SymmetryTerm& term : terms) {
    const Effects effects = effects_of(term, coefficients);
    if (const double ratio = effects.largest_ratio(0); ratio <= possible) {
      verdict.residual = std::max(verdict.residual, ratio);
      continue;
    }
    sums.value.middleRows(term.condition * samples, samples) += effects.value;
    sums.error.middleRows(term.condition * samples, samples) += effects.error;
    seen.emplace_back(term.condition, effects.value.col(0));
  }
  verdict.residual = std::max(verdict.residual, sums.largest_ratio(0));
  for (const auto& [condition, value] : seen) {
    const auto error = sums.error.col(0).segment(condition * samples, samples);
    if ((value.array().abs() <= certain * rounding_unit * error.array()).all()) verdict.hidden = true;
  }
  return verdict;
}

}  // namespace hamel
