// Graphs that begin with another one.
#include <gtest/gtest.h>

#include "hamel/graph/differentiate.hpp"

namespace hamel::test::beginning_test {
namespace {

struct Beginning {
  Graph graph;
  Expr x, y, sum;
  Beginning() {
    const Graph::Scope scope(graph);
    x = graph.variable("x");
    y = graph.variable("y");
    sum = sin(x) + 2.5 * y;
    graph.freeze();
  }
};

TEST(Beginning, IsSharedAndGoesOnApart) {
  const Beginning begin;
  Graph first(&begin.graph), second(&begin.graph);
  Expr a, b;
  {
    const Graph::Scope scope(first);
    EXPECT_EQ(sin(begin.x) + 2.5 * begin.y, begin.sum);  // found, not made
    a = exp(begin.sum);
  }
  {
    const Graph::Scope scope(second);
    b = exp(begin.sum);
    EXPECT_THROW(a + b, std::logic_error);  // of another graph
    const std::vector<double> value = evaluate(std::vector{b}, std::vector{begin.x, begin.y}, std::vector{0.5, 2.0});
    EXPECT_EQ(value.front(), std::exp(std::sin(0.5) + 2.5 * 2.0));
  }
  EXPECT_EQ(a.id(), b.id());  // what is made does not depend on what is made elsewhere
  EXPECT_EQ(first.size(), begin.graph.size() + 1);
}

TEST(Beginning, DoesNotGrowAnyMore) {
  Beginning begin;
  const Graph::Scope scope(begin.graph);
  EXPECT_THROW(begin.graph.variable("z"), std::logic_error);
  EXPECT_THROW(begin.x * begin.y, std::logic_error);
  EXPECT_EQ(sin(begin.x) + 2.5 * begin.y, begin.sum);
}

TEST(Beginning, IsFrozen) {
  Graph graph;
  EXPECT_THROW(Graph{&graph}, std::logic_error);
}

}  // namespace
}  // namespace hamel::test::beginning_test
