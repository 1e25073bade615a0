// Every printed equation holds along the motion that the engine computes.
#include "textbook/balance.hpp"

#include "hamel/manifold/embedded.hpp"
#include "hamel/manifold/rn.hpp"
#include "textbook/examples.hpp"

namespace hamel::test {
namespace {

TEST(Balance, HoldsInAllForms) {
  for (const auto example : unconstrained_examples()) expect_balance(example());
}

TEST(Balance, HoldsOnAHypersphere) {
  expect_balance(point_on_hypersphere(), Form::velocity);
  expect_balance(point_on_hypersphere(), Form::mu);
}

TEST(Balance, HoldsForAHamiltonian) {
  expect_balance(by_hamiltonian(), Form::mu);
  expect_balance(by_hamiltonian(), Form::pi);
}

TEST(Balance, HoldsWithAConstraint) {
  const Model model = slider_crank();
  const System system = derive(model);
  const double angle = 0.7, x = std::cos(angle), y = std::sin(angle), arm = std::sqrt(4 - y * y);
  const State state{0.4, Eigen::Vector3d(x, y, x + arm), Eigen::Vector3d(-y, x, -y - y * x / arm)};
  system.check(state);
  for (const Form form : all_forms) Balance(system, form).expect(textbook_equations(model, form), state);
}

TEST(Balance, HoldsWithAVectorConstraint) {
  const Model model = closed_loop();
  const System system = derive(model);
  Random random(5);
  const Manifold sphere = model.coordinates()[0].space;
  State state{0, VectorXd(9), VectorXd(9)};
  for (const int k : {0, 3}) {
    state.q.segment(k, 3) = sphere.random_point(random);
    state.v.segment(k, 3) = sphere.random_tangent(state.q.segment(k, 3), random);
  }
  state.q.tail(3) = state.q.head(3) + state.q.segment(3, 3);
  state.v.tail(3) = state.v.head(3) + state.v.segment(3, 3);
  system.check(state);
  for (const Form form : all_forms) Balance(system, form).expect(textbook_equations(model, form), state);
}

TEST(Balance, NoticesAWrongEquation) {
  const Model model = spherical_pendulum();
  const System system = derive(model);
  TextbookEquations set = textbook_equations(model, Form::omega);
  set.dynamics[0].right = -set.dynamics[0].right;
  Random random(3);
  const VectorXd q = system.space().random_point(random);
  const FormulaValues values =
      Balance(system, Form::omega).values(set, {0, q, system.space().random_tangent(q, random)});
  const auto& [left, right] = set.dynamics[0];
  EXPECT_GT((evaluate(left, values) - evaluate(right, values)).norm(), 1e-3);
}

TEST(Balance, WithoutAVectorFormThereAreComponents) {
  const Embedded ellipsoid(
      3, [](const VectorXe& x) { return VectorXe::Constant(1, x.squaredNorm() + x(0) * x(0) - 1.0); }, "ellipsoid");
  Model model("particle on an ellipsoid");
  const auto x = model.coordinate("x", ellipsoid);
  model.kinetic(0.5 * squared_norm(rate(x)));
  const TextbookEquations set = textbook_equations(model, Form::velocity);
  ASSERT_TRUE(set.components.has_value());
  EXPECT_EQ(set.reason, "x is on ellipsoid, which has no vector form here");
  EXPECT_NE(print(set).find("x''.x"), std::string::npos);
  EXPECT_EQ(lines(set).size(), 1U);
}

TEST(Balance, LongChainsAreOnlyLong) { expect_balance(chain(14), Form::omega, 1); }

std::string refusal(const Model& model) {
  try {
    textbook_equations(model, Form::omega);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Balance, EndlessFormulasAreRefused) {
  Model model("sum", 1);
  const auto x = model.coordinate("x", Rn(1));
  model.kinetic(rate(x) * rate(x));
  Formula potential = x;
  for (int k = 0; k < 3000; ++k) potential = potential + x;
  model.potential(potential);
  EXPECT_EQ(
      refusal(model),
      "the equations of sum have formulas nested more than 2000 deep, which no one would read; ask for those of a "
      "smaller system of its kind");
}

TEST(Balance, ChainsThatAreTooLongAreRefused) {
  EXPECT_EQ(
      refusal(chain(80)),
      "the equations of chain have 80 coordinates, which no one would read; ask for those of a smaller system of its "
      "kind");
}

}  // namespace
}  // namespace hamel::test
