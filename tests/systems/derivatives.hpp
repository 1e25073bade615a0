// dL/dq' and dL/dq of a system against automatic differentiation of its Lagrangian, written by hand as a template.
//
//   expect_derivatives(system, [](const auto& q, const auto& v) { return v.dot(v) / 2.0 - q(2); }, samples);
#pragma once

#include <unsupported/Eigen/AutoDiff>

#include "systems/support.hpp"

namespace hamel::test {

using Dual = Eigen::AutoDiffScalar<VectorXd>;
using VectorDual = Eigen::Matrix<Dual, Eigen::Dynamic, 1>;

template <class Lagrangian>
VectorXd lagrangian_gradient(const Lagrangian& lagrangian, const State& state) {
  const int n = static_cast<int>(state.q.size());
  VectorDual q(n), v(n);
  for (int i = 0; i < n; ++i) {
    q(i) = Dual(state.q(i), 2 * n, i);
    v(i) = Dual(state.v(i), 2 * n, n + i);
  }
  const Dual value = lagrangian(q, v);
  return value.derivatives();
}

template <class Lagrangian>
void expect_derivatives(const System& system, const Lagrangian& lagrangian, const Samples& samples,
                        double tolerance = 1e-12) {
  const int n = system.ambient();
  Workspace work(system);
  VectorXd p(n), f(n);
  for (std::size_t k = 0; k < samples.states.size(); ++k) {
    SCOPED_TRACE(::testing::Message() << system.name() << ", sample " << k);
    const State& s = samples.states[k];
    const VectorXd gradient = lagrangian_gradient(lagrangian, s);
    system.momentum(work, s.t, s.q, s.v, p);
    system.force(work, s.t, s.q, s.v, f);
    EXPECT_LE(distance(p, gradient.tail(n)), tolerance) << "dL/dq'";
    EXPECT_LE(distance(f, gradient.head(n)), tolerance) << "dL/dq";
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace hamel::test
