// The group that acts on a factor: q' = B(q) xi is an infinitesimal motion A q by an element A of its algebra.
//
//   R^n translations;   S^1, S^2, S^n rotations, from the left;   SO(3), SE(3), matrix groups themselves, from the
//   right (body rates);   homogeneous spaces their group, from the left.
//
// All are written as actions from the left: an action from the right, g exp(A), becomes one by the opposite bracket.
#pragma once

#include <memory>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

class GroupAction {
 public:
  virtual ~GroupAction() = default;

  virtual int algebra() const = 0;                         // how many numbers an element has
  virtual void generator(In q, In xi, Out A) const = 0;    // the A that moves q with the rate B(q) xi
  virtual void bracket(In A, In B, Out result) const = 0;  // AB - BA
  virtual void move(In A, Out q) = 0;                      // q := exp(A) q
};

// None where no group is known to act.
std::unique_ptr<GroupAction> group_action(const Manifold& factor);

}  // namespace hamel
