// Controllability, regulators and filters: by hand, by the paper on the chain on a cart, by SciPy (control_cases.py).
#include "hamel/analyze/control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/factors.hpp"
#include "message.hpp"

namespace hamel::test::control_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double g = 9.81;

State at_rest(const VectorXd& q) { return {0, q, VectorXd::Zero(q.size())}; }

double slowest(const VectorXcd& spectrum) { return spectrum.real().maxCoeff(); }

Model double_integrator() {
  Model model("double integrator");
  const Formula x = model.coordinate("x", Rn(1));
  model.kinetic(squared_norm(rate(x)) / 2);
  model.force_on(x, model.input("u"));
  return model;
}

TEST(Regulators, OfADoubleIntegrator) {
  const LinearModel linear = linearize(derive(double_integrator()), at_rest(VectorXd::Zero(1)));
  const Reach reach = controllability(linear);
  EXPECT_EQ(reach.reached, 2);
  EXPECT_TRUE(reach.complete());
  EXPECT_NEAR(reach.margin, 1, 1e-14);
  const Regulator regulator = lqr(linear);
  EXPECT_NEAR(regulator.gains.at(0).point(0), 1, 1e-13);
  EXPECT_NEAR(regulator.gains.at(0).rate(0), std::sqrt(3), 1e-13);
  EXPECT_LE(regulator.residual, 1e-14);
  const Regulator weighed = lqr(linear, {.states = {{"x", 16.0}, {"x'", 0.0}}, .inputs = {{"u", 4.0}}});
  EXPECT_NEAR(weighed.gains[0].point(0), 2, 1e-13);
  EXPECT_NEAR(weighed.gains[0].rate(0), 2, 1e-13);
}

// White noise of the force and of a measured place: L = (sqrt(2), 1), mirrored from the regulator without x'.
TEST(Filters, OfADoubleIntegrator) {
  const Model model = double_integrator();
  const LinearModel linear = linearize(derive(model), at_rest(VectorXd::Zero(1)));
  const Measurements place = measurements(linear, {{"place", model.coordinate(0)}});
  EXPECT_TRUE(observability(linear, place).complete());
  const Filter filter = kalman(linear, place);
  EXPECT_NEAR(filter.gain(0), std::sqrt(2), 1e-13);
  EXPECT_NEAR(filter.gain(1), 1, 1e-13);
  EXPECT_NEAR(slowest(filter.spectrum), -std::sqrt(0.5), 1e-13);
  const Filter noisy = kalman(linear, place, {.states = {{"x'", 16.0}}, .inputs = {{"place", 4.0}}});
  EXPECT_NEAR(noisy.gain(1), 2, 1e-13);

  const Measurements speed = measurements(linear, {{"speed", rate(model.coordinate(0))}});
  const Reach seen = observability(linear, speed);
  EXPECT_EQ(seen.reached, 1);
  EXPECT_LE(seen.margin, 1e-14);
  EXPECT_FALSE(seen.stabilizable);
  ASSERT_EQ(seen.hidden.size(), 1U);
  EXPECT_EQ(seen.hidden[0].words, std::vector<std::string>{"x"});
  EXPECT_EQ(message_of<std::domain_error>([&] { kalman(linear, speed); }),
            "not detectable: no measurement shows x (eigenvalue 0), which does not come to rest by itself; measure it");
}

// Pendulums beside each other on a cart that a force moves.
Model pendulums_on_a_cart(double second_length) {
  Model model("two pendulums on a cart");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinates<S2>("q", 2);
  const Formula cart = Formula::vector({x[0], x[1], 0.0});
  model.kinetic(squared_norm(rate(x)) / 2);
  for (const auto& [k, l] : {std::pair(0, 0.5), {1, second_length}}) {
    const Formula bob = cart + l * q[static_cast<std::size_t>(k)];
    model.kinetic(0.1 * squared_norm(rate(bob)) / 2);
    model.potential(0.1 * g * bob.z());
  }
  model.force_on(x, model.input("u", 2));
  return model;
}
VectorXd on_a_cart(double first, double second) {
  VectorXd q = VectorXd::Zero(8);
  q(4) = first;
  q(7) = second;
  return q;
}

