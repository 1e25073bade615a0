// Parts of states, by name.
#include <gtest/gtest.h>

#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel::test {
namespace {

// A body that turns, on a table, with a weight that hangs from it.
Model body_and_weight() {
  Model model("body_and_weight");
  const Formula R = model.coordinate<SO3>("R"), x = model.coordinate("x", Rn(2)), q = model.coordinate<S2>("q");
  model.kinetic(0.5 * dot(rate(x), rate(x)) + 0.5 * dot(rate(q), rate(q)) + 0.5 * dot(omega(R), omega(R)));
  return model;
}

TEST(PartsOfAState, HaveTheNamesAndShapesOfTheirCoordinates) {
  const System system = derive(body_and_weight());
  VectorXd point(14), rates(8);
  point << 0, 1, 0, -1, 0, 0, 0, 0, 1, 7, 8, 0, 0, 1;
  rates << 0, 0, 2, 3, 4, 5, 0, 0;
  const State state = system.state(0.5, point, rates);
  Eigen::Matrix3d R, R_rate;
  R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  R_rate << -2, 0, 0, 0, -2, 0, 0, 0, 0;  // R hat(Omega)
  EXPECT_EQ(state["R"], R);
  EXPECT_EQ(state["R'"], R_rate);
  EXPECT_EQ(state["x"], Eigen::Vector2d(7, 8));
  EXPECT_EQ(state["x'"], Eigen::Vector2d(3, 4));
  EXPECT_EQ(state["q"], Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(state["q'"], Eigen::Vector3d(0, -5, 0));  // omega x q
}

TEST(PartsOfAState, CanBeTakenApart) {
  const State state{0.5, VectorXd::Constant(2, 3.0), VectorXd::Constant(2, 4.0)};
  const auto& [t, q, v] = state;
  EXPECT_EQ(&t, &state.t);
  EXPECT_EQ(&q, &state.q);
  EXPECT_EQ(&v, &state.v);
  State other = state;
  auto& [t1, q1, v1] = other;
  q1(0) = 7;
  EXPECT_EQ(other.q(0), 7);
  auto [time, point, rate] = State{0.5, state.q, state.v};
  EXPECT_EQ(time, 0.5);
  EXPECT_EQ(point, state.q);
  EXPECT_EQ(rate, state.v);
}

TEST(PartsOfAState, AreRefusedByName) {
  const System system = derive(body_and_weight());
  const State known{0, VectorXd::Zero(14), VectorXd::Zero(14), std::make_shared<Model>(system.model())};
  EXPECT_EQ(message_of([&] { static_cast<void>(known["y"]); }), "body_and_weight has no coordinate y; it has R, x, q");
  EXPECT_EQ(message_of([&] {
              static_cast<void>(State{0, known.q, known.v}["q"]);
            }),
            "this state knows no names, not q either: states that System::state makes, and those of runs, do");
}

}  // namespace
}  // namespace hamel::test
