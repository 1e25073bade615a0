// A matrix with few entries in each row: where they are stays, what they are changes.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hamel::linear {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class SparseRows {
 public:
  struct Place {
    int row, column;
  };

  SparseRows() = default;
  SparseRows(Eigen::Index rows, Eigen::Index columns, const std::vector<Place>& places);  // by rows, then columns

  Eigen::Index rows() const { return static_cast<Eigen::Index>(begin_.size()) - 1; }
  Eigen::Index columns() const { return columns_; }
  VectorXd values;  // in the order of the places, zero at first

  template <class Visit>  // (column, value)
  void visit_row(Eigen::Index row, const Visit& visit) const {
    const auto i = static_cast<std::size_t>(row);
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) visit(column_[k], values(static_cast<Eigen::Index>(k)));
  }

  using In = Eigen::Ref<const VectorXd>;
  double row_times(Eigen::Index row, const In& x) const;
  double row_norm(Eigen::Index row) const;
  bool is_finite(Eigen::Index row) const;
  VectorXd times(const In& x) const;                                       // A x
  void subtract_transposed(const In& y, Eigen::Ref<VectorXd> from) const;  // from -= A^T y
  MatrixXd dense() const;
  void put_into(MatrixXd& dense) const;  // which is zero elsewhere

 private:
  Eigen::Index columns_ = 0;
  std::vector<std::size_t> begin_{0};  // of each row, and the end of the last
  std::vector<Eigen::Index> column_;
};

}  // namespace hamel::linear
