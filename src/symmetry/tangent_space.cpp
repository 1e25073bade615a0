#include "symmetry/tangent_space.hpp"

namespace hamel {

bool OrthonormalVectors::add(VectorXd vector, double least) {
  for (int pass = 0; pass < 2; ++pass) remove_from(vector);
  if (!(vector.norm() > least)) return false;
  directions_.push_back(vector.normalized());
  return true;
}

void OrthonormalVectors::remove_from(VectorXd& y) const {
  for (const VectorXd& direction : directions_) y -= direction.dot(y) * direction;
}

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

void TangentSpace::constrain(const MatrixXd& slopes) {
  constexpr double dependent = 1e-10;
  for (Eigen::Index i = 0; i < slopes.rows(); ++i) {
    const VectorXd normal = along(slopes.row(i).transpose());
    if (const double size = normal.stableNorm(); size > 0) normals_.add(normal / size, dependent);
  }
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
