// Keeps quadratic invariants over steps as well as compensated sums can hold them, whatever they are: nothing is drawn
// to the manifold. Gauss methods keep them but for rounding, and the mean of rounding adds up. What it changed is
// computed from the way of the step, c(q1) - c(q0) = grad c(middle) . way, in twice the digits, and taken back where
// the step ends.
#pragma once

#include <cmath>

#include "hamel/derive/quadratic_invariants.hpp"

namespace hamel {

// A number, and what is left of it below its last digit.
struct Pair {
  double high = 0, low = 0;
};

inline Pair sum_of(double a, double b) {  // exactly
  const double sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}
inline void add_product(Pair& sum, double factor, Pair a, Pair b) {
  const double product = a.high * b.high;
  const double rest = std::fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high);
  const double term = factor * product;
  const Pair next = sum_of(sum.high, term);
  sum = {next.high, sum.low + (next.low + (std::fma(factor, product, -term) + factor * rest))};
}

class InvariantKeeper {
 public:
  // Of the first `size` numbers of a state.
  InvariantKeeper(const std::vector<QuadraticInvariant>& invariants, int size)
      : invariants_(invariants),
        move_(VectorXd::Zero(size)),
        way_(static_cast<std::size_t>(size)),
        middle_(static_cast<std::size_t>(size)) {}

  // After a step of `core`, a GaussCore.
  template <class Core>
  void keep(Core& core) {
    if (invariants_.empty()) return;
    for (std::size_t k = 0; k < way_.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      const Pair straight = sum_of(core.y(i), -core.begin(i));
      way_[k] = sum_of(straight.high, straight.low + (core.lost(i) - core.lost_at_begin(i)));
      middle_[k] = sum_of(core.y(i), -way_[k].high / 2);
      middle_[k].low += core.lost(i) - way_[k].low / 2;
    }
    move_.setZero();
    for (const QuadraticInvariant& c : invariants_) c.lower(change_of(c), core.y, move_);
    core.move(0, move_);
  }

 private:
  double change_of(const QuadraticInvariant& c) const {
    Pair sum;
    for (const auto& [i, j, value] : c.curvature)
      add_product(sum, value, way_[static_cast<std::size_t>(i)], middle_[static_cast<std::size_t>(j)]);
    for (const auto& [i, value] : c.slope) add_product(sum, value, way_[static_cast<std::size_t>(i)], {1, 0});
    return sum.high + sum.low;
  }

  const std::vector<QuadraticInvariant>& invariants_;
  VectorXd move_;
  std::vector<Pair> way_, middle_;
};

}  // namespace hamel
