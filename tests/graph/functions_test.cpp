// Every row of functions.def: its derivatives against finite differences, its symmetry, its errors. A new row is tested
// without a new test, as long as it is smooth at the points below.
#include "hamel/graph/functions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "hamel/graph/differentiate.hpp"
#include "hamel/graph/print.hpp"
#include "hamel/graph/rounded.hpp"
#include "hamel/graph/table.hpp"

namespace hamel {
namespace {

using Point = std::array<double, 2>;
constexpr std::array<Point, 4> points{{{0.31, 0.72}, {0.83, 0.27}, {0.55, 0.62}, {0.12, 0.94}}};

class Functions : public testing::TestWithParam<FunctionRow> {
 protected:
  double key = table_key("curve", std::array{-2.0, -0.5, 0.4, 1.1, 2.0}, std::array{1.0, -1.0, 0.5, 2.0, -3.0});
  Graph graph;
  Graph::Scope scope{graph};
  std::vector<Expr> x = graph.variables("x", 2);
  const FunctionRow& row = GetParam();
  Expr a = row.op == Op::interp ? Expr(key) : x[0];
  Expr f = row.arity == 1 ? graph.make(row.op, a) : graph.make(row.op, a, x[1]);

  double value(const Point& p) const { return apply(row.op, row.op == Op::interp ? key : p[0], p[1]); }
  double at(Expr e, const Point& p) const { return evaluate({&e, 1}, x, p)[0]; }

  static double difference(const std::function<double(double)>& g, double t) {
    constexpr double h = 2e-3;  // the sixth-order stencil
    return (45 * (g(t + h) - g(t - h)) - 9 * (g(t + 2 * h) - g(t - 2 * h)) + g(t + 3 * h) - g(t - 3 * h)) / (60 * h);
  }
  double difference(const std::function<double(const Point&)>& g, Point p, std::size_t k) const {
    const auto along = [&, p](double t) mutable {
      p[k] = t;
      return g(p);
    };
    return difference(along, p[k]);
  }
};

TEST_P(Functions, DerivativesAreThoseOfTheValues) {
  const std::vector<Expr> gradient = hamel::gradient(f, x);
  std::array<std::vector<Expr>, 2> second;
  for (std::size_t k = 0; k < 2; ++k) second[k] = hamel::gradient(gradient[k], x);
  for (const Point& p : points) {
    EXPECT_EQ(at(f, p), value(p));
    for (std::size_t k = 0; k < 2; ++k) {
      const double expected = difference([&](const Point& q) { return value(q); }, p, k);
      EXPECT_NEAR(at(gradient[k], p), expected, 1e-9 * (1 + std::abs(expected))) << "by argument " << k;
      for (std::size_t l = 0; l < 2; ++l) {
        const double bend = difference([&](const Point& q) { return at(gradient[k], q); }, p, l);
        EXPECT_NEAR(at(second[k][l], p), bend, 1e-8 * (1 + std::abs(bend))) << "by arguments " << k << ", " << l;
      }
    }
  }
}

TEST_P(Functions, ForwardIsBackward) {
  const std::vector<Expr> v = graph.variables("v", 2), g = gradient(f, x);
  const Expr forward = directional_derivative({&f, 1}, x, v)[0], backward = g[0] * v[0] + g[1] * v[1];
  const std::vector<Expr> all{x[0], x[1], v[0], v[1]}, both{forward, backward};
  for (const Point& p : points) {
    const std::vector<double> values = evaluate(both, all, std::array{p[0], p[1], 0.7, -1.3});
    EXPECT_NEAR(values[0], values[1], 1e-14 * (1 + std::abs(values[0])));
  }
}

TEST_P(Functions, SymmetryIsThatOfTheValues) {
  using Symmetry = FunctionRow::Symmetry;
  for (const auto& [u, v] : points) {
    const double here = value({u, v});
    EXPECT_TRUE(row.symmetry != Symmetry::odd || value({-u, v}) == -here);
    EXPECT_TRUE(row.symmetry != Symmetry::even || value({-u, v}) == here);
    EXPECT_TRUE(row.symmetry != Symmetry::commutes || value({v, u}) == here);
  }
}

// A relative change of the arguments by epsilon changes the value by no more than the error says.
TEST_P(Functions, ErrorsCoverAChangeOfTheArguments) {
  constexpr double small = 1e-9;
  for (const auto& [u, v] : points) {
    const double first = row.op == Op::interp ? key : u, moved = row.op == Op::interp ? key : u * (1 + small);
    const Rounded rounded = apply_function(row.op, Rounded(first), Rounded(v));
    EXPECT_EQ(rounded.value, value({u, v}));
    const double change = std::abs(apply(row.op, moved, v * (1 + small)) - rounded.value);
    EXPECT_LE(change, 1.01 * small * rounded.error + 1e-15);
  }
}

TEST_P(Functions, NotANumberStaysOne) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(apply(row.op, row.op == Op::interp ? key : nan, nan)));
}

