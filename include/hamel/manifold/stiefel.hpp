// The Stiefel manifold of k orthonormal vectors of R^n: matrices Q of n x k with Q^T Q = I. An embedded manifold; its
// points are shown as matrices.
#pragma once

#include "hamel/manifold/embedded.hpp"

namespace hamel {

class Stiefel : public Embedded {
 public:
  Stiefel(int n, int k);  // 1 <= k < n

  std::pair<int, int> shape() const { return {n_, k_}; }
  VectorXd reference_point() const;

 private:
  int n_, k_;
};

extern template Manifold::Manifold(Stiefel);

}  // namespace hamel
