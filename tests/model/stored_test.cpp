// A model as bytes, and back.
#include "hamel/model/stored.hpp"

#include <gtest/gtest.h>

#include "hamel/manifold/spaces.hpp"

using namespace hamel;

namespace {

Model everything() {
  Model model("everything");
  const Formula m = model.parameter("m", {1.0, 2.0}), g = model.parameter("g", 9.81);
  const Formula weight = model.derived_parameter("weight", m[0] * g);
  const std::vector<Formula> q = model.coordinates<S2>("q", 2);
  const Formula x = model.coordinate("x", Rn(3)), R = model.coordinate("R", SO3());
  const Formula u = model.input("u", 3);
  const Formula end = model.point("end", x + q[0] + 0.5 * q[1]);
  model.kinetic(m[0] / 2 * squared_norm(rate(end)) + m[1] / 2 * (squared_norm(rate(x)) + squared_norm(rate(q[1]))));
  model.body("body", {.attitude = R, .mass = m[0], .inertia = Eigen::Matrix3d::Identity().eval()});
  model.potential(weight * end.z());
  model.force(end, u);
  model.law(u, -x, 0.1);
  model.dissipation(squared_norm(rate(x)) / 2);
  return model;
}

}  // namespace

TEST(StoredModel, comes_back_as_it_was) {
  const Model model = everything(), again = restored(stored(model));
  EXPECT_EQ(stored(again).size(), stored(model).size());
  ASSERT_EQ(again.coordinates().size(), 4U);
  EXPECT_EQ(again.coordinates()[1].name, "q[1]");
  EXPECT_EQ(again.coordinates()[3].space.name(), "SO3");
  EXPECT_EQ(again.parameters()[2].value(0), 9.81);
  ASSERT_TRUE(again.origin(2).formula);
  EXPECT_EQ(again.origin(2).formula->to_string(), model.origin(2).formula->to_string());
  ASSERT_EQ(again.kinetic_terms().size(), model.kinetic_terms().size());
  for (std::size_t k = 0; k < model.kinetic_terms().size(); ++k)
    EXPECT_EQ(again.kinetic_terms()[k].to_string(), model.kinetic_terms()[k].to_string());
  EXPECT_EQ(again.bodies()[0].energy, model.bodies()[0].energy);
  EXPECT_EQ(again.inputs()[0].sample, 0.1);
}

// Its formulas are its own: those of the first model are refused, and its names are taken.
TEST(StoredModel, is_a_model_of_its_own) {
  Model model = everything(), again = restored(stored(model));
  EXPECT_NO_THROW(again.potential(again.coordinate(2).z()));
  EXPECT_THROW(again.potential(model.coordinate(2).z()), std::invalid_argument);
  EXPECT_THROW(again.parameter("g", 1.0), std::invalid_argument);
}

TEST(StoredModel, refuses_what_it_cannot_do) {
  Model model("disc");
  const SmoothMap::Formula map = [](const VectorXe& x) { return VectorXe(x.head(1) - x.tail(1)); };
  model.coordinate("x", Embedded(2, map, "{x in R2 : x.x = x.y}"));
  EXPECT_THROW(stored(model), std::invalid_argument);
  std::string bytes = stored(everything());
  EXPECT_THROW(restored(""), std::invalid_argument);
  EXPECT_THROW(restored(bytes.substr(0, bytes.size() / 2)), std::invalid_argument);
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_THROW(restored(bytes), std::invalid_argument);
}

// A sum of 100,000 terms is as deep as it is long.
TEST(StoredModel, stores_deep_formulas) {
  Model model("deep");
  const Formula x = model.coordinate("x", Rn(1));
  Formula sum = x;
  for (int k = 0; k < 100'000; ++k) sum = sum + x * x;
  model.potential(sum);
  EXPECT_EQ(restored(stored(model)).potential_terms().size(), 1U);
}
