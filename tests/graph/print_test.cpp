#include "hamel/graph/print.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace hamel {
namespace {

class PrintTest : public testing::Test {
 protected:
  static std::string text(Expr e) { return print(e); }
  static std::string latex(Expr e) { return print(e, Notation::latex); }
  static std::string c(Expr e) { return print(e, Notation::c); }
  std::string latex_of_name(const char* name) { return latex(graph.variable(name)); }

  Graph graph;
  Graph::Scope scope{graph};
  Expr x = graph.variable("x"), y = graph.variable("y"), z = graph.variable("z");
};

TEST_F(PrintTest, Text) {
  EXPECT_EQ(text(2 * x + y * y), "2*x + y^2");
  EXPECT_EQ(text(x - (y - z)), "x - (y - z)");
  EXPECT_EQ(text(x + (y + z)), "x + y + z");
  EXPECT_EQ(text((x + y) * z), "z*(x + y)");
  EXPECT_EQ(text(x / (y * z)), "x/(y*z)");
  EXPECT_EQ(text(x / y / z), "x/y/z");
  EXPECT_EQ(text(-(x + y)), "-(x + y)");
  EXPECT_EQ(text(-x * y), "-x*y");
  EXPECT_EQ(text(x - 3), "x - 3");
  EXPECT_EQ(text(pow(x, 5)), "x^5");
  EXPECT_EQ(text(pow(x + y, -3)), "(x + y)^(-3)");
  EXPECT_EQ(text(pow(x, y)), "x^y");
  EXPECT_EQ(text(pow(pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(text(sin(x) * sin(x)), "sin(x)^2");
  EXPECT_EQ(text(0.1 * exp(-x)), "0.1*exp(-x)");
  EXPECT_EQ(text(atan2(y, x + 1)), "atan2(y, x + 1)");
  EXPECT_EQ(text(select(less(x, y), max(x, 0), abs(y))), "select(x < y, max(x, 0), abs(y))");
  EXPECT_EQ(text(less_equal(x, y) * z), "(x <= y)*z");
  EXPECT_EQ(text(z * z + y * y + x * x), "x^2 + y^2 + z^2");
  EXPECT_EQ(text(Expr(-2.5)), "-2.5");
}

TEST_F(PrintTest, Latex) {
  EXPECT_EQ(latex(2 * x + y * y), "2 x + y^{2}");
  EXPECT_EQ(latex(x / (y + z)), "\\frac{x}{y + z}");
  EXPECT_EQ(latex(cos(x) * z), "\\cos\\left(x\\right) z");
  const Expr mass = graph.variable("mass");  // a word stands apart
  EXPECT_EQ(latex(x * y * mass * mass * z), "x y \\, \\mathrm{mass} \\, \\mathrm{mass} \\, z");
  EXPECT_EQ(latex(pow(mass, 3) * cos(mass)), "\\cos\\left(\\mathrm{mass}\\right) \\, \\mathrm{mass}^{3}");
  EXPECT_EQ(latex(pow(mass, 3) - x * y), "\\mathrm{mass}^{3} - x y");
  EXPECT_EQ(latex(pow(cos(x), 2)), "\\cos^{2}\\left(x\\right)");
  EXPECT_EQ(latex(pow(cos(x), -2)), "\\cos\\left(x\\right)^{-2}");
  EXPECT_EQ(latex((x + y) * z), "z \\left(x + y\\right)");
  EXPECT_EQ(latex(pow(x / y, 3)), "\\left(\\frac{x}{y}\\right)^{3}");
  EXPECT_EQ(latex(sqrt(x + 1)), "\\sqrt{x + 1}");
  EXPECT_EQ(latex(exp(x - y)), "e^{x - y}");
  EXPECT_EQ(latex(pow(x, y + 1)), "x^{y + 1}");
  EXPECT_EQ(latex(abs(x)), "\\left|x\\right|");
  EXPECT_EQ(latex(asin(x)), "\\arcsin\\left(x\\right)");
  EXPECT_EQ(latex(min(x, y)), "\\min\\left(x, y\\right)");
  EXPECT_EQ(latex(atan2(x, y)), "\\operatorname{atan2}\\left(x, y\\right)");
  EXPECT_EQ(latex(-(x / y)), "-\\frac{x}{y}");
  EXPECT_EQ(latex(3 * pow(2, x)), "3 \\cdot 2^{x}");
  EXPECT_EQ(latex(2.5e-30 * x), "2.5 \\cdot 10^{-30} x");
  EXPECT_EQ(latex(less(x, y)), "\\left[x < y\\right]");
  EXPECT_EQ(latex(select(less_equal(x, y), x, z)),
            "\\begin{cases} x & \\text{if } x \\le y \\\\ z & \\text{otherwise} \\end{cases}");
}

TEST_F(PrintTest, LatexNames) {
  EXPECT_EQ(latex_of_name("omega_1"), "\\omega_{1}");
  EXPECT_EQ(latex_of_name("q[0]"), "q_{0}");
  EXPECT_EQ(latex_of_name("q'"), "\\dot{q}");
  EXPECT_EQ(latex_of_name("q'[2]"), "\\dot{q}_{2}");
  EXPECT_EQ(latex_of_name("q[2]''"), "\\ddot{q}_{2}");
  EXPECT_EQ(latex_of_name("R[0,1]"), "R_{0,1}");
  EXPECT_EQ(latex_of_name("q[1][2]"), "q_{1,2}");
  EXPECT_EQ(latex_of_name("x1"), "x_{1}");
  EXPECT_EQ(latex_of_name("Omega"), "\\Omega");
  EXPECT_EQ(latex_of_name("mass"), "\\mathrm{mass}");
  EXPECT_EQ(latex_of_name("m_max"), "m_{\\mathrm{max}}");
  EXPECT_EQ(latex_of_name("a-b_"), "\\mathrm{a-b\\_}");
}

TEST_F(PrintTest, C) {
  EXPECT_EQ(c(2 * x + y * y), "2.0*x + y*y");
  EXPECT_EQ(c(0.1 * x), "0.10000000000000001*x");
  EXPECT_EQ(c(1e300 * x), "1.0000000000000001e+300*x");
  EXPECT_EQ(c(x + (y + z)), "x + (y + z)");
  EXPECT_EQ(c(x * (y * z)), "x*(y*z)");
  EXPECT_EQ(c(x * (y / z)), "x*(y/z)");
  EXPECT_EQ(c(1 / x), "1.0/x");
  EXPECT_EQ(c(pow(x, 3)), "x*x*x");
  EXPECT_EQ(c(y / pow(x, 3)), "y/(x*x*x)");
  EXPECT_EQ(c(pow(x + y, -3)), "1.0/((x + y)*(x + y)*(x + y))");
  EXPECT_EQ(c(pow(x, 40)), "pow(x, 40.0)");
  EXPECT_EQ(c(pow(x, 1.5)), "pow(x, 1.5)");
  EXPECT_EQ(c(sqrt(x) + abs(y)), "sqrt(x) + fabs(y)");
  EXPECT_EQ(c(min(x, y) * max(y, z)), "fmin(x, y)*fmax(y, z)");
  EXPECT_EQ(c(atan2(x, y)), "atan2(x, y)");
  EXPECT_EQ(c(less(x, y) + z), "(x < y ? 1.0 : 0.0) + z");
  EXPECT_EQ(c(select(x, y, z)), "x != 0.0 ? y : z");
  EXPECT_EQ(c(2 * select(less_equal(x, y), select(z, x, y), z)), "2.0*(x <= y ? (z != 0.0 ? x : y) : z)");
  EXPECT_EQ(c(graph.variable("q'[0]")), "q_dot[0]");
  EXPECT_EQ(c(graph.variable("a.b")), "a_b");
}

TEST_F(PrintTest, SharedPartsAreNamed) {
  const Expr s = sin(x) + y;
  const std::vector<Expr> f{s * z, s / x, -x, s};
  const Listing listing = print_shared(f);
  ASSERT_EQ(listing.shared.size(), 1u);
  EXPECT_EQ(listing.shared[0], (std::pair<std::string, std::string>("s1", "sin(x) + y")));
  EXPECT_EQ(listing.formulas, (std::vector<std::string>{"s1*z", "s1/x", "-x", "s1"}));
  EXPECT_EQ(print_shared(f, Notation::latex).formulas[1], "\\frac{s_{1}}{x}");
  EXPECT_EQ(print_shared(f, Notation::text, "t").shared[0].first, "t1");
}

TEST_F(PrintTest, SharedNamesAvoidVariables) {
  const Expr s2 = graph.variable("s2"), f = sin(x) * s2 + cos(sin(x));
  EXPECT_EQ(print_shared({&f, 1}).shared[0].first, "ss1");
}

TEST_F(PrintTest, BasesOfProductsInCAreNamed) {
  const Expr f = pow(x + y, 3), g = (x + y) * (x + y);
  EXPECT_EQ(print_shared({&f, 1}, Notation::c).formulas[0], "s1*s1*s1");
  EXPECT_EQ(print_shared({&f, 1}).formulas[0], "(x + y)^3");
  EXPECT_EQ(print_shared({&g, 1}).formulas[0], "(x + y)^2");
}

TEST_F(PrintTest, RefusesToWriteOutWhatIsExponentiallyLong) {
  Expr f = x;
  for (int i = 0; i < 60; ++i) f = sin(f) * f;
  EXPECT_THROW(print(f), std::length_error);
  std::ostringstream out;
  out << f << " and " << x + 1;
  EXPECT_EQ(out.str(), "node " + std::to_string(f.id()) + " and x + 1");
}

}  // namespace
}  // namespace hamel
