// Columns that span the same space, to be read.
#pragma once

#include <Eigen/Core>

namespace hamel {

// One of them is 1 where all others are 0, as far as that goes: few entries.
template <class Matrix>
Matrix echelon(Matrix X) {
  using Eigen::Index;
  for (Index k = 0; k < X.cols(); ++k) {
    Index row = 0, column = 0;
    X.rightCols(X.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    X.col(k).swap(X.col(k + column));
    X.col(k) /= typename Matrix::Scalar(X(row, k));
    for (Index j = 0; j < X.cols(); ++j)
      if (j != k) X.col(j) -= X(row, j) * X.col(k).eval();
  }
  for (auto column : X.colwise()) {
    Index largest = 0;
    column.cwiseAbs().maxCoeff(&largest);
    column /= typename Matrix::Scalar(column(largest));
  }
  return X;
}

}  // namespace hamel
