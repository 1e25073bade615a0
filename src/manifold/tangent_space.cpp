#include "hamel/manifold/tangent_space.hpp"

#include <algorithm>

#include "hamel/linear/product.hpp"

namespace hamel {

TangentSpace::TangentSpace(const std::vector<Manifold>& spaces, const std::vector<int>& offsets, In q,
                           const VectorXd& sizes)
    : offsets_(offsets) {
  for (std::size_t c = 0; c < spaces.size(); ++c) {
    const int begin = offsets[c], n = spaces[c].ambient();
    MatrixXd& basis = bases_.emplace_back(n, spaces[c].dimension());
    spaces[c].tangent_basis(q.segment(begin, n), basis);
    basis = sizes.segment(begin, n).asDiagonal() * basis;
    begin_.push_back(begin_.back() + basis.cols());
  }
}

void TangentSpace::constrain(const linear::SparseRows& slopes) {
  std::vector<linear::Normals::Row> rows(static_cast<std::size_t>(slopes.rows()));
  for (Eigen::Index function = 0; function < slopes.rows(); ++function) {
    linear::Normals::Row& row = rows[static_cast<std::size_t>(function)];
    slopes.visit_row(function, [&](Eigen::Index entry, double value) {
      const auto next = std::upper_bound(offsets_.begin(), offsets_.end(), entry);
      const auto c = static_cast<std::size_t>(next - offsets_.begin()) - 1;
      const MatrixXd& basis = bases_[c];
      if (row.empty() || row.back().first < begin_[c])  // entries come in their order: this factor is new
        for (Eigen::Index k = 0; k < basis.cols(); ++k) row.emplace_back(begin_[c] + k, 0);
      const auto block = row.end() - basis.cols();
      for (Eigen::Index k = 0; k < basis.cols(); ++k) block[k].second += value * basis(entry - offsets_[c], k);
    });
  }
  normals_ = linear::Normals(std::move(rows), directions());
}

VectorXd TangentSpace::vector(const VectorXd& y) const {
  VectorXd result(offsets_.back());
  for (std::size_t c = 0; c < bases_.size(); ++c)
    result.segment(offsets_[c], bases_[c].rows()) = bases_[c] * y.segment(begin_[c], bases_[c].cols());
  return result;
}

VectorXd TangentSpace::along(const VectorXd& covector) const {
  VectorXd result(directions());
  for (std::size_t c = 0; c < bases_.size(); ++c)
    result.segment(begin_[c], bases_[c].cols()) =
        bases_[c].transpose() * covector.segment(offsets_[c], bases_[c].rows());
  return result;
}

VectorXd TangentSpace::sizes(const VectorXd& y) const {
  VectorXd result(offsets_.back());
  for (std::size_t c = 0; c < bases_.size(); ++c)
    result.segment(offsets_[c], bases_[c].rows()) =
        bases_[c].cwiseAbs() * y.segment(begin_[c], bases_[c].cols()).cwiseAbs();
  return result;
}

}  // namespace hamel
