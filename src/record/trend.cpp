#include "hamel/record/trend.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace hamel {
namespace {

constexpr std::size_t fewest_pairs = 4;

struct BlockMean {
  double weight, t, value;
};
using BlockMeans = std::array<BlockMean, 32>;

double line_error(const BlockMeans& blocks, std::size_t size) {
  if (size < 3) return std::numeric_limits<double>::infinity();
  double weight = 0, t = 0, value = 0, spread = 0, covariance = 0, residual = 0;
  for (std::size_t k = 0; k < size; ++k) {
    weight += blocks[k].weight;
    t += (blocks[k].t - t) * blocks[k].weight / weight;
    value += (blocks[k].value - value) * blocks[k].weight / weight;
  }
  for (std::size_t k = 0; k < size; ++k) {
    spread += blocks[k].weight * (blocks[k].t - t) * (blocks[k].t - t);
    covariance += blocks[k].weight * (blocks[k].t - t) * (blocks[k].value - value);
  }
  if (!(spread > 0)) return std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < size; ++k) {
    const double off = blocks[k].value - value - covariance / spread * (blocks[k].t - t);
    residual += blocks[k].weight * off * off;
  }
  return std::sqrt(residual / (static_cast<double>(size) - 2) / spread);
}

std::size_t join_pairs(BlockMeans& blocks, std::size_t size) {
  for (std::size_t k = 0; k < size; k += 2) {
    BlockMean joined = blocks[k];
    if (k + 1 < size) {
      const BlockMean& next = blocks[k + 1];
      joined.weight += next.weight;
      joined.t += (next.t - joined.t) * next.weight / joined.weight;
      joined.value += (next.value - joined.value) * next.weight / joined.weight;
    }
    blocks[k / 2] = joined;
  }
  return (size + 1) / 2;
}

}  // namespace

Trends::Trends(Eigen::Index series)
    : mean_(VectorXd::Zero(series)),
      covariance_(mean_),
      block_t_(VectorXd::Zero(most_blocks)),
      block_(MatrixXd::Zero(series, most_blocks)) {}

// B. P. Welford, "Note on a method for calculating corrected sums of squares and products" (1962)
void Trends::add(double t, const VectorXd& values) {
  ++count_;
  const double away = t - mean_t_;
  mean_t_ += away / count_;
  spread_t_ += away * (t - mean_t_);
  mean_ += (values - mean_) / count_;
  covariance_ += away * (values - mean_);
  add_to_block(t, values);
}

void Trends::add_to_block(double t, const VectorXd& values) {
  if (filled_ == 0) {
    block_t_(full_) = 0;
    block_.col(full_).setZero();
  }
  ++filled_;
  block_t_(full_) += (t - block_t_(full_)) / filled_;
  block_.col(full_) += (values - block_.col(full_)) / filled_;
  if (filled_ < length_) return;
  filled_ = 0;
  if (++full_ == most_blocks) join_blocks();
}

void Trends::join_blocks() {
  for (Eigen::Index k = 0; k < most_blocks / 2; ++k) {
    block_t_(k) = (block_t_(2 * k) + block_t_(2 * k + 1)) / 2;
    block_.col(k) = (block_.col(2 * k) + block_.col(2 * k + 1)) / 2;
  }
  full_ = most_blocks / 2;
  length_ *= 2;
}

double Trends::slope(Eigen::Index series) const { return spread_t_ > 0 ? covariance_(series) / spread_t_ : 0; }

double Trends::slope_error(Eigen::Index series) const {
  BlockMeans blocks{};
  auto size = static_cast<std::size_t>(full_ + (filled_ > 0 ? 1 : 0));
  for (std::size_t k = 0; k < size; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    blocks[k] = {i < full_ ? length_ : filled_, block_t_(i), block_(series, i)};
  }
  double largest = line_error(blocks, size);
  while (size >= 2 * fewest_pairs) {
    size = join_pairs(blocks, size);
    largest = std::max(largest, line_error(blocks, size));
  }
  return largest;
}

void Trends::remember(Memory& memory) {
  memory(count_, mean_t_, spread_t_, mean_, covariance_);
  memory(full_, length_, filled_, block_t_, block_);
  if (full_ < 0 || full_ >= most_blocks)
    throw std::invalid_argument("these saved numbers are damaged: there are not so many blocks");
}

}  // namespace hamel
