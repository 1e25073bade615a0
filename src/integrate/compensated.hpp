// Compensated summation: what rounding takes from a sum is given to its next change (Kahan; the rest of a sum is exact
// in the form of Knuth, "The Art of Computer Programming", section 4.2.2, whichever of the two is larger).
#pragma once

#include <Eigen/Core>

namespace hamel {

template <class Scalar>
Scalar add_compensated(Scalar before, Scalar change, Scalar& lost) {
  change += lost;
  const Scalar after = before + change, added = after - before;
  lost = (before - (after - added)) + (change - added);
  return after;
}

inline void add_compensated(const Eigen::VectorXd& before, const Eigen::VectorXd& change, Eigen::VectorXd& lost,
                            Eigen::VectorXd& after) {
  for (Eigen::Index i = 0; i < before.size(); ++i) after(i) = add_compensated(before(i), change(i), lost(i));
}

}  // namespace hamel
