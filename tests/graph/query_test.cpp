#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

class QueryTest : public testing::Test {
 protected:
  Graph graph;
  Graph::Scope scope{graph};
  Expr x = graph.variable("x"), y = graph.variable("y"), m = graph.variable("m"), k = graph.variable("k");
};

TEST_F(QueryTest, ReachableIsAscendingAndComplete) {
  const Expr unused = sin(x);
  const Expr product = x * y, f = product + 3, roots[] = {f, f};
  const std::vector<std::uint32_t> ids = reachable(roots);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{x.id(), y.id(), product.id(), Expr(3).id(), f.id()}));
  EXPECT_FALSE(std::binary_search(ids.begin(), ids.end(), unused.id()));
  EXPECT_EQ(dependencies(roots), (std::vector<Expr>{x, y}));
}

TEST_F(QueryTest, SparseReachInALargeGraph) {
  const Expr first = sin(x);
  Expr filler = x;
  for (int i = 0; i < 1000; ++i) filler = cos(filler);
  const Expr f = first * exp(y);
  EXPECT_EQ(reachable({&f, 1}), (std::vector<std::uint32_t>{x.id(), y.id(), first.id(), exp(y).id(), f.id()}));
}

TEST_F(QueryTest, SubstituteReplacesAnyNodeAtOnce) {
  const std::vector<Expr> f{sin(x) * y + pow(x, 3), x - y, m};
  const std::vector<Expr> swapped = substitute(f, {{x.id(), y}, {y.id(), x}});
  EXPECT_EQ(swapped[0], sin(y) * x + pow(y, 3));
  EXPECT_EQ(swapped[1], y - x);
  EXPECT_EQ(swapped[2], m);
  EXPECT_EQ(substitute(f, {{sin(x).id(), k}})[0], k * y + pow(x, 3));
  EXPECT_EQ(substitute(f, {{x.id(), 0}})[0], Expr());
  EXPECT_EQ(substitute(f, {}), f);
  EXPECT_THROW(substitute(f, {{1000000, x}}), std::invalid_argument);
}

TEST_F(QueryTest, HoistTakesMaximalConstantParts) {
  const Expr frequency = sqrt(k / m);
  const std::vector<Expr> f{frequency * x + 2 * m, m * y, k, 2 * frequency};
  const std::vector<Expr> parameters{m, k};
  const Hoisted h = hoist(f, parameters);
  EXPECT_EQ(h.values, (std::vector<Expr>{frequency, 2 * m, 2 * frequency}));
  ASSERT_EQ(h.variables.size(), 3u);
  EXPECT_EQ(h.outputs[0], h.variables[0] * x + h.variables[1]);
  EXPECT_EQ(h.outputs[1], m * y);
  EXPECT_EQ(h.outputs[2], k);
  EXPECT_EQ(h.outputs[3], h.variables[2]);
  EXPECT_EQ(substitute(h.outputs, {{h.variables[0].id(), h.values[0]},
                                   {h.variables[1].id(), h.values[1]},
                                   {h.variables[2].id(), h.values[2]}}),
            f);
  EXPECT_THROW(hoist(f, std::vector<Expr>{frequency}), std::invalid_argument);
}

TEST_F(QueryTest, EvaluateGivesValuesOrSaysWhatIsMissing) {
  const std::vector<Expr> f{x * y, pow(x, -3), select(less(x, y), m, 7), min(x, y)}, arguments{x, y, m};
  EXPECT_EQ(evaluate(f, arguments, std::vector<double>{2, 3, 5}), (std::vector<double>{6, 0.125, 5, 2}));
  EXPECT_EQ(evaluate(f, arguments, std::vector<double>{4, 3, 5})[2], 7);
  try {
    evaluate(f, std::vector<Expr>{x, y}, std::vector<double>{2, 3});
    FAIL() << "m has no value";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "evaluate: the variable m has no value");
  }
  EXPECT_THROW(evaluate(f, arguments, std::vector<double>{2, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace hamel
