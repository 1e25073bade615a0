// How equations and formulas are printed; those of many models are in tests/language/printed.txt.
#include "hamel/textbook/textbook.hpp"

#include <gtest/gtest.h>

#include "hamel/manifold/rn.hpp"
#include "textbook/examples.hpp"

namespace hamel::test {
namespace {

TEST(Textbook, AGivenHamiltonianHasNoVelocities) {
  EXPECT_THROW(textbook_equations(by_hamiltonian(), Form::omega), std::invalid_argument);
}

TEST(Textbook, PrintsWithTitles) {
  EXPECT_EQ(print(textbook_equations(spherical_pendulum(), Form::omega)),
            "spherical pendulum: equations of motion in (q, omega)\n"
            "\nkinematics\n  q' = cross(omega, q)\n"
            "\nequations of motion\n  m*l^2*omega' = -m*g*l*cross(q, e3)\n");
}

TEST(Latex, Names) {
  const auto named = [](const std::string& name) { return latex(Formula::symbol({Role::quantity, name, 0}, 3, 1)); };
  EXPECT_EQ(named("l[1]"), "l_1");
  EXPECT_EQ(named("l[12]"), "l_{12}");
  EXPECT_EQ(named("alpha"), "\\alpha");
  EXPECT_EQ(named("omega'[2]"), "\\dot{\\omega}_2");
  EXPECT_EQ(named("q''"), "\\ddot{q}");
  EXPECT_EQ(named("m_cart"), "m_{\\mathrm{cart}}");
  EXPECT_EQ(named("q2"), "q_2");
  EXPECT_EQ(named("mu_q[1]"), "\\mu_{q_1}");
  EXPECT_EQ(named("mass"), "\\mathrm{mass}");
}

TEST(Latex, Formulas) {
  Model model("latex", 1);
  const auto a = model.parameter("a", 2.0);
  const auto x = model.coordinate("x", Rn(3));
  const auto y = model.coordinate("y", Rn(3));
  EXPECT_EQ(latex(a * (x + y)), R"(a \left(x + y\right))");
  EXPECT_EQ(latex(a * dot(x, y) * x), R"(a \left(x \cdot y\right) x)");
  EXPECT_EQ(latex(cross(x, cross(x, y))), R"(x \times \left(x \times y\right))");
  EXPECT_EQ(latex(sqrt(a) / 2), R"(\frac{\sqrt{a}}{2})");
  EXPECT_EQ(latex(select(less(a, 1), 1.0, 0.0)), R"(\left[a < 1\right])");
  EXPECT_EQ(latex(pow(sin(a), 2) - 1.5e-7), R"(\sin\left(a\right)^2 - 1.5 \times 10^{-7})");
  EXPECT_EQ(latex(hat(x + y) * x), R"(\left(x + y\right)^\wedge x)");
  const Formula mass = Formula::symbol({Role::quantity, "mass", 0}, 1, 1);  // a word stands apart
  EXPECT_EQ(latex(a * a * mass * x[0]), R"(a a \, \mathrm{mass} \, x_1)");
  EXPECT_EQ(latex(-mass * (a + 1) * pow(mass, 2) * a),
            R"(-\mathrm{mass} \, \left(a + 1\right) \, \mathrm{mass}^2 \, a)");
  EXPECT_EQ(latex(-(a - x[0]) * 2 * x), R"(-\left(a - x_1\right) \cdot 2 x)");
}

}  // namespace
}  // namespace hamel::test
