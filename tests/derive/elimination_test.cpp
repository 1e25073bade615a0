#include "hamel/derive/elimination.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "hamel/linear/dense.hpp"

namespace hamel {
namespace {

// A random system [ M C0^T ; C1 0 ] with `factors` blocks of three accelerations and one constraint each, couplings
// between neighbours, and `loops` constraints between all of them.
struct RandomSystem {
  std::vector<Unknown> unknowns;
  SparseEntries entries;
  std::vector<Expr> variables, rhs;
  std::vector<double> values;
  Eigen::MatrixXd matrix;
  Eigen::VectorXd b;

  RandomSystem(int factors, int loops, bool symmetric, bool coupled, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const int primal = 3 * factors, n = primal + factors + loops;
    matrix = Eigen::MatrixXd::Zero(n, n);
    const auto set = [&](int i, int j, double value) {
      const Expr variable = Graph::current().variable("a");
      variables.push_back(variable);
      values.push_back(value);
      entries.push_back({i, j, variable});
      matrix(i, j) += value;
      return variable;
    };
    const auto set_both = [&](int i, int j, double value) {
      const Expr variable = set(i, j, value);
      if (symmetric) {
        entries.push_back({j, i, variable});
        matrix(j, i) += value;
      } else {
        set(j, i, value * (1 + 0.1 * normal(random)));
      }
    };
    for (int i = 0; i < primal; ++i) {
      unknowns.push_back({false, i / 3});
      set(i, i, 2 + std::abs(normal(random)));
      if (coupled && i + 3 < primal) set_both(i, i + 3, 0.3 * normal(random));
    }
    for (int f = 0; f < factors; ++f) {
      unknowns.push_back({true, f});
      for (int c = 0; c < 3; ++c) {
        set_both(3 * f + c, primal + f, normal(random));
        if (f > 0) set_both(3 * (f - 1) + c, primal + f, normal(random));
      }
    }
    for (int k = 0; k < loops; ++k) {
      unknowns.push_back({true, -1});
      for (int i = 0; i < primal; ++i) set_both(i, primal + factors + k, normal(random));
    }
    b.resize(n);
    for (int i = 0; i < n; ++i) {
      b(i) = normal(random);
      rhs.push_back(Expr(b(i)));
    }
  }
};

TEST(Elimination, SolvesRandomSystems) {
  for (const bool symmetric : {true, false})
    for (const bool coupled : {false, true})
      for (const int loops : {0, 2})
        for (const int factors : {1, 2, 7}) {
          if (loops > 2 * factors) continue;
          Graph graph;
          Graph::Scope scope(graph);
          RandomSystem system(factors, loops, symmetric, coupled, static_cast<std::uint64_t>(factors + 10 * loops));
          const auto x = evaluate(eliminate(system.unknowns, system.entries, system.rhs, symmetric), system.variables,
                                  system.values);
          const Eigen::VectorXd expected = linear::shortest_least_squares(system.matrix, system.b);
          for (Eigen::Index i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(x[static_cast<std::size_t>(i)], expected(i), 1e-9 * (1 + expected.norm()))
                << factors << " factors, " << loops << " loops, symmetric " << symmetric;
        }
}

TEST(Elimination, CostOfAChainIsLinear) {
  const auto size = [](int factors, bool coupled) {
    Graph graph;
    Graph::Scope scope(graph);
    RandomSystem system(factors, 0, true, coupled, 1);
    return reachable(eliminate(system.unknowns, system.entries, system.rhs, true)).size();
  };
  for (const bool coupled : {false, true}) EXPECT_LT(size(200, coupled), 2.1 * static_cast<double>(size(100, coupled)));
}

TEST(Elimination, HubsComeLast) {
  // One body with many links: eliminating it first would couple all of them.
  const auto size = [](int links) {
    Graph graph;
    Graph::Scope scope(graph);
    std::vector<Unknown> unknowns = {{false, 0}};
    SparseEntries entries = {{0, 0, graph.variable("hub")}};
    for (int k = 0; k < links; ++k) {
      const int leaf = 1 + 2 * k, constraint = leaf + 1;
      unknowns.push_back({false, k + 1});
      unknowns.push_back({true, k + 1});
      entries.push_back({leaf, leaf, graph.variable("m")});
      for (const int other : {0, leaf}) {
        const Expr c = graph.variable("c");
        entries.push_back({other, constraint, c});
        entries.push_back({constraint, other, c});
      }
    }
    return reachable(eliminate(unknowns, entries, graph.variables("b", 1 + 2 * links), true)).size();
  };
  EXPECT_LT(size(200), 2.1 * static_cast<double>(size(100)));
}

TEST(Elimination, RefusesWhatHasNoInertia) {
  Graph graph;
  Graph::Scope scope(graph);
  const Expr c = graph.variable("c");
  const std::vector<Unknown> unknowns = {{false, 0}, {true, 0}};
  const SparseEntries entries = {{0, 1, c}, {1, 0, c}};
  EXPECT_THROW(eliminate(unknowns, entries, {Expr(1.0), Expr(2.0)}, true), NoPivot);
}

}  // namespace
}  // namespace hamel
