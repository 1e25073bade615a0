// The field of (q, xi) as one program where the mass depends on the configuration: the equations, solved by an
// elimination without pivots, against those that are solved with pivots.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/manifold/factors.hpp"
#include "hamel/manifold/spaces.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"

namespace hamel::test::reduced_motion_test {
namespace {

// Angles as people write them: the mass depends on their difference, and the last one is held by an input.
Model angles(int links) {
  Model model("links by their angles");
  const Formula g = model.parameter("g", 9.81), l = model.parameter("l", 0.8), torque = model.input("torque");
  Formula x = 0.0, y = 0.0;
  for (int k = 0; k < links; ++k) {
    const Formula angle = model.coordinate("a" + std::to_string(k), Rn{1});
    x = x + l * sin(angle);
    y = y - l * cos(angle);
    const double mass = 1 + 0.3 * k;
    model.kinetic(mass / 2 * (rate(x) * rate(x) + rate(y) * rate(y)));
    model.potential(mass * g * y);
    model.force(angle, -0.1 * rate(angle));
    if (k == links - 1) model.force(angle, torque);
  }
  return model;
}

// A body with a mass that slides along one of its axes, and a time that matters.
Model body_with_a_slider() {
  Model model("body with a slider");
  const Formula R = model.coordinate("R", SO3()), s = model.coordinate("s", Rn{1}), q = model.coordinate("q", S2());
  model.body("body", {.attitude = R, .inertia = Formula(MatrixXd(Eigen::Vector3d(1, 2, 2.5).asDiagonal()))});
  const Formula place = R * (s * unit_vector(0) + Formula(Eigen::Vector3d(0, 0.2, 0.1))), tip = place + 0.5 * q;
  model.kinetic(0.4 * squared_norm(rate(place)) + 0.2 * (1 + s * s) * squared_norm(rate(tip)));
  model.potential(2 * s * s + 9.81 * 0.4 * place.z() + sin(model.time()) * tip.x());
  return model;
}

struct Rates {
  VectorXd by_program, by_pivots;
};

Rates rates_of(const System& system, const State& state, In u) {
  Field field(system, Form::omega);
  EXPECT_EQ(field.programs(), std::vector<const Program*>{&motion(system).program()});
  Workspace w(system), other(system);
  w.u = other.u = u;
  const VectorXd y = field.pack(w, state);
  Rates result{VectorXd(y.size()), VectorXd(y.size())};
  field(w, state.t, y, result.by_program);
  VectorXd a(system.ambient()), xi_rate(system.rates());
  system.acceleration(other, state.t, state.q, state.v, a);
  system.space().rates_of_acceleration(state.q, state.v, a, xi_rate);
  result.by_pivots << state.v, xi_rate;
  return result;
}

State random_state(const System& system, Random& random) {
  const VectorXd q = system.space().random_point(random);
  return {0.7, q, system.space().random_tangent(q, random)};
}

TEST(ReducedMotion, IsThatOfTheAcceleration) {
  Random random(3);
  for (const Model& model : {angles(1), angles(2), angles(6), body_with_a_slider()}) {
    const System system = derive(model, {.path = Path::reduced});
    ASSERT_FALSE(motion(system).empty()) << model.name();
    for (int k = 0; k < 20; ++k) {
      const auto [found, expected] =
          rates_of(system, random_state(system, random), VectorXd::Constant(system.inputs(), 0.3));
      EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm()) << model.name();
    }
  }
}

TEST(ReducedMotion, FollowsParameters) {
  Random random(4);
  const System system = derive(angles(2));
  (void)motion(system);
  const System other = system.with({{"g", 1.62}, {"l", 2.0}});
  const State state = random_state(system, random);
  const auto [found, expected] = rates_of(other, state, VectorXd::Zero(1));
  EXPECT_LT((found - expected).norm(), 1e-11 * expected.norm());
}

// The inertia of y is y: a program without pivots leaves negative ones alone, and a vanishing one has no acceleration.
System of_signed_inertia() {
  Model model("signed inertia");
  const Formula x = model.coordinate("x", Rn{1}), y = model.coordinate("y", Rn{1});
  model.lagrangian((rate(x) * rate(x) + y * rate(y) * rate(y)) / 2 + 0.1 * rate(x) * rate(y) - x * y);
  return derive(model);
}

TEST(ReducedMotion, LeavesWhatNeedsPivotsToThose) {
  const System system = of_signed_inertia();
  ASSERT_FALSE(motion(system).empty());
  const auto at = [](double y) { return State{0, Eigen::Vector2d(0.4, y), Eigen::Vector2d(0.3, -0.2)}; };
  for (const double y : {2.0, 0.02, 0.0100000001, -0.5, -3.0}) {
    const auto [found, expected] = rates_of(system, at(y), VectorXd());
    EXPECT_LT((found - expected).norm(), 1e-7 * expected.norm()) << y;
    if (y < 0.011) {
      EXPECT_EQ(found, expected) << y;
    }
  }
  Field field(system, Form::omega);
  Workspace w(system);
  VectorXd rate(4);
  EXPECT_THROW(field(w, 0, Eigen::Vector4d(0.4, 0.01, 0.3, -0.2), rate), std::runtime_error);
}

// Among many states, interpreted and native, also where they are replaced by their rates.
TEST(ReducedMotion, OfColumnsHasTheBitsOfEach) {
  const System system = of_signed_inertia();
  Workspace w(system);
  constexpr int count = 37;
  Field::Columns y(4, count);
  for (int k = 0; k < count; ++k) y.col(k) << 0.1 * k, k % 5 == 3 ? -0.2 * k : 0.3 + k, std::sin(k), std::cos(k);
  for (const double runs : {0.0, 1e12}) {
    Field field(system, Form::omega);
    field.compile_columns(runs);
    Field::Columns rates(4, count), in_place = y;
    field.of_columns(w, 0, y, rates);
    field.of_columns(w, 0, in_place, in_place);
    for (int k = 0; k < count; ++k) {
      VectorXd one(4);
      field(w, 0, VectorXd(y.col(k)), one);
      EXPECT_EQ(VectorXd(rates.col(k)), one) << k;
      EXPECT_EQ(VectorXd(in_place.col(k)), one) << k;
    }
  }
}

// A light coordinate that carries a heavy one leaves nothing of its own: fewer digits than with pivots are not given.
TEST(ReducedMotion, LosesNoMoreDigitsThanItSays) {
  for (const double light : {1e-3, 1e-7, 1e-9, 1e-11}) {
    Model model("carried");
    const Formula x = model.coordinate("x", Rn{1}), y = model.coordinate("y", Rn{1});
    const Formula both = rate(x) + rate(y);
    model.kinetic((2 + sin(x)) / 2 * both * both + light / 2 * rate(y) * rate(y));
    model.potential(x * x + y);
    const System system = derive(model);
    EXPECT_EQ(motion(system).empty(), light < 1e-8) << light;
    if (light < 1e-8) continue;
    const State state{0, Eigen::Vector2d(0.4, 0.2), Eigen::Vector2d(0.3, -0.2)};
    const auto [found, expected] = rates_of(system, state, VectorXd());
    EXPECT_LT((found - expected).norm(), 1e-15 / light * expected.norm()) << light;
  }
}

TEST(ReducedMotion, IsThereForSomeAlone) {
  EXPECT_TRUE(motion(derive(angles(25))).empty());  // an elimination of that size is long
  Model crank = angles(3);
  crank.constraint("closed", cos(crank.coordinate(0)) + cos(crank.coordinate(1)) + cos(crank.coordinate(2)) - 1.0);
  EXPECT_TRUE(motion(derive(crank)).empty());
  Model hamiltonian("given by a Hamiltonian");
  const Formula q = hamiltonian.coordinate("q", Rn{2});
  hamiltonian.hamiltonian(squared_norm(hamiltonian.momentum(q)) / 2 + squared_norm(q));
  EXPECT_TRUE(motion(derive(hamiltonian)).empty());
  Model indefinite("indefinite");
  const Formula x = indefinite.coordinate("x", Rn{1}), y = indefinite.coordinate("y", Rn{1});
  indefinite.lagrangian((1 + x * x) * (rate(x) * rate(x) - rate(y) * rate(y)));
  EXPECT_TRUE(motion(derive(indefinite)).empty());
}

}  // namespace
}  // namespace hamel::test::reduced_motion_test