TEST(Controllability, OfTwoEqualPendulumsLacksTheirDifference) {
  const System system = derive(pendulums_on_a_cart(0.5));
  for (const double side : {-1.0, 1.0}) {
    const LinearModel linear = linearize(system, at_rest(on_a_cart(side, side)));
    const Reach reach = controllability(linear);
    EXPECT_EQ(reach.states, 12);
    EXPECT_EQ(reach.reached, 8);
    EXPECT_LE(reach.margin, 1e-13);
    EXPECT_FALSE(reach.stabilizable);
    EXPECT_NEAR(std::abs(reach.weakest), std::sqrt(g / 0.5), 1e-9);
    int states = 0;
    for (const HiddenDirection& hidden : reach.hidden) {
      states += hidden.states;
      const Complex rate = side < 0 ? Complex(0, std::sqrt(g / 0.5)) : std::sqrt(g / 0.5);
      EXPECT_LE(std::min(std::abs(hidden.eigenvalue - rate), std::abs(hidden.eigenvalue + rate)), 1e-9);
      EXPECT_EQ(hidden.words, (std::vector<std::string>{"q[0].x - q[1].x", "q[0].y - q[1].y"}));
    }
    EXPECT_EQ(states, 4);
    const std::string why = message_of<std::domain_error>([&] { lqr(linear); });
    EXPECT_NE(why.find("no input moves q[0].x - q[1].x; q[0].y - q[1].y"), std::string::npos) << why;
  }
}

TEST(Controllability, OfPendulumsThatDiffer) {
  const System equal = derive(pendulums_on_a_cart(0.5)), other = derive(pendulums_on_a_cart(0.3));
  EXPECT_TRUE(controllability(linearize(equal, at_rest(on_a_cart(1, -1)))).complete());
  const Reach reach = controllability(linearize(other, at_rest(on_a_cart(-1, -1))));
  EXPECT_TRUE(reach.complete());
  EXPECT_TRUE(reach.hidden.empty());
  EXPECT_GT(reach.margin, 0.01);
  const Model model = pendulums_on_a_cart(0.5);
  const LinearModel hanging = linearize(equal, at_rest(on_a_cart(-1, -1)));
  EXPECT_EQ(observability(hanging, measurements(hanging, {{"cart", model.coordinate(0)}})).reached, 8);
  EXPECT_EQ(observability(hanging, measurements(hanging, {{"first", model.coordinate(1)}})).reached, 8);
  EXPECT_TRUE(
      observability(hanging, measurements(hanging, {{"cart", model.coordinate(0)}, {"first", model.coordinate(1)}}))
          .complete());
}

// Lee, Leok, McClamroch: Dynamics and Control of a Chain Pendulum on a Cart, section V; z points down.
constexpr int links = 5;
Model chain_on_a_cart(double unit = 1) {  // of length
  Model model("chain on a cart");
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinates<S2>("q", links);
  model.kinetic(0.5 / 2 * squared_norm(rate(x)));
  Formula p = Formula::vector({x[0], x[1], 0.0});
  for (const Formula& link : q) {
    p = p + 0.1 / unit * link;
    model.kinetic(0.1 / 2 * squared_norm(rate(p)));
    model.potential(-0.1 * g / unit * p.z());
  }
  model.force_on(x, model.input("u", 2));
  return model;
}
LinearModel linear_chain(const Linearization& linearization, const std::vector<double>& s) {
  VectorXd q = VectorXd::Zero(2 + 3 * links);
  for (int i = 0; i < links; ++i) q(4 + 3 * i) = s[static_cast<std::size_t>(i)];
  return linearization.at(at_rest(q));
}

TEST(Regulators, GainsAndPolesOfThePaper) {
  const Linearization linearization(derive(chain_on_a_cart()));
  const LinearModel hanging = linear_chain(linearization, {1, 1, 1, 1, 1});
  const Regulator regulator = lqr(hanging, {.states = {{"x", 8.0}, {"x'", 8.0}}});
  Matrix2d quarter;
  quarter << 0, 1, -1, 0;
  ASSERT_EQ(regulator.gains.size(), 1U + links);
  EXPECT_LE((regulator.gains[0].point - std::sqrt(8) * Matrix2d::Identity()).norm(), 1e-10);
  for (int i = 1; i <= links; ++i)
    for (const MatrixXd& K :
         {regulator.gains[static_cast<std::size_t>(i)].point, regulator.gains[static_cast<std::size_t>(i)].rate}) {
      EXPECT_LE((K.leftCols(2) - K(0, 1) * quarter).norm(), 1e-8) << "(22) of the paper";
      EXPECT_LE(K.col(2).norm(), 1e-12);
    }
  EXPECT_NEAR(regulator.gains[1].point(0, 1), -46.45642164956608, 1e-8);
  EXPECT_NEAR(slowest(regulator.closed_loop), -1.0778260178, 1e-9);
  EXPECT_LE(regulator.residual, 1e-12);

  const LinearModel folded = linear_chain(linearization, {-1, -1, -1, 1, 1});
  const Regulator other = lqr(folded, {.states = {{"q", 8.0}, {"q'", 8.0}}});
  EXPECT_LE((other.gains[0].point + Matrix2d::Identity()).norm(), 1e-9) << "k_x = -1, a negative feedback";
  EXPECT_NEAR(slowest(other.closed_loop), -0.771, 5e-4);
}

