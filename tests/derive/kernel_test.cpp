// The constants program of a kernel: what depends on parameters alone is computed once, when they get values.
#include "hamel/derive/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "program/tape.hpp"

namespace hamel::kernel_test {
namespace {

// f = sin(a) x^2 + x/(a - b) + b
double by_hand(double a, double b, double x) { return std::sin(a) * x * x + x / (a - b) + b; }

Kernel made(double a_value, double b_value) {
  Graph graph;
  const Graph::Scope scope(graph);
  const Expr a = graph.variable("a"), b = graph.variable("b"), x = graph.variable("x");
  return {"f", {{x}}, {{sin(a) * x * x + x / (a - b) + b}}, {{a, b}, VectorXd{{a_value, b_value}}}};
}

double value(const Kernel& kernel, double x) {
  double result = 0;
  VectorXd scratch(static_cast<Eigen::Index>(kernel.program().scratch_size()) + 1);
  kernel.run<1, 1>({&x}, {&result}, scratch.data());
  return result;
}

bool computes_a_sine(const Kernel& kernel) {
  const auto& operations = kernel.program().tape().code.operations;
  return std::any_of(operations.begin(), operations.end(), [](const auto& step) { return step.op == Op::sin; });
}

TEST(Kernel, FollowsItsParameters) {
  Kernel kernel = made(0.7, 0.2);
  EXPECT_NEAR(value(kernel, 1.3), by_hand(0.7, 0.2, 1.3), 1e-15);
  for (const double a : {-2.0, 0.1, 5.0}) {
    kernel.set_parameters(VectorXd{{a, 0.3}});
    EXPECT_NEAR(value(kernel, 1.3), by_hand(a, 0.3, 1.3), 1e-14) << a;
    EXPECT_EQ(kernel.constants(), made(a, 0.3).constants()) << "the bits of one that was made so";
    EXPECT_EQ(value(kernel, 1.3), value(made(a, 0.3), 1.3));
  }
}

TEST(Kernel, KeepsItsBody) {
  Kernel kernel = made(0.7, 0.2);
  const Program::Tape* body = &kernel.program().tape();
  Kernel copy = kernel;
  copy.set_parameters(VectorXd{{2, 1}});
  EXPECT_EQ(&copy.program().tape(), body) << "copies share it";
  EXPECT_EQ(&kernel.program().tape(), body);
  EXPECT_NEAR(value(copy, 1.3), by_hand(2, 1, 1.3), 1e-15);
  EXPECT_NEAR(value(kernel, 1.3), by_hand(0.7, 0.2, 1.3), 1e-15) << "the first one has its own values";
  EXPECT_FALSE(computes_a_sine(kernel)) << "sin(a) is a constant";
}

TEST(Kernel, NeedsNoParameters) {
  Graph graph;
  const Graph::Scope scope(graph);
  const Expr x = graph.variable("x");
  Kernel kernel("square", {{x}}, {{x * x}}, {});
  EXPECT_EQ(kernel.constants().size(), 0);
  EXPECT_TRUE(kernel.has_finite_constants());
  kernel.set_parameters(VectorXd());
  EXPECT_EQ(value(kernel, 3), 9);
  EXPECT_FALSE(kernel.empty());
  EXPECT_TRUE(Kernel().empty());
}

TEST(Kernel, SaysWhetherItsConstantsAreFinite) {
  Kernel kernel = made(0.5, 0.5);
  EXPECT_FALSE(kernel.has_finite_constants()) << "1/(a - b)";
  kernel.set_parameters(VectorXd{{0.5, 0.25}});
  EXPECT_TRUE(kernel.has_finite_constants());
  EXPECT_NEAR(value(kernel, 2), by_hand(0.5, 0.25, 2), 1e-14);
  kernel.set_parameters(VectorXd{{0.25, 0.25}});
  EXPECT_FALSE(kernel.has_finite_constants());
}

TEST(Kernel, HasTheSameConstantsInAllLanes) {
  Kernel kernel = made(0.7, 0.2);
  kernel.set_parameters(VectorXd{{1.1, 0.4}});
  constexpr int lanes = 4;
  const double x[lanes] = {-1, 0, 0.5, 2};
  double results[lanes] = {};
  VectorXd scratch(static_cast<Eigen::Index>(kernel.program().scratch_size(lanes)) + 1);
  kernel.run_lanes<lanes, 1, 1>({x}, {results}, scratch.data());
  for (int k = 0; k < lanes; ++k) EXPECT_NEAR(results[k], by_hand(1.1, 0.4, x[k]), 1e-14);
}

TEST(Constants, AreFormulasOfParameters) {
  Graph graph;
  const Graph::Scope scope(graph);
  const Expr a = graph.variable("a");
  Constants constants(std::vector{a * a, Expr(3.0), 1.0 / a}, {{a}, VectorXd{{2}}});
  EXPECT_EQ(constants.values(), (VectorXd{{4, 3, 0.5}}));
  constants.set_parameters(VectorXd{{4}});
  EXPECT_EQ(constants.values(), (VectorXd{{16, 3, 0.25}}));
  Constants none;
  none.set_parameters(VectorXd{{4}});
  EXPECT_EQ(none.values().size(), 0);
}

}  // namespace
}  // namespace hamel::kernel_test
