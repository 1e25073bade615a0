#include "hamel/graph/differentiate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace hamel {
namespace {

class DifferentiateTest : public testing::Test {
 protected:
  double at(Expr e, std::vector<double> values) { return evaluate({&e, 1}, q, values)[0]; }

  Graph graph;
  Graph::Scope scope{graph};
  Expr x = graph.variable("x"), y = graph.variable("y");
  std::vector<Expr> q{x, y};
};

TEST_F(DifferentiateTest, GradientsAreSimple) {
  const Expr m = graph.variable("m");
  EXPECT_EQ(gradient(m / 2 * x * x, q)[0], m * x);
  EXPECT_EQ(gradient(m / 2 * (x * x + y * y), q)[1], m * y);
  EXPECT_EQ(gradient(sqrt(x), q)[0], 0.5 / sqrt(x));
  EXPECT_EQ(gradient(tan(x), q)[0], 1 + tan(x) * tan(x));
  EXPECT_EQ(gradient(pow(x, 1.5), q)[0], 1.5 * sqrt(x));
  EXPECT_EQ(gradient(less(x, y), q)[0], Expr());
  EXPECT_EQ(gradient(sin(m), q), std::vector<Expr>(2));
  EXPECT_EQ(gradient(x, q), (std::vector<Expr>{1, 0}));
}

TEST_F(DifferentiateTest, SubgradientsAtKinks) {
  EXPECT_EQ(at(gradient(abs(x), q)[0], {0, 0}), 0);
  EXPECT_EQ(at(gradient(abs(x), q)[0], {-2, 0}), -1);
  const std::vector<Expr> g = gradient(max(x, y), q);
  EXPECT_EQ(at(g[0] + g[1], {3, 3}), 1);
}

// The branch that is not taken has an infinite slope.
TEST_F(DifferentiateTest, BranchesNotTakenDoNotPoison) {
  const Expr guarded = select(less(0, x), sqrt(x) * (1 + sqrt(x)), x * y);
  EXPECT_EQ(at(gradient(guarded, q)[0], {0, 3}), 3);
  EXPECT_EQ(at(gradient(guarded, q)[1], {0, 3}), 0);
  const Expr nested = select(less(x, 1), select(less(0, x), log(x), y), sin(x));
  EXPECT_EQ(at(gradient(sin(nested), q)[0], {0, 0}), 0);
  EXPECT_EQ(at(gradient(sin(nested), q)[1], {0, 0}), 1);
  const Expr sinc = select(less(abs(x), 1e-4), 1 - x * x / 6, sin(x) / x);
  for (const Entry& e : hessian(sinc, q)) EXPECT_NEAR(at(e.value, {0, 0}), -1.0 / 3, 1e-15);
  EXPECT_NEAR(at(gradient(sinc, q)[0], {2, 0}), std::cos(2.0) / 2 - std::sin(2.0) / 4, 1e-15);
}

TEST_F(DifferentiateTest, NodesOtherThanVariablesMayBeIndependent) {
  const Expr u = sin(x);
  const std::vector<Expr> g = gradient(u * u + x, std::vector<Expr>{u, x});
  EXPECT_EQ(g[0], 2 * u);
  EXPECT_EQ(g[1], Expr(1));
}

TEST_F(DifferentiateTest, RefusesBadVariables) {
  EXPECT_THROW(gradient(x, std::vector<Expr>{x, x}), std::invalid_argument);
  EXPECT_THROW(gradient(x, std::vector<Expr>{Expr(2)}), std::invalid_argument);
  EXPECT_THROW(directional_derivative(q, q, std::vector<Expr>{x}), std::invalid_argument);
}

TEST_F(DifferentiateTest, JacobianIsSortedAndSparse) {
  const std::vector<Expr> f{x * y, Expr(3), sin(y), x - x * 1, x * y};
  const SparseEntries entries = jacobian(f, q);
  std::vector<std::pair<int, int>> pattern;
  for (const Entry& e : entries) pattern.emplace_back(e.row, e.col);
  EXPECT_EQ(pattern, (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {2, 1}, {4, 0}, {4, 1}}));
  EXPECT_EQ(entries[0].value, y);
  EXPECT_EQ(entries[2].value, cos(y));
}

// More rows than columns sweeps forwards, fewer backwards: the values must be the same.
TEST_F(DifferentiateTest, JacobianOfTallAndWideAgree) {
  std::vector<Expr> f;
  for (int i = 0; i < 20; ++i) f.push_back(sin(x * (i + 1)) * exp(y) / (1 + x * x * i));
  const SparseEntries tall = jacobian(f, q);
  ASSERT_EQ(tall.size(), 40u);
  for (int i = 0; i < 20; ++i) {
    const std::vector<Expr> g = gradient(f[static_cast<std::size_t>(i)], q);
    for (int j = 0; j < 2; ++j) {
      const Entry& e = tall[static_cast<std::size_t>(2 * i + j)];
      EXPECT_EQ(e.row, i);
      EXPECT_EQ(e.col, j);
      EXPECT_NEAR(at(e.value, {0.7, 0.3}), at(g[static_cast<std::size_t>(j)], {0.7, 0.3}), 1e-12);
    }
  }
}

TEST_F(DifferentiateTest, HessianOfAChainIsTridiagonal) {
  constexpr int n = 50;
  const std::vector<Expr> z = graph.variables("z", n);
  Expr energy;
  for (std::size_t i = 0; i + 1 < n; ++i) energy += cos(z[i + 1] - z[i]) * exp(z[i]);
  const SparseEntries entries = hessian(energy, z);
  EXPECT_EQ(entries.size(), 3u * n - 2);
  for (const Entry& e : entries) EXPECT_LE(std::abs(e.row - e.col), 1);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    EXPECT_LT(entries[i - 1].row * n + entries[i - 1].col, entries[i].row * n + entries[i].col);
  }
}

TEST_F(DifferentiateTest, HessianIsSymmetricNodeByNode) {
  const SparseEntries h = hessian(exp(x * y) * sin(x) / y + atan2(x, y), q);
  ASSERT_EQ(h.size(), 4u);
  EXPECT_EQ(h[1].value, h[2].value);
}

TEST_F(DifferentiateTest, HessianOfALinearFunctionIsEmpty) { EXPECT_TRUE(hessian(3 * x - y, q).empty()); }

TEST_F(DifferentiateTest, TimeDerivativeRemembersRates) {
  const Expr v = graph.variable("v"), t = graph.variable("t");
  TimeDerivative rate;
  rate.set_rate(x, v);
  rate.set_rate(t, 1);
  const Expr point = sin(x) * 2;
  EXPECT_EQ(rate(point), 2 * (v * cos(x)));
  ASSERT_NE(rate.find(sin(x)), nullptr);
  EXPECT_EQ(*rate.find(sin(x)), v * cos(x));
  EXPECT_EQ(rate.find(cos(x)), nullptr);
  EXPECT_EQ(rate(point * y), y * rate(point));
  EXPECT_EQ(rate(t * x), t * v + x);
  EXPECT_THROW(rate.set_rate(x, 2 * v), std::logic_error);
  EXPECT_THROW(rate.set_rate(y, v), std::logic_error);  // it was constant in time above
  EXPECT_NO_THROW(rate.set_rate(x, v));
  Graph other;
  Graph::Scope inner(other);
  EXPECT_THROW(rate(x), std::logic_error);
}

}  // namespace
}  // namespace hamel
