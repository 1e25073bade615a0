// How q'' changes with q, q', inputs and parameters, in ambient numbers: for those who know nothing of manifolds.
//
//   const AmbientDerivatives derivatives(system);
//   const Derivative a = derivatives.acceleration(state);         // a.point = dq''/dq, ambient x ambient
//
// Directions that leave the space are projected first: these are the derivatives of
//
//   q, v  ->  q''(q, P(q) v),
//
// along P(q), so that gradients are tangent vectors. P is the orthogonal projection onto the tangent space.
#pragma once

#include "hamel/mechanics/derivatives.hpp"

namespace hamel {

class AmbientDerivatives {
 public:
  explicit AmbientDerivatives(const System& system);
  AmbientDerivatives with(const System& system) const;  // as of Derivatives
  const System& system() const { return system_; }

  Derivative acceleration(const State& state, In u = VectorXd()) const;

 private:
  AmbientDerivatives(System system, Derivatives natural);

  System system_;
  Derivatives natural_;
};

}  // namespace hamel