TEST_P(Functions, HasAllNotations) {
  EXPECT_EQ(print(f), row.arity == 1         ? std::string(row.name) + "(x[0])"
                      : row.op == Op::interp ? "interp(curve, x[1])"
                                             : std::string(row.name) + "(x[0], x[1])");
  EXPECT_EQ(print(f, Notation::c).rfind(std::string(row.c_name) + "(", 0), 0U);
  EXPECT_EQ(print(f, Notation::latex).find('#'), std::string::npos);
  EXPECT_EQ(c_definitions({&f, 1}).empty(), row.is_defined_in_c());
}

std::string row_name(const testing::TestParamInfo<FunctionRow>& info) { return std::string(info.param.name); }
INSTANTIATE_TEST_SUITE_P(All, Functions, testing::ValuesIn(functions().begin(), functions().end()), row_name);

TEST(FunctionValues, AreTheMathematicalOnes) {
  EXPECT_EQ(apply(Op::sign, -3), -1);
  EXPECT_EQ(apply(Op::sign, 0), 0);
  EXPECT_EQ(apply(Op::floor, -0.5), -1);
  EXPECT_EQ(apply(Op::mod, 7.5, 2), 1.5);
  EXPECT_EQ(apply(Op::mod, -0.5, 2), 1.5);
  EXPECT_EQ(apply(Op::mod, 0.5, -2), -1.5);
  EXPECT_EQ(apply(Op::mod, -4, 2), 0);
  EXPECT_TRUE(std::isnan(apply(Op::mod, 1, 0)));
  EXPECT_DOUBLE_EQ(apply(Op::cbrt, -27), -3);
  EXPECT_DOUBLE_EQ(apply(Op::hypot, 3e200, 4e200), 5e200);
  EXPECT_NEAR(apply(Op::erf, 0.5), 0.52049987781304653768, 1e-16);  // Abramowitz and Stegun, table 7.1
}

// Where a function has no derivative, its gradient must not look like one.
TEST(FunctionValues, SingularSlopesAreNotFinite) {
  Graph graph;
  const Graph::Scope scope(graph);
  const std::vector<Expr> x = graph.variables("x", 2);
  const std::array zero{0.0, 0.0};
  for (const Expr f : {sqrt(x[0]), cbrt(x[0]), hypot(x[0], x[1]), log(x[0])})
    EXPECT_FALSE(std::isfinite(evaluate(gradient(f, x), x, zero)[0])) << f;
  EXPECT_EQ(evaluate(gradient(sign(x[0]) + floor(x[0]), x), x, zero)[0], 0);
  EXPECT_EQ(evaluate(gradient(abs(x[0]), x), x, zero)[0], 0) << "neither side is preferred";
}

