// Every operation's derivative, against finite differences of the plain double formula and Eigen's AutoDiff.
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <random>
#include <unsupported/Eigen/AutoDiff>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

using Dual = Eigen::AutoDiffScalar<Eigen::Vector2d>;

double less(double a, double b) { return a < b ? 1 : 0; }
double less_equal(double a, double b) { return a <= b ? 1 : 0; }
double select(double c, double a, double b) { return c != 0 ? a : b; }
double less(const Dual& a, const Dual& b) { return a.value() < b.value() ? 1 : 0; }
double less_equal(const Dual& a, const Dual& b) { return a.value() <= b.value() ? 1 : 0; }
Dual select(double c, const Dual& a, const Dual& b) { return c != 0 ? a : b; }

struct Case {
  const char* name;
  std::function<Expr(Expr, Expr)> graph;
  std::function<double(double, double)> plain;
  std::function<Dual(Dual, Dual)> dual;  // empty where AutoDiff has no such function
};

template <class F>
Case both(const char* name, F f) {
  return {name, f, f, f};
}
template <class F>
Case without_dual(const char* name, F f) {
  return {name, f, f, {}};
}

using std::abs, std::acos, std::asin, std::atan2, std::cos, std::cosh, std::exp, std::log, std::max, std::min, std::pow,
    std::sin, std::sinh, std::sqrt, std::tan, std::tanh;

// The points are 0.2 < x, y < 0.9, away from the kinks below.
std::vector<Case> cases() {
  return {
      both("add", [](auto x, auto y) -> decltype(x) { return (x + y) * x; }),
      both("subtract", [](auto x, auto y) -> decltype(x) { return (x - y) * y; }),
      both("multiply", [](auto x, auto y) -> decltype(x) { return x * y * y; }),
      both("square", [](auto x, auto y) -> decltype(x) { return x * x * y; }),
      both("divide", [](auto x, auto y) -> decltype(x) { return x / y; }),
      both("negate", [](auto x, auto y) -> decltype(x) { return sin(-(x * y)); }),
      both("pow 5", [](auto x, auto y) -> decltype(x) { return pow(x, 5) * y; }),
      both("pow -3", [](auto x, auto y) -> decltype(x) { return pow(x, -3) * y; }),
      both("pow 1.7", [](auto x, auto y) -> decltype(x) { return pow(x, 1.7) * y; }),
      both("pow 2.5 of a product", [](auto x, auto y) -> decltype(x) { return pow(decltype(x)(x * y), 2.5); }),
      without_dual("power", [](auto x, auto y) -> decltype(x) { return pow(x, y); }),
      both("sqrt", [](auto x, auto y) -> decltype(x) { return sqrt(x * y); }),
      both("exp", [](auto x, auto y) -> decltype(x) { return exp(x * y); }),
      both("log", [](auto x, auto y) -> decltype(x) { return log(x * y); }),
      both("sin", [](auto x, auto y) -> decltype(x) { return sin(x * y); }),
      both("cos", [](auto x, auto y) -> decltype(x) { return cos(x * y); }),
      both("tan", [](auto x, auto y) -> decltype(x) { return tan(x * y); }),
      both("asin", [](auto x, auto y) -> decltype(x) { return asin(x * y); }),
      both("acos", [](auto x, auto y) -> decltype(x) { return acos(x * y); }),
      both("atan2", [](auto x, auto y) -> decltype(x) { return atan2(x, y); }),
      both("sinh", [](auto x, auto y) -> decltype(x) { return sinh(x * y); }),
      both("cosh", [](auto x, auto y) -> decltype(x) { return cosh(x * y); }),
      both("tanh", [](auto x, auto y) -> decltype(x) { return tanh(x * y); }),
      both("abs of a positive", [](auto x, auto y) -> decltype(x) { return abs(x * y + 1.0); }),
      both("abs of a negative", [](auto x, auto y) -> decltype(x) { return abs(x * y - 1.0); }),
      without_dual("min", [](auto x, auto y) -> decltype(x) { return min(x * y, x + 1.0) + min(x + 1.0, y * y); }),
      without_dual("max", [](auto x, auto y) -> decltype(x) { return max(x * y, x + 1.0) + max(y * y + 3.0, x * x); }),
      both("select",
           [](auto x, auto y) -> decltype(x) {
             return select(less(x, decltype(x)(y + 2.0)), decltype(x)(x * x * y), decltype(x)(y));
           }),
      both("select the other",
           [](auto x, auto y) -> decltype(x) {
             return select(less_equal(decltype(x)(x + 2.0), y), decltype(x)(x * x), decltype(x)(y * y * x)) * y;
           }),
      both("a composition",
           [](auto x, auto y) -> decltype(x) {
             return exp(sin(x) * log(y + 1.0)) / sqrt(1.0 + x * x + y * y) - tanh(x / y) * cos(x - y);
           }),
  };
}