TEST(Controllability, OfAllEquilibriaOfTheChain) {
  const Linearization metres(derive(chain_on_a_cart())), millimetres(derive(chain_on_a_cart(1e-3)));
  double hardest = 1;
  for (unsigned pattern = 0; pattern < 1U << links; ++pattern) {
    std::vector<double> s;
    for (int i = 0; i < links; ++i) s.push_back((pattern >> i & 1U) != 0 ? 1 : -1);
    const Reach reach = controllability(linear_chain(metres, s));
    EXPECT_TRUE(reach.complete()) << pattern;
    EXPECT_EQ(reach.states, 24);
    hardest = std::min(hardest, reach.margin);
  }
  const std::vector<double> s{1, -1, 1, 1, -1};
  EXPECT_NEAR(controllability(linear_chain(millimetres, s)).margin, controllability(linear_chain(metres, s)).margin,
              1e-9);
  EXPECT_NEAR(hardest, 0.0018627010352113846, 1e-9) << "by NumPy";
}

// A quadrotor that hovers: 12 zeros, blocks of four. Its thrust turns with it.
TEST(Controllability, OfAQuadrotor) {
  Model model("quadrotor");
  const auto G = model.coordinate<SE3>("G");
  const MatrixXd J = Vector3d(0.01, 0.012, 0.02).asDiagonal();
  const Formula centre =
      model.body("frame", {.attitude = rotation(G), .position = position(G), .mass = 0.7, .inertia = J});
  model.potential(0.7 * g * centre.z());
  model.force(centre, model.input("thrust") * (rotation(G) * unit_vector(2)));
  model.torque(G, Formula::vector({model.input("roll"), model.input("pitch"), model.input("yaw")}));
  const System system = derive(model);
  VectorXd pose = VectorXd::Zero(12);
  pose(0) = pose(4) = pose(8) = 1;
  const LinearModel linear = linearize(system, at_rest(pose), Eigen::Vector4d(0.7 * g, 0, 0, 0));
  const Reach reach = controllability(linear);
  EXPECT_EQ(reach.reached, 12);
  EXPECT_EQ(reach.states, 12);
  EXPECT_GT(reach.margin, 1e-4);
  const Regulator regulator = lqr(linear);
  EXPECT_LT(slowest(regulator.closed_loop), -0.1);
  EXPECT_EQ(regulator.gains.at(0).point.cols(), 6);

  // The regulator as a law of the model: the same linear model, closed.
  const Formula law = feedback(model, linear, regulator);
  for (int k = 0; k < 4; ++k) model.law(model.input_symbol(static_cast<std::size_t>(k)), law[k]);
  const auto [A, B] = linear.first_order();
  const MatrixXd expected = A - B * regulator.gain;
  EXPECT_LE((linearize(derive(model), at_rest(pose)).first_order().A - expected).norm(), 1e-9 * expected.norm());

  // Without the motor for it the yaw stays as it is; all else is regulated.
  LinearModel without = linear;
  without.B = linear.B.leftCols(3);
  auto fewer = std::make_shared<Model>("quadrotor");
  fewer->coordinate<SE3>("G");
  for (const char* name : {"thrust", "roll", "pitch"}) fewer->input(name);
  without.at.model = fewer;
  const Reach less = controllability(without);
  EXPECT_EQ(less.reached, 10);
  EXPECT_FALSE(less.stabilizable);
  ASSERT_EQ(less.hidden.size(), 1U);
  EXPECT_EQ(less.hidden[0].states, 2);
  EXPECT_EQ(less.hidden[0].words, std::vector<std::string>{"G about b3"});
  EXPECT_THROW(lqr(without), std::domain_error);
  const Regulator rest = lqr(without, {}, {.leave_out = true});
  ASSERT_EQ(rest.left_out.size(), 1U);
  EXPECT_EQ(rest.left_out[0].words, std::vector<std::string>{"G about b3"});
  EXPECT_EQ(rest.closed_loop.size(), 10);
  EXPECT_LE(rest.gains[0].point.col(2).norm(), 1e-9);
}

TEST(Regulators, WithoutAWeight) {
  const LinearModel linear = linearize(derive(double_integrator()), at_rest(VectorXd::Zero(1)));
  const Weights speed_only{.states = {{"x", 0.0}}};
  EXPECT_EQ(message_of<std::domain_error>([&] { lqr(linear, speed_only); }),
            "the weights do not see x (eigenvalue 0), which neither grows nor decays: no optimal feedback stops it; "
            "leave it out of the regulator, or give it a weight");
  const Regulator regulator = lqr(linear, speed_only, {.leave_out = true});
  EXPECT_NEAR(regulator.gains[0].point(0), 0, 1e-14);
  EXPECT_NEAR(regulator.gains[0].rate(0), 1, 1e-14);
}

