// Hamilton's principle itself: among all ways between the same ends, a motion makes the action stationary; the steps of
// a variational method make the discrete action stationary, to rounding.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <random>

#include "hamel/derive/quadrature.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/spaces.hpp"
#include "integrate/systems.hpp"

namespace hamel::test {
namespace {

using std::numbers::pi;

// The spring makes the potential quadratic: were it linear, all rules would have the same action.
Example pendulums_with_a_spring() {
  Model model("pendulums with a spring");
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = 1.1 * q[0], x2 = x1 + 0.8 * q[1];
  model.kinetic(0.7 * squared_norm(rate(x1)) + 0.5 * squared_norm(rate(x2)));
  model.potential(9.81 * (1.4 * x1.z() + x2.z()) + 20.0 * dot(q[0], q[1]));
  System system = derive(model);
  VectorXd point(6), rates(6);
  point << 0.6, 0, -0.8, 0, 0.8, -0.6;
  rates << 0.3, 1, 0.5, 1, 0.2, -0.4;
  State start = system.state(0, point, rates);
  return {"pendulums with a spring", std::move(system), std::move(start)};
}

VectorXd random_direction(const System& system, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(system.rates(), [&] { return normal(random); }).normalized();
}

// h sum_i w_i L((1 - s_i) q0 + s_i q1, (q1 - q0)/h)
double discrete_lagrangian(const System& system, Workspace& work, const Quadrature& rule, double h, const VectorXd& q0,
                           const VectorXd& q1) {
  const VectorXd v = (q1 - q0) / h;
  double sum = 0;
  for (const auto& [at, weight] : rule.nodes()) {
    const Energy energy = system.energy(work, 0, (1 - at) * q0 + at * q1, v);
    sum += h * weight * (energy.kinetic - energy.potential);
  }
  return sum;
}

// Unit vectors turn as cos(s) q + sin(s) e, matrices as R exp(s a^), so an action that is quadratic in q has the form
// a0 + a1 cos s + b1 sin s + a2 cos 2s + b2 sin 2s along the way: its derivative b1 + 2 b2 follows from four values.
template <class Action>
double derivative_along_turns(const Action& action) {
  const double quarter = (action(pi / 2) - action(-pi / 2)) / 2, eighth = (action(pi / 4) - action(-pi / 4)) / 2;
  return quarter + 2 * (eighth - quarter / std::numbers::sqrt2);
}

class DiscreteAction : public testing::TestWithParam<Quadrature> {};
INSTANTIATE_TEST_SUITE_P(Rules, DiscreteAction, testing::ValuesIn(quadratures),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST_P(DiscreteAction, OfAVariationalRunIsStationary) {
  for (const Example& example : {pendulums_with_a_spring(), body_pendulum()}) {
    const System& system = example.system;
    const double h = 0.02;
    const auto states =
        integrate(system, example.start, Variational{.step = h, .rule = GetParam()}, {.t = example.start.t + 20 * h})
            .states;
    Workspace work(system);
    VectorXd v(system.ambient()), moved(system.ambient());
    for (std::size_t k = 1; k + 1 < states.size(); ++k) {
      const Eigen::Index factor =
          static_cast<Eigen::Index>(k) % (system.rates() / 3);  // one of them turns, by an angle
      VectorXd turn = VectorXd::Zero(system.rates());
      turn.segment<3>(3 * factor) = random_direction(system, static_cast<unsigned>(k)).segment<3>(3 * factor);
      const VectorXd tangent = system.state(0, states[k].q, turn).v;
      const double turns_by = system.ambient() == 9 ? tangent.norm() / std::numbers::sqrt2 : tangent.norm();
      double size = 0;
      const double rate = derivative_along_turns([&](double angle) {
        system.space().exponential(states[k].q, angle / turns_by * tangent, moved);
        const double before = discrete_lagrangian(system, work, GetParam(), h, states[k - 1].q, moved);
        const double after = discrete_lagrangian(system, work, GetParam(), h, moved, states[k + 1].q);
        size = std::max({size, std::abs(before), std::abs(after)});
        return before + after;
      });
      EXPECT_LT(std::abs(rate), 1e-13 * size) << example.name << ", step " << k;
    }
  }
}

// The integral of dL/dq dq + dL/dv dq' along variations dq = f(t) (a x q), f = sin^8: smooth at the ends, so that the
// trapezoidal rule has all digits.
TEST(Action, OfAMotionIsStationary) {
  const Example example = pendulums_with_a_spring();
  const System& system = example.system;
  const double duration = 2;
  constexpr int intervals = 400;
  const auto states = integrate(system, example.start, Gauss{.step = duration / intervals, .order = 16},
                                {.t = example.start.t + duration})
                          .states;
  ASSERT_EQ(states.size(), intervals + 1u);
  Workspace work(system);
  VectorXd p(6), force(6);
  for (const unsigned seed : {1u, 2u, 3u}) {
    const VectorXd axes = random_direction(system, seed);
    double sum = 0, size = 0;
    for (const State& state : states) {
      const double angle = pi * (state.t - example.start.t) / duration;
      const double f = std::pow(std::sin(angle), 8),
                   rate = 8 * std::pow(std::sin(angle), 7) * std::cos(angle) * pi / duration;
      system.momentum(work, state.t, state.q, state.v, p);
      system.force(work, state.t, state.q, state.v, force);
      for (Eigen::Index i = 0; i < 6; i += 3) {
        const Eigen::Vector3d axis = axes.segment<3>(i), q = state.q.segment<3>(i), v = state.v.segment<3>(i);
        const double by_point = f * force.segment<3>(i).dot(axis.cross(q));
        const double by_velocity = p.segment<3>(i).dot(rate * axis.cross(q) + f * axis.cross(v));
        sum += by_point + by_velocity;
        size += std::abs(by_point) + std::abs(by_velocity);
      }
    }
    EXPECT_LT(std::abs(sum), 1e-13 * size) << seed;
  }
}

}  // namespace
}  // namespace hamel::test
