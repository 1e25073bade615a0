// A sequence computes what evaluate does, bit by bit, also when its graph has gone.
#include "hamel/graph/sequence.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "hamel/graph/differentiate.hpp"

namespace hamel::test {
namespace {

TEST(Sequence, OutlivesItsGraph) {
  std::optional<Graph> graph(std::in_place);
  std::optional<Graph::Scope> scope(std::in_place, *graph);
  const std::vector<Expr> x = graph->variables("x", 3);
  const std::vector<Expr> f = {x[0] * x[1] - 3.0 * pow(x[2], -4),
                               select(less(x[0], x[1]), atan2(x[0], x[2]), sqrt(x[1])), x[1], Expr(2.5),
                               sin(x[0]) / exp(x[2])};
  const Sequence sequence(f, x);
  const std::array values{0.3, 1.7, -2.2};
  const std::vector<double> expected = evaluate(f, x, values);
  scope.reset();
  graph.reset();
  std::vector<double> found(f.size());
  sequence.run(values, found.data());
  EXPECT_EQ(found, expected);
}

TEST(Sequence, RefusesVariablesWithoutValues) {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 2);
  const std::vector<Expr> f = {x[0] + x[1]};
  EXPECT_THROW(Sequence(f, std::span(x).first(1)), std::invalid_argument);
  EXPECT_THROW(Sequence(f, x).run(std::array{1.0}, nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace hamel::test
