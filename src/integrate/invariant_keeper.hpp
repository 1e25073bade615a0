// Keeps quadratic invariants over steps as well as compensated sums can hold them, whatever they are: nothing is drawn
// to the manifold. Gauss methods keep them but for rounding, and the mean of rounding adds up. What it changed is
// computed from the way of the step, in extended precision, and taken back where the step ends.
#pragma once

#include "hamel/derive/quadratic_invariants.hpp"

namespace hamel {

class InvariantKeeper {
 public:
  // Of the first `size` numbers of a state.
  InvariantKeeper(const std::vector<QuadraticInvariant>& invariants, int size)
      : invariants_(invariants), move_(VectorXd::Zero(size)), way_(Extended::Zero(size)), middle_(way_) {}

  // After a step of `core`, a GaussCore.
  template <class Core>
  void keep(Core& core) {
    if (invariants_.empty()) return;
    for (Eigen::Index i = 0; i < way_.size(); ++i) {
      way_(i) = core.template way<long double>(i);
      middle_(i) = core.template middle<long double>(i);
    }
    move_.setZero();
    for (const QuadraticInvariant& c : invariants_)
      c.lower(static_cast<double>(c.change(middle_, way_)), core.y, move_);
    core.move(0, move_);
  }

 private:
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const std::vector<QuadraticInvariant>& invariants_;
  VectorXd move_;
  Extended way_, middle_;
};

}  // namespace hamel
