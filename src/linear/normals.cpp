#include "hamel/linear/normals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hamel::linear {

Normals::Normals(std::vector<Row> rows, Eigen::Index directions)
    : directions_(directions), rows_(std::move(rows)), lengths_(static_cast<Eigen::Index>(rows_.size())) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    VectorXd values(static_cast<Eigen::Index>(rows_[i].size()));
    for (Eigen::Index k = 0; k < values.size(); ++k) values(k) = rows_[i][static_cast<std::size_t>(k)].second;
    const double length = values.stableNorm();
    lengths_(static_cast<Eigen::Index>(i)) = length;
    for (auto& [direction, value] : rows_[i]) value = length > 0 ? value / length : 0;
  }
  find_products();
  factorise();
}

void Normals::find_products() {
  std::vector<std::vector<std::pair<std::size_t, double>>> columns(static_cast<std::size_t>(directions_));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (const auto& [direction, value] : rows_[i]) columns[static_cast<std::size_t>(direction)].emplace_back(i, value);
  for (std::size_t i = 0; i < rows_.size(); ++i) first_.push_back(i);
  for (const auto& shares : columns)
    for (const auto& [row, value] : shares) first_[row] = std::min(first_[row], shares.front().first);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    factor_.push_back(VectorXd::Zero(static_cast<Eigen::Index>(i - first_[i] + 1)));
  for (const auto& shares : columns)
    for (const auto& [i, value] : shares)
      for (const auto& [j, other] : shares)
        if (j <= i) factor_[i](static_cast<Eigen::Index>(j - first_[i])) += value * other;
}

void Normals::factorise() {
  constexpr double dependent = 1e-13;  // the square of what is left of a length of one
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    VectorXd& row = factor_[i];
    const auto entry = [&](std::size_t j) { return static_cast<Eigen::Index>(j - first_[i]); };
    for (std::size_t j = first_[i]; j <= i; ++j) {
      const std::size_t begin = std::max(first_[i], first_[j]);
      const auto count = static_cast<Eigen::Index>(j - begin);
      const double known =
          row.segment(entry(begin), count).dot(factor_[j].segment(static_cast<Eigen::Index>(begin - first_[j]), count));
      const double left = row(entry(j)) - known;
      if (j < i)
        row(entry(j)) = left / factor_[j].tail<1>()(0);
      else
        row(entry(j)) = left > dependent ? std::sqrt(left) : std::numeric_limits<double>::infinity();
    }
  }
}

double Normals::share(std::size_t row, const VectorXd& y) const {
  double sum = 0;
  for (const auto& [direction, value] : rows_[row]) sum += value * y(direction);
  return sum;
}

void Normals::solve(VectorXd& x) const {
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    const VectorXd& row = factor_[i];
    const auto k = static_cast<Eigen::Index>(i), count = row.size() - 1;
    x(k) = (x(k) - row.head(count).dot(x.segment(k - count, count))) / row(count);
  }
  for (std::size_t i = factor_.size(); i-- > 0;) {
    const VectorXd& row = factor_[i];
    const auto k = static_cast<Eigen::Index>(i), count = row.size() - 1;
    x(k) /= row(count);
    x.segment(k - count, count) -= x(k) * row.head(count);
  }
}

void Normals::add_combination(const VectorXd& x, VectorXd& y) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (const auto& [direction, value] : rows_[i]) y(direction) += x(static_cast<Eigen::Index>(i)) * value;
}

// Twice: the second time removes what rounding left.
void Normals::remove_from(VectorXd& y) const {
  if (rows_.empty()) return;
  VectorXd x(lengths_.size());
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < rows_.size(); ++i) x(static_cast<Eigen::Index>(i)) = -share(i, y);
    solve(x);
    add_combination(x, y);
  }
}

VectorXd Normals::shortest(const VectorXd& change) const {
  VectorXd x = (lengths_.array() > 0).select(change.array() / lengths_.array(), 0), y = VectorXd::Zero(directions_);
  solve(x);
  add_combination(x, y);
  return y;
}

double Normals::least_share() const {
  double least = 1;
  for (const VectorXd& row : factor_) {
    const double share = row.tail<1>()(0);
    least = std::min(least, std::isfinite(share) ? share : 0.0);
  }
  return least;
}

}  // namespace hamel::linear
