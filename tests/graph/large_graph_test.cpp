// A million nodes, very deep and very wide: linear time, and no recursion on depth.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/print.hpp"

namespace hamel {
namespace {

class LargeGraphTest : public testing::Test {
 protected:
  // Generous, since the machine may be busy: quadratic cost would take hours.
  void TearDown() override {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    EXPECT_LT(passed.count(), 60);
  }

  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  Graph graph;
  Graph::Scope scope{graph};
};

TEST_F(LargeGraphTest, DeepChain) {
  constexpr int depth = 300'000;
  const Expr x = graph.variable("x"), c = graph.variable("c");
  const std::vector<Expr> q{x, c}, v{1, 0};
  const std::vector<double> point{0.5, 1e-6};
  Expr f = x;
  double value = point[0], slope = 1;
  for (int i = 0; i < depth; ++i) {
    f = sin(f) * c + f;
    slope *= 1 + std::cos(value) * point[1];
    value += std::sin(value) * point[1];
  }
  EXPECT_GT(graph.size(), 900'000u);
  const std::vector<Expr> derivatives{f, gradient(f, q)[0], directional_derivative({&f, 1}, q, v)[0],
                                      jacobian({&f, 1}, q)[0].value};
  TimeDerivative rate;
  rate.set_rate(x, 1);
  rate(f);
  const std::vector<double> values = evaluate(derivatives, q, point);
  EXPECT_DOUBLE_EQ(values[0], value);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(values[i], slope, 1e-9 * slope);
  EXPECT_EQ(substitute({&f, 1}, {{c.id(), 0}})[0], x);

  const Listing listing = print_shared({&f, 1});
  EXPECT_EQ(listing.shared.size(), static_cast<std::size_t>(depth - 1));
  EXPECT_EQ(listing.shared[1], (std::pair<std::string, std::string>("s2", "s1 + sin(s1)*c")));
}

TEST_F(LargeGraphTest, DeepTreePrints) {
  Expr f = graph.variable("x");
  for (int i = 0; i < 300'000; ++i) f = sin(f);
  const std::string formula = print(f);
  EXPECT_EQ(formula.size(), 300'000u * 5 + 1);
  EXPECT_EQ(formula.substr(0, 8), "sin(sin(");
  EXPECT_EQ(print_shared({&f, 1}).shared.size(), 300'000u / 101);
}

TEST_F(LargeGraphTest, WideSum) {
  constexpr std::size_t n = 100'000;
  const std::vector<Expr> x = graph.variables("x", n);
  Expr energy;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Expr stretch = x[i + 1] - x[i];
    energy += stretch * stretch * cos(x[i]) + sin(stretch);
  }
  EXPECT_EQ(hessian(energy, x).size(), 3 * n - 2);
  EXPECT_FALSE(print_shared({&energy, 1}).formulas[0].empty());
}

TEST_F(LargeGraphTest, ManyRowsOfFewVariables) {
  constexpr std::size_t n = 100'000;
  const Expr x = graph.variable("x");
  std::vector<Expr> rows;
  Expr f = x;
  for (std::size_t i = 0; i < n; ++i) rows.push_back(f = sin(f));
  EXPECT_EQ(jacobian(rows, {&x, 1}).size(), n);
}

TEST_F(LargeGraphTest, ManySmallQuestionsOfABigGraph) {
  constexpr std::size_t n = 100'000;
  const std::vector<Expr> x = graph.variables("x", n);
  for (std::size_t i = 0; i < n; ++i) {
    const Expr f = sin(x[i]);
    EXPECT_EQ(gradient(f, {&x[i], 1})[0], cos(x[i]));
  }
}

}  // namespace
}  // namespace hamel
