#include "hamel/graph/collect.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

std::size_t operations(const std::vector<Expr>& f) {
  std::size_t count = 0;
  for (const auto id : reachable(f)) count += arity(Graph::current().node(id).op) > 0;
  return count;
}

class Collect : public ::testing::Test {
 protected:
  Graph graph;
  Graph::Scope scope{graph};
  Expr a = graph.variable("a"), b = graph.variable("b");
  std::vector<Expr> x = graph.variables("x", 3), y = graph.variables("y", 3);
  std::vector<Expr> constants{a, b};
};

TEST_F(Collect, TakesCommonCoefficientsOutOfADotProduct) {
  Expr sum;
  for (std::size_t i = 0; i < 3; ++i) sum += (x[i] * a) * (y[i] * b);
  Expr dot;
  for (std::size_t i = 0; i < 3; ++i) dot += x[i] * y[i];
  EXPECT_EQ(collect(std::vector{sum}, constants).front(), (a * b) * dot);
}

TEST_F(Collect, AddsCoefficientsOfEqualBodies) {
  EXPECT_EQ(collect(std::vector{a * x[0] + b * x[0]}, constants).front(), (a + b) * x[0]);
  EXPECT_EQ(collect(std::vector{a * x[0] - a * x[0] + x[1]}, constants).front(), x[1]);
}

TEST_F(Collect, TakesOppositeSignsTogether) {
  EXPECT_EQ(collect(std::vector{x[0] / a - x[1] / a}, constants).front(), (Expr(1) / a) * (x[0] - x[1]));
}

TEST_F(Collect, LeavesASharedSumOneNode) {
  const Expr sum = a * x[0] + b * x[1];
  const std::vector<Expr> f = {sin(sum) + sum * x[2], sum - y[0]};
  const auto g = collect(f, constants);
  EXPECT_LE(operations(g), operations(f));
}

TEST_F(Collect, MultipliesOutWhereAsked) {
  // A constant matrix times sums of the same products: the matrix goes into the coefficients.
  const Expr p = x[0] * x[1], q = x[1] * x[2], r = y[0] * y[1];
  const Expr s = a * p + b * q + 2 * r, t = a * q - a * r + b * p;
  const std::vector<Expr> f = {a * s + b * t, b * s - t / a};
  const auto expanded = hoist(collect(f, constants, Expand::sums), constants).outputs;
  EXPECT_LT(operations(expanded), operations(hoist(collect(f, constants), constants).outputs));
}

// M (w cross J w): six monomials, and a constant for each in each row.
TEST_F(Collect, KeepsTheMonomialsOfAQuadraticForm) {
  const std::vector<Expr> w = graph.variables("w", 3), J = graph.variables("J", 9), M = graph.variables("M", 9);
  std::vector<Expr> fixed = J, momentum(3), cross(3), f(3);
  fixed.insert(fixed.end(), M.begin(), M.end());
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) momentum[i] += J[3 * i + j] * w[j];
  for (std::size_t i = 0; i < 3; ++i)
    cross[i] = w[(i + 1) % 3] * momentum[(i + 2) % 3] - w[(i + 2) % 3] * momentum[(i + 1) % 3];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) f[i] += M[3 * i + j] * cross[j];
  EXPECT_EQ(operations(hoist(collect(f, fixed, Expand::products), fixed).outputs), 6u + 3 * (6 + 5));
}

TEST_F(Collect, KeepsALongRecursionLinear) {
  const int n = 2000;
  const auto q = graph.variables("q", n);
  std::vector<Expr> sums = {a * q[0]};
  for (std::size_t i = 1; i < n; ++i) sums.push_back(sums.back() + a * q[i]);
  EXPECT_LE(operations(collect(sums, constants)), operations(sums));
}

TEST_F(Collect, KeepsValues) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.5, 2.0);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Expr> pool = {a, b, x[0], x[1], x[2], y[0], y[1], y[2], Expr(2.0), Expr(-0.5)};
    const auto pick = [&] { return pool[random() % pool.size()]; };
    for (int i = 0; i < 60; ++i) {
      const Expr p = pick(), q = pick();
      switch (random() % 7) {
        case 0:
          pool.push_back(p + q);
          break;
        case 1:
          pool.push_back(p - q);
          break;
        case 2:
          pool.push_back(p * q);
          break;
        case 3:
          pool.push_back(p / (Expr(1.5) + q * q));
          break;
        case 4:
          pool.push_back(-p);
          break;
        case 5:
          pool.push_back(select(less(p, q), p, q * b));
          break;
        default:
          pool.push_back(sin(p) + pow(q / (Expr(2.0) + q * q), 3));
      }
    }
    const std::vector<Expr> f(pool.end() - 20, pool.end());
    std::vector<Expr> variables = {a, b};
    variables.insert(variables.end(), x.begin(), x.end());
    variables.insert(variables.end(), y.begin(), y.end());
    std::vector<double> values;
    for (std::size_t i = 0; i < variables.size(); ++i) values.push_back(uniform(random));
    const auto expected = evaluate(f, variables, values);
    for (const Expand expand : {Expand::nothing, Expand::sums, Expand::products}) {
      const auto actual = evaluate(collect(f, constants, expand), variables, values);
      for (std::size_t i = 0; i < f.size(); ++i) {
        if (!std::isfinite(expected[i]) || std::abs(expected[i]) > 1e12) continue;
        EXPECT_NEAR(actual[i], expected[i], 1e-9 * (1 + std::abs(expected[i])));
      }
    }
  }
}

}  // namespace
}  // namespace hamel
