// Long chains of points that are built one on the other: linear time, and no recursion.

#include "model/numbers.hpp"

namespace hamel {
namespace {

TEST(Chain, LowersToALinearNumberOfNodes) {
  constexpr int links = 20000;
  Model model("chain");
  const Formula m = model.parameter("m", 1.0), l = model.parameter("l", 0.1), g = model.parameter("g", 9.81);
  const auto q = model.coordinates<S2>("q", links);
  Formula x = Eigen::Vector3d::Zero(), kinetic = 0.0;
  for (int i = 0; i < links; ++i) {
    x = x + l * q[static_cast<std::size_t>(i)];
    kinetic = kinetic + m / 2 * squared_norm(rate(x));
    model.potential(m * g * x.z());
  }
  model.kinetic(kinetic);
  model.constraint("end", x - unit_vector(0));
  Graph graph;
  const Graph::Scope scope(graph);
  const LoweredModel lowered = lower(model);
  EXPECT_EQ(lowered.kinetic.size(), static_cast<std::size_t>(links));
  EXPECT_EQ(lowered.potential.size(), static_cast<std::size_t>(links));
  EXPECT_EQ(lowered.constraints.size(), 3U);
  EXPECT_LT(graph.size(), 60U * links);
}

TEST(Chain, OfScalarsIsNotTakenApart) {
  constexpr int links = 20000;
  Model model("stack");
  const Formula m = model.parameter("m", 1.0);
  const auto s = model.coordinates("s", Rn(1), links);
  Formula height = 0.0;
  for (const Formula& length : s) {
    height = height + length;
    model.kinetic(m / 2 * pow(rate(height), 2));
    model.potential(m * height);
    model.force(height, m * height);
  }
  Graph graph;
  const Graph::Scope scope(graph);
  const LoweredModel lowered = lower(model);
  EXPECT_LT(lowered.potential.size(), 2U * links);
}

TEST(Chain, IsReleasedWithoutRecursion) {
  Model model("chain");
  const Formula q = model.coordinate<S2>("q");
  Formula x = q;
  for (int i = 0; i < 1000000; ++i) x = x + q;
  const Formula shared = x;
  x = q;
  EXPECT_EQ(shared.rows(), 3);
  EXPECT_FALSE(shared.quoted().empty());
}

TEST(Chain, ForeignSymbolsAreFoundInIt) {
  Model model("chain"), other("other");
  const Formula q = model.coordinate<S2>("q");
  Formula x = other.coordinate<S2>("p");
  for (int i = 0; i < 100000; ++i) x = x + q;
  EXPECT_EQ(
      message_of([&] { model.potential(x.z()); }),
      "unknown symbol p: it is not a coordinate of model \"chain\"; formulas of one model cannot be used in another");
}

}  // namespace
}  // namespace hamel
