#include "hamel/linear/sparse_rows.hpp"

#include <cmath>

namespace hamel::linear {

SparseRows::SparseRows(Eigen::Index rows, Eigen::Index columns, const std::vector<Place>& places)
    : values(VectorXd::Zero(static_cast<Eigen::Index>(places.size()))), columns_(columns) {
  for (const Place& place : places) {
    begin_.resize(static_cast<std::size_t>(place.row) + 1, column_.size());
    column_.push_back(place.column);
  }
  begin_.resize(static_cast<std::size_t>(rows) + 1, column_.size());
}

double SparseRows::row_times(Eigen::Index row, const In& x) const {
  double sum = 0;
  visit_row(row, [&](Eigen::Index column, double value) { sum += value * x(column); });
  return sum;
}

double SparseRows::row_norm(Eigen::Index row) const {
  const auto i = static_cast<std::size_t>(row);
  const auto first = static_cast<Eigen::Index>(begin_[i]), end = static_cast<Eigen::Index>(begin_[i + 1]);
  return values.segment(first, end - first).stableNorm();
}

bool SparseRows::is_finite(Eigen::Index row) const {
  bool all = true;
  visit_row(row, [&](Eigen::Index, double value) { all = all && std::isfinite(value); });
  return all;
}

VectorXd SparseRows::times(const In& x) const {
  VectorXd result(rows());
  for (Eigen::Index row = 0; row < rows(); ++row) result(row) = row_times(row, x);
  return result;
}

void SparseRows::subtract_transposed(const In& y, Eigen::Ref<VectorXd> from) const {
  for (Eigen::Index row = 0; row < rows(); ++row)
    visit_row(row, [&](Eigen::Index column, double value) { from(column) -= value * y(row); });
}

MatrixXd SparseRows::dense() const {
  MatrixXd result = MatrixXd::Zero(rows(), columns_);
  put_into(result);
  return result;
}

void SparseRows::put_into(MatrixXd& dense) const {
  for (Eigen::Index row = 0; row < rows(); ++row)
    visit_row(row, [&](Eigen::Index column, double value) { dense(row, column) = value; });
}

}  // namespace hamel::linear