class Tables : public testing::Test {
 protected:
  static std::vector<double> values_of(double (*f)(double), const std::vector<double>& x) {
    std::vector<double> y;
    for (const double t : x) y.push_back(f(t));
    return y;
  }
  static std::string refusal(const std::vector<double>& x, const std::vector<double>& y) {
    try {
      table_key("lift", x, y);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(Tables, PointsOnACubicGiveTheCubicAndItsDerivatives) {
  const auto cubic = [](double t) { return 2 - t + 0.5 * t * t - 0.25 * t * t * t; };
  const std::vector<double> x{-1, -0.7, 0, 0.2, 1.5, 2};
  const double key = table_key("cubic", x, values_of(cubic, x));
  for (double t = -1; t <= 2; t += 0.01) {
    EXPECT_NEAR(table_value(key, t), cubic(t), 1e-14);
    EXPECT_NEAR(table_slope(key, t), -1 + t - 0.75 * t * t, 2e-14);
    EXPECT_NEAR(table_slope(table_derivative(key), t), 1 - 1.5 * t, 1e-13);
  }
}

TEST_F(Tables, ThreePointsGiveAParabolaAndTwoALine) {
  const double parabola = table_key("parabola", std::array{0.0, 1.0, 3.0}, std::array{1.0, 2.0, 10.0});
  for (double t = 0; t <= 3; t += 0.125) EXPECT_NEAR(table_value(parabola, t), 1 + t * t, 1e-14);
  const double line = table_key("line", std::array{1.0, 3.0}, std::array{2.0, 8.0});
  EXPECT_EQ(table_value(line, 2.5), 6.5);
  EXPECT_EQ(table_slope(line, 1.5), 3);
  EXPECT_EQ(table_derivative(table_derivative(line)), 0);
}

TEST_F(Tables, SecondDerivativesAreContinuousAtThePoints) {
  const std::vector<double> x{0, 0.5, 0.8, 2, 2.1, 3.5, 4};
  const double key = table_key("curve", x, std::vector<double>{1, -2, 0, 3, 3, -1, 5});
  const double second = table_derivative(table_derivative(key));
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    const double before = std::nextafter(x[i], 0);
    EXPECT_NEAR(table_value(key, before), table_value(key, x[i]), 1e-13);
    EXPECT_NEAR(table_slope(key, before), table_slope(key, x[i]), 1e-12);
    EXPECT_NEAR(table_value(second, before), table_value(second, x[i]), 1e-10);
  }
}

TEST_F(Tables, AreNotDefinedOutsideOfTheirPoints) {
  const double key = table_key("short", std::array{0.0, 1.0}, std::array{2.0, 2.0});
  EXPECT_EQ(table_value(key, 0), 2);
  EXPECT_EQ(table_value(key, 1), 2);
  for (const double outside : {-1e-9, 1 + 1e-9, std::nan("")}) {
    EXPECT_TRUE(std::isnan(table_value(key, outside)));
    EXPECT_TRUE(std::isnan(table_slope(key, outside)));
  }
}

TEST_F(Tables, AreKnownByNameAndPoints) {
  const std::array x{0.0, 1.0}, y{2.0, 3.0}, z{2.0, 3.5};
  const double key = table_key("a", x, y);
  EXPECT_EQ(table_key("a", x, y), key);
  EXPECT_NE(table_key("a", x, z), key);
  EXPECT_NE(table_key("b", x, y), key);
  EXPECT_EQ(table_name(key), "a");
  EXPECT_FALSE(is_table(3));
  EXPECT_THROW(table_value(3, 0.5), std::invalid_argument);
}

TEST_F(Tables, RefuseWhatIsNoCurve) {
  EXPECT_EQ(refusal({0}, {1}), "the table lift needs 2 to 100000 points, as many x as y; it has 1 and 1");
  EXPECT_EQ(refusal({0, 1}, {1}), "the table lift needs 2 to 100000 points, as many x as y; it has 2 and 1");
  EXPECT_EQ(refusal({0, 1, 1}, {1, 2, 3}), "the first column of the table lift must increase: 1 comes after 1");
  EXPECT_EQ(refusal({0, 1}, {1, HUGE_VAL}), "point 2 of the table lift is not finite");
  EXPECT_EQ(refusal({0, 1e-300}, {0, 1e10}), "the table lift is too steep");
}

}  // namespace
}  // namespace hamel
