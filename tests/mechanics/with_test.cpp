// Systems with other parameters.
#include <gtest/gtest.h>

#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/dynamics.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/model/lower.hpp"

namespace hamel::test::with_test {
namespace {

// A pendulum on a cart; the rod is a parameter that follows two others.
Model cart_model(double cart, double bob) {
  Model model("cart");
  const auto M = model.parameter("M", cart), m = model.parameter("m", {bob, 0.1});
  const auto a = model.parameter("a", 0.25), g = model.parameter("g", 9.81);
  const auto l = model.derived_parameter("l", 2 * a);
  const auto x = model.coordinate("x", Rn(1));
  const auto q = model.coordinate<S2>("q");
  const Vec3 place = x * unit_vector(0), end = place + l * q;
  model.kinetic(M / 2 * squared_norm(rate(place)) + m[0] / 2 * squared_norm(rate(end)));
  model.potential(m[0] * g * end.z() + m[1] * squared_norm(x));
  return model;
}

VectorXd acceleration(const System& system) {
  Random random(3);
  const VectorXd q = system.space().random_point(random), v = system.space().random_tangent(q, random);
  Workspace w(system);
  VectorXd a(system.ambient());
  system.acceleration(w, 0, q, v, a);
  return a;
}

double value_named(const Model& model, const std::string& name) {
  for (const Parameter& parameter : model.parameters())
    if (parameter.name == name) return parameter.value(0);
  return NAN;
}

std::string refusal(const System& system, const ParameterValues& values) {
  try {
    static_cast<void>(system.with(values));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TEST(With, DerivesAnewBitByBit) {
  const System system = derive(cart_model(1, 0.3));
  const ParameterValues values{{"m", {0.4, 0.2}}, {"a", 0.3}, {"M", 1.1}};
  const System other = system.with(values), anew = derive(system.model().with(values));
  EXPECT_EQ(acceleration(other), acceleration(anew));
  EXPECT_NE(acceleration(other), acceleration(system));
  EXPECT_EQ(acceleration(other.with({{"m", {0.3, 0.1}}, {"a", 0.25}, {"M", 1.0}})), acceleration(system));
}

TEST(With, SharesAllPrograms) {
  const System system = derive(cart_model(1, 0.3)), other = system.with({{"M", 2.0}});
  const auto first = system.dynamics().motion_programs(), second = other.dynamics().motion_programs();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(&first[i]->tape(), &second[i]->tape());
}

TEST(With, FormulasFollowUnlessTheyAreGivenAValue) {
  const System system = derive(cart_model(1, 0.3));
  EXPECT_EQ(value_named(system.model(), "l"), 0.5);
  EXPECT_EQ(value_named(system.with({{"a", 2.0}}).model(), "l"), 4);
  const System longer = system.with({{"l", 3.0}, {"a", 2.0}});
  EXPECT_EQ(value_named(longer.model(), "l"), 3);
  EXPECT_EQ(value_named(longer.with({{"a", 1.0}}).model(), "l"), 3);
}

TEST(With, TakesElements) {
  const System system = derive(cart_model(1, 0.3));
  EXPECT_EQ(acceleration(system.with({{"m[1]", 0.7}})), acceleration(system.with({{"m", {0.3, 0.7}}})));
}

TEST(With, RefusesWhatIsNoValueOfAParameter) {
  const System system = derive(cart_model(1, 0.3));
  EXPECT_EQ(refusal(system, {{"k", 1.0}}), "cart has no parameter k; there are M, m, a, g, l");
  EXPECT_EQ(refusal(system, {{"m[2]", 1.0}}), "m has no [2]: its indices are 0 to 1");
  EXPECT_EQ(refusal(system, {{"m[0, 1]", 1.0}}), "m has no [0, 1]: its indices are 0 to 1");
  EXPECT_EQ(refusal(system, {{"m", 1.0}}),
            "the parameter m is 2x1, got 1x1: its size cannot change without making the model anew");
  EXPECT_EQ(refusal(system, {{"g", NAN}}), "the value of parameter g must be finite, not nan or inf");
}

// The point x + y takes the place of y, unless that is much heavier.
TEST(With, NoticesWhatWouldBeDecidedOtherwise) {
  Model model("sum");
  const auto m = model.parameter("m", {1.0, 1.0, 1.0});
  const auto x = model.coordinate("x", Rn(2)), y = model.coordinate("y", Rn(2));
  model.kinetic(m[0] / 2 * squared_norm(rate(x)) + m[1] / 2 * squared_norm(rate(y)));
  model.kinetic(m[2] / 2 * squared_norm(rate(x + y)));
  const System system = derive(model);
  ASSERT_EQ(system.path(), Path::constant_mass);
  EXPECT_EQ(refusal(system, {{"m[1]", 15.0}}), "none");
  EXPECT_EQ(refusal(system, {{"m[1]", 17.0}}),
            "with these parameters sum would be derived in another way: other points take the place of coordinates; "
            "derive the model with them anew");
}

TEST(With, NoticesSingularEquations) {
  const System system = derive(cart_model(1, 0.3));
  const std::string message = refusal(system, {{"m", {0.0, 0.1}}});
  EXPECT_TRUE(message.find("anew") != std::string::npos || message.find("no inertia") != std::string::npos) << message;
}

// A body whose centre of mass is at the origin of its frame, and one whose is not: the mass of the first does not
// depend on its attitude, and yet the equations are those of all.
TEST(With, InvariantsHoldForParametersThatWereZero) {
  const auto body = [](double offset) {
    Model model("body");
    const auto m = model.parameter("m", 1.5);
    const auto c = model.parameter("c", {offset, 0.0, 2 * offset});
    const auto J = model.parameter("J", Eigen::Vector3d(1, 1.2, 0.9).asDiagonal().toDenseMatrix());
    const auto G = model.coordinate<SE3>("G");
    model.body("b", {.attitude = rotation(G), .position = position(G), .mass = m, .inertia = J, .center_of_mass = c});
    return derive(model);
  };
  EXPECT_EQ(acceleration(body(0).with({{"c", {0.1, 0.0, 0.2}}})), acceleration(body(0.1)));
  EXPECT_EQ(acceleration(body(0.1).with({{"c", {0.0, 0.0, 0.0}}})), acceleration(body(0)));
}

}  // namespace
}  // namespace hamel::test::with_test
