// The normals of constraints, as sparse rows R: what changes them is R y, and y - R^T (R R^T)^-1 R y leaves them alone.
//
// Constraints of neighbours share few directions, so R R^T is nearly banded: it is factorised row by row, each from its
// first entry on. A row that follows from those before it is left out.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace hamel::linear {

using Eigen::VectorXd;

class Normals {
 public:
  using Row = std::vector<std::pair<Eigen::Index, double>>;  // directions and their shares, each direction once

  Normals() = default;
  Normals(std::vector<Row> rows, Eigen::Index directions);

  void remove_from(VectorXd& y) const;
  VectorXd shortest(const VectorXd& change) const;  // y with R y = change
  // The least that a row, of length one, has beside those before it; 0 where one follows from them.
  double least_share() const;
  const VectorXd& lengths() const { return lengths_; }  // of the rows as they were given

 private:
  void find_products();  // R R^T into factor_
  void factorise();
  double share(std::size_t row, const VectorXd& y) const;
  void solve(VectorXd& x) const;                               // R R^T
  void add_combination(const VectorXd& x, VectorXd& y) const;  // y += R^T x

  Eigen::Index directions_ = 0;
  std::vector<Row> rows_;           // of length one
  VectorXd lengths_;                // that they had
  std::vector<std::size_t> first_;  // column of each row of L
  std::vector<VectorXd> factor_;    // L of R R^T = L L^T, row by row, from the first column to the diagonal
};

}  // namespace hamel::linear