Model pole_on_a_cart() {
  Model model("pole on a cart");
  const auto x = model.coordinate("x", Rn(1));
  const auto q = model.coordinate<S1>("q");
  const Formula bob = Formula::vector({x + 0.1 * q[0], 0.1 * q[1]});
  model.kinetic(0.5 / 2 * squared_norm(rate(x)) + 0.1 / 2 * squared_norm(rate(bob)));
  model.potential(0.1 * g * bob[1]);
  model.force_on(x, model.input("u"));
  return model;
}

// A turn of q by an angle moves the bob against x.
TEST(Regulators, Sampled) {
  const LinearModel linear = linearize(derive(pole_on_a_cart()), at_rest(Vector3d(0, 0, 1)));
  const Weights weights{.states = {{"q", 8.0}, {"q'", 8.0}}};
  const Regulator held = lqr(linear, weights, {.sample = 0.02});
  const Eigen::Vector4d scipy(-0.5803126105093662, 13.420131501170411, -1.1082098126184012, 2.067617630710146);
  const Eigen::Vector4d found(held.gains[0].point(0), held.gains[1].point(0), held.gains[0].rate(0),
                              held.gains[1].rate(0));
  EXPECT_LE((found - scipy).norm(), 1e-9 * scipy.norm()) << found.transpose();
  EXPECT_LT(held.closed_loop.cwiseAbs().maxCoeff(), 1);
  const MatrixXd continuous = lqr(linear, weights).gain;
  const double h = 1e-4, off = (lqr(linear, weights, {.sample = h}).gain - continuous).norm(),
               twice = (lqr(linear, weights, {.sample = 2 * h}).gain - continuous).norm();
  EXPECT_NEAR(twice / off, 2, 0.01) << "first order in the interval";
}

TEST(Regulators, Refusals) {
  const LinearModel linear = linearize(derive(pole_on_a_cart()), at_rest(Vector3d(0, 0, 1)));
  const auto why = [&](const Weights& weights) {
    return message_of<std::invalid_argument>([&] { lqr(linear, weights); });
  };
  EXPECT_EQ(why({.states = {{"y", 1.0}}}),
            "there is no coordinate or rate called y that a weight could belong to; there are x, q, x', q'");
  EXPECT_EQ(why({.inputs = {{"x", 1.0}}}), "there is no input called x that a weight could belong to; there are u");
  EXPECT_EQ(why({.states = {{"x", VectorXd::Ones(3)}}}),
            "the weight of x has 3 numbers; x has 1 component: give one number, or one for each");
  EXPECT_EQ(why({.inputs = {{"u", -1.0}}}),
            "the weight R of the inputs is not positive definite: its smallest eigenvalue is -1");
  EXPECT_NE(why({.states = {{"x", -1.0}}}).find("Q of the states is not positive semidefinite"), std::string::npos);
  EXPECT_NE(message_of([&] { lqr(linear, {}, {.sample = -1}); }).find("it is -1"), std::string::npos);
  Model free("free");
  const auto x = free.coordinate("x", Rn(1));
  free.kinetic(squared_norm(rate(x)));
  EXPECT_NE(message_of([&] { lqr(linearize(derive(free), at_rest(VectorXd::Zero(1)))); }).find("no inputs"),
            std::string::npos);
}

// Not the system is to blame, nor a matrix that is no weight.
TEST(Regulators, OfWeightsThatAreTooFarApartAreRefused) {
  Model model("cart");
  const Formula x = model.coordinate("x", Rn(1)), q = model.coordinate<S1>("q"), u = model.input("u");
  model.kinetic(0.5 * squared_norm(rate(x)) +
                0.05 * squared_norm(Formula::vector({rate(x) + 0.5 * rate(q).x(), 0.5 * rate(q).y()})));
  model.potential(0.4905 * q.y());
  model.force_on(x, u);
  const LinearModel linear = linearize(derive(model), {0, Eigen::Vector3d(0, 0, 1), VectorXd::Zero(3)});
  for (const double weight : {1e-300, 1e-40, 1e40, 1e300}) {
    const std::string message = message_of<std::domain_error>([&] {
      lqr(linear, {.states = {}, .inputs = {{"u", weight}}});
    });
    EXPECT_NE(message.find("too far apart"), std::string::npos) << weight << ": " << message;
  }
  EXPECT_NE(message_of<std::domain_error>([&] { lqr(linear, {}, {.sample = 1e9}); }).find("take shorter samples"),
            std::string::npos);
}

}  // namespace
}  // namespace hamel::test::control_test
