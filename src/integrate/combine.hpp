// Sums over the stages of a Runge-Kutta method, in one pass over memory. Coefficients that are zero cost nothing.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <utility>

namespace hamel {

namespace combine_detail {

template <const auto& row, std::size_t stages, std::size_t... j>
void combine(double h, const Eigen::VectorXd* y, const std::array<Eigen::VectorXd, stages>& k, Eigen::VectorXd& result,
             std::index_sequence<j...>) {
  const std::array<const double*, sizeof...(j)> stage{k[j].data()...};
  const double* const __restrict from = y == nullptr ? nullptr : y->data();
  double* const __restrict to = result.data();
  const Eigen::Index n = result.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    double sum = -0.0;  // to which every number can be added at no cost
    ((row[j] != 0 ? void(sum += row[j] * stage[j][i]) : void()), ...);
    to[i] = from == nullptr ? h * sum : from[i] + h * sum;
  }
}

}  // namespace combine_detail

// y + h sum_j row_j k_j over the first `count` stages; the result is none of them.
template <const auto& row, std::size_t count, std::size_t stages>
void combine(double h, const Eigen::VectorXd& y, const std::array<Eigen::VectorXd, stages>& k,
             Eigen::VectorXd& result) {
  combine_detail::combine<row>(h, &y, k, result, std::make_index_sequence<count>());
}
template <const auto& row, std::size_t count, std::size_t stages>
void combine(double h, const std::array<Eigen::VectorXd, stages>& k, Eigen::VectorXd& result) {
  combine_detail::combine<row>(h, nullptr, k, result, std::make_index_sequence<count>());
}

// One stage for each row, from the first one on: k_i = f(t + c_i h, y + h sum_j row_j k_j).
template <std::size_t first, const auto&... rows, std::size_t stages>
void take_stages(const auto& rate, const auto& c, double t, double h, const Eigen::VectorXd& y,
                 std::array<Eigen::VectorXd, stages>& k, Eigen::VectorXd& point) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((combine<rows, first + i>(h, y, k, point), rate(t + c[first + i] * h, point, k[first + i])), ...);
  }
  (std::make_index_sequence<sizeof...(rows)>());
}

}  // namespace hamel
