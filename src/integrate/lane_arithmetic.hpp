// Arithmetic on blocks of numbers in eight lanes, in the vector unit of this machine, in the order of operations in
// which one lane would be computed alone.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <vector>

namespace hamel {

struct alignas(64) Eight {
  std::array<double, 8> lane{};

  double& operator[](int k) { return lane[static_cast<std::size_t>(k)]; }
  double operator[](int k) const { return lane[static_cast<std::size_t>(k)]; }
};

using LaneSet = std::bitset<8>;

// Number i of lane k is [i][k].
class LaneBlock {
 public:
  LaneBlock() = default;
  explicit LaneBlock(long rows) : numbers_(static_cast<std::size_t>(rows)) {}

  std::size_t rows() const { return numbers_.size(); }
  double* data() { return numbers_.empty() ? nullptr : numbers_.front().lane.data(); }
  const double* data() const { return numbers_.empty() ? nullptr : numbers_.front().lane.data(); }
  double* data_from(long i) { return data() + 8 * i; }
  const double* data_from(long i) const { return data() + 8 * i; }
  Eight& operator[](long i) { return numbers_[static_cast<std::size_t>(i)]; }
  const Eight& operator[](long i) const { return numbers_[static_cast<std::size_t>(i)]; }
  void swap(LaneBlock& other) noexcept { numbers_.swap(other.numbers_); }

  template <class Vector>
  void put(int lane, const Vector& x) {
    for (std::size_t i = 0; i < rows(); ++i) numbers_[i][lane] = x[static_cast<long>(i)];
  }
  template <class Vector>
  void get(int lane, Vector&& x) const {
    for (std::size_t i = 0; i < rows(); ++i) x[static_cast<long>(i)] = numbers_[i][lane];
  }
  void fill(int lane, double value) {
    for (Eight& number : numbers_) number[lane] = value;
  }
  void fill(double value) {
    for (Eight& number : numbers_) number.lane.fill(value);
  }

 private:
  std::vector<Eight> numbers_;
};

// The lanes in which all numbers are finite.
LaneSet finite_lanes(const LaneBlock& x);
// Some lanes of x from y; those of all lanes by a swap.
void take_lanes(LaneSet which, LaneBlock& x, LaneBlock& y);

// y + w_0 k_0 + w_1 k_1 + ...
void add_stages(const LaneBlock& y, const Eight* weights, const LaneBlock* const* stages, int count, LaneBlock& result);
// y + h (w_0 k_0 + w_1 k_1 + ...), without y where that is none
void combine_stages(const LaneBlock* y, const Eight& h, const double* weights, const LaneBlock* const* stages,
                    int count, LaneBlock& result);
// max |x_i| (1 / (absolute + relative max(|a_i|, |b_i|)))
Eight scaled_size(const LaneBlock& x, const LaneBlock& a, const LaneBlock& b, double relative, double absolute);

// max |x_i| / (absolute + relative |y_i|)
Eight relative_size(const LaneBlock& x, const LaneBlock& y, double relative, double absolute);

// 3 (x - y) + z
void extrapolate(const LaneBlock& x, const LaneBlock& y, const LaneBlock& z, LaneBlock& result);
void add(const LaneBlock& x, const LaneBlock& y, LaneBlock& result);
void subtract(const LaneBlock& x, const LaneBlock& y, LaneBlock& result);
Eight largest(const LaneBlock& x);                            // max |x_i|
Eight largest(const LaneBlock& x, const LaneBlock& weights);  // max |x_i| w_i
Eight largest_difference(const LaneBlock& x, const LaneBlock& y);
// As add_compensated of compensated.hpp.
void add_compensated(const LaneBlock& before, const LaneBlock& change, LaneBlock& lost, LaneBlock& after);

}  // namespace hamel