double central_difference(const std::function<double(double)>& f, double x) {
  const double h = 4e-3;  // the sixth-order stencil
  return (45 * (f(x + h) - f(x - h)) - 9 * (f(x + 2 * h) - f(x - 2 * h)) + (f(x + 3 * h) - f(x - 3 * h))) / (60 * h);
}

class Rules : public testing::TestWithParam<Case> {
 protected:
  std::array<double, 2> random_point() {
    std::uniform_real_distribution<double> uniform(0.2, 0.9);
    return {uniform(random), uniform(random)};
  }
  double at(Expr e, const std::array<double, 2>& point) { return evaluate({&e, 1}, x, point)[0]; }

  std::mt19937 random{7};
  Graph graph;
  Graph::Scope scope{graph};
  std::vector<Expr> x = graph.variables("x", 2);
  Expr f = GetParam().graph(x[0], x[1]);
};

double tolerance(double reference) { return 1e-7 * (1 + std::abs(reference)); }

TEST_P(Rules, GradientAgreesWithDifferencesAndDualNumbers) {
  const std::vector<Expr> g = gradient(f, x);
  for (int trial = 0; trial < 10; ++trial) {
    const auto point = random_point();
    EXPECT_DOUBLE_EQ(at(f, point), GetParam().plain(point[0], point[1]));
    const double dx = central_difference([&](double t) { return GetParam().plain(t, point[1]); }, point[0]);
    const double dy = central_difference([&](double t) { return GetParam().plain(point[0], t); }, point[1]);
    EXPECT_NEAR(at(g[0], point), dx, tolerance(dx));
    EXPECT_NEAR(at(g[1], point), dy, tolerance(dy));
    if (!GetParam().dual) continue;
    const Dual dual = GetParam().dual(Dual(point[0], 2, 0), Dual(point[1], 2, 1));
    EXPECT_NEAR(at(g[0], point), dual.derivatives()[0], 1e-12 * (1 + std::abs(dx)));
    EXPECT_NEAR(at(g[1], point), dual.derivatives()[1], 1e-12 * (1 + std::abs(dy)));
  }
}

TEST_P(Rules, ForwardAgreesWithBackward) {
  const std::vector<Expr> v = graph.variables("v", 2), g = gradient(f, x);
  const Expr forward = directional_derivative({&f, 1}, x, v)[0];
  TimeDerivative rate;
  rate.set_rate(x[0], v[0]);
  rate.set_rate(x[1], v[1]);
  const Expr along_motion = rate(f);
  const std::vector<Expr> arguments{x[0], x[1], v[0], v[1]};
  for (int trial = 0; trial < 10; ++trial) {
    const auto point = random_point(), direction = random_point();
    const std::vector<double> values{point[0], point[1], direction[0], direction[1]};
    const double expected = at(g[0], point) * direction[0] + at(g[1], point) * direction[1];
    EXPECT_NEAR(evaluate({&forward, 1}, arguments, values)[0], expected, 1e-12 * (1 + std::abs(expected)));
    EXPECT_NEAR(evaluate({&along_motion, 1}, arguments, values)[0], expected, 1e-12 * (1 + std::abs(expected)));
  }
}

TEST_P(Rules, HessianIsTheDerivativeOfTheGradientAndSymmetric) {
  const std::vector<Expr> g = gradient(f, x);
  Eigen::Matrix<Expr, 2, 2> h = Eigen::Matrix<Expr, 2, 2>::Zero();
  for (const Entry& e : hessian(f, x)) h(e.row, e.col) = e.value;
  EXPECT_EQ(h(0, 1), h(1, 0));
  for (int trial = 0; trial < 5; ++trial) {
    const auto point = random_point();
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        const double expected = central_difference(
            [&](double t) {
              auto moved = point;
              moved[j] = t;
              return at(g[i], moved);
            },
            point[j]);
        const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
        EXPECT_NEAR(at(h(row, column), point), expected, 30 * tolerance(expected)) << i << ", " << j;
      }
    }
  }
}

std::string test_name(const testing::TestParamInfo<Case>& parameter) {
  std::string name = parameter.param.name;
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Operations, Rules, testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace hamel
