// The field of (q, xi) as one program: on spheres it is that on the manifold, and costs what is left there.
#include <gtest/gtest.h>

#include <algorithm>

#include "hamel/derive/formulation.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"

namespace hamel::test {
namespace {

// Masses and lengths of no special ratio, a spring, and drag.
template <class Sphere>
Model double_pendulum_on(Sphere sphere, int last) {
  Model model("double pendulum");
  const Formula m = model.parameter("m", 1.3), l = model.parameter("l", 0.9);
  auto q = model.coordinates("q", sphere, 2);
  const Formula x = l * q[0], y = x + 1.4 * q[1];
  model.kinetic(m / 2 * squared_norm(rate(x)) + 0.35 * squared_norm(rate(y)));
  model.potential(9.81 * (m * x[last] + 0.7 * y[last]) + 2 * squared_norm(y));
  model.force(y, -0.3 * rate(y));
  return model;
}

VectorXd xi_rate(const System& system, const State& state) {
  Field field(system, Form::omega);
  Workspace w(system);
  const VectorXd y = field.pack(w, state);
  VectorXd rate(y.size());
  field(w, state.t, y, rate);
  return rate.tail(y.size() - system.ambient());
}

VectorXd acceleration_of(const System& system, const State& state) {
  Workspace w(system);
  VectorXd a(system.ambient());
  system.acceleration(w, state.t, state.q, state.v, a);
  return a;
}

State random_state(const System& system, Random& random) {
  const VectorXd q = system.space().random_point(random);
  return {0, q, system.space().random_tangent(q, random)};
}

// omega' = q x q'', in the plane and in space.
TEST(Motion, IsThatOfTheAcceleration) {
  Random random(1);
  const System plane = derive(double_pendulum_on(S1(), 1)), space = derive(double_pendulum_on(S2(), 2));
  for (int k = 0; k < 20; ++k) {
    const State flat = random_state(plane, random), round = random_state(space, random);
    const VectorXd a = acceleration_of(plane, flat), b = acceleration_of(space, round);
    const VectorXd found = xi_rate(plane, flat), turned = xi_rate(space, round);
    for (int i = 0; i < 2; ++i) {
      const double expected = flat.q(2 * i) * a(2 * i + 1) - flat.q(2 * i + 1) * a(2 * i);
      EXPECT_NEAR(found(i), expected, 1e-13 * a.norm());
      const Eigen::Vector3d q = round.q.segment<3>(3 * i), c = b.segment<3>(3 * i);
      EXPECT_LT((turned.segment<3>(3 * i) - q.cross(c)).norm(), 1e-13 * b.norm());
    }
  }
}

TEST(Motion, OfADoublePendulumDividesOnce) {
  Model model("double pendulum");
  auto q = model.coordinates("q", S1(), 2);
  const Formula m = model.parameter("m", 1.3), l = model.parameter("l", 0.9), x = l * q[0], y = x + l * q[1];
  model.kinetic(m / 2 * squared_norm(rate(x)) + m * squared_norm(rate(y)));
  model.potential(9.81 * m * (x.y() + 2 * y.y()));
  const System system = derive(model);
  const std::vector<Operation>& operations = motion(system).program().code().operations;
  EXPECT_EQ(std::count_if(operations.begin(), operations.end(), [](const Operation& o) { return o.op == Op::divide; }),
            1);
  EXPECT_LE(operations.size(), 38u);
}

}  // namespace
}  // namespace hamel::test
