// The double spherical pendulum that general methods are compared on.
#pragma once

#include <benchmark/benchmark.h>

#include "baseline_chain.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel::bench {

inline Chain double_pendulum() { return {{1, 1}, {9.81, 9.81}, 9.81}; }

// y = (q, v) of a chain, by hand.
template <class Y, class Rate>
void chain_field(ChainBaseline& baseline, const Y& y, Rate& rate) {
  rate.template head<6>() = y.template tail<6>();
  baseline.acceleration(y.data(), y.data() + 6, rate.data() + 6);
}

// Example 1 of Lee, Leok, McClamroch, "Lagrangian mechanics and variational integrators on two-spheres".
inline State example_start() {
  State state{0, VectorXd(6), VectorXd(6)};
  const Eigen::Vector3d q1(std::sqrt(3) / 2, 0, 0.5), q2(0, 0, 1), omega1(-std::sqrt(3) / 4, 0, 0.75), omega2(0, 1, 0);
  state.q << q1, q2;
  state.v << omega1.cross(q1), omega2.cross(q2);
  return state;
}

}  // namespace hamel::bench
