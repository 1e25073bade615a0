// The equations as they are printed, word for word.
#include "hamel/textbook/textbook.hpp"

#include <gtest/gtest.h>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "textbook/examples.hpp"

namespace hamel::test {
namespace {

using Lines = std::vector<std::string>;

Lines text(const Model& model, Form form) { return lines(textbook_equations(model, form)); }
Lines tex(const Model& model, Form form) { return lines(textbook_equations(model, form), Notation::latex); }

TEST(Textbook, SphericalPendulum) {
  const Model model = spherical_pendulum();
  EXPECT_EQ(text(model, Form::velocity), (Lines{"m*l^2*q'' = -m*l^2*norm2(q')*q - m*g*l*(I3 - q*transpose(q))*e3"}));
  EXPECT_EQ(text(model, Form::omega), (Lines{"q' = cross(omega, q)", "m*l^2*omega' = -m*g*l*cross(q, e3)"}));
  EXPECT_EQ(text(model, Form::mu),
            (Lines{"q' = mu/(m*l^2)", "mu = m*l^2*q'", "mu' = -norm2(mu)/(m*l^2)*q - m*g*l*(I3 - q*transpose(q))*e3"}));
  EXPECT_EQ(text(model, Form::pi),
            (Lines{"q' = cross(pi, q)/(m*l^2)", "pi = m*l^2*omega", "pi' = -m*g*l*cross(q, e3)"}));
}

TEST(Textbook, SphericalPendulumInLatex) {
  const Model model = spherical_pendulum();
  EXPECT_EQ(tex(model, Form::velocity),
            (Lines{R"(m l^2 \ddot{q} = -m l^2 \lVert \dot{q} \rVert^2 q - m g l \left(I - q q^T\right) e_3)"}));
  EXPECT_EQ(tex(model, Form::omega),
            (Lines{R"(\dot{q} = \omega \times q)", R"(m l^2 \dot{\omega} = -m g l q \times e_3)"}));
  EXPECT_EQ(tex(model, Form::pi), (Lines{R"(\dot{q} = \frac{\pi \times q}{m l^2})", R"(\pi = m l^2 \omega)",
                                         R"(\dot{\pi} = -m g l q \times e_3)"}));
}

TEST(Textbook, DoubleSphericalPendulum) {
  const Model model = double_spherical_pendulum();
  EXPECT_EQ(text(model, Form::omega),
            (Lines{"q'[1] = cross(omega[1], q[1])", "q'[2] = cross(omega[2], q[2])",
                   "(m[1] + m[2])*l[1]^2*omega'[1] + m[2]*l[1]*l[2]*cross(q[1], cross(omega'[2], q[2]))"
                   " = m[2]*l[1]*l[2]*norm2(omega[2])*cross(q[1], q[2]) + (m[1] + m[2])*g*l[1]*cross(q[1], e3)",
                   "m[2]*l[2]^2*omega'[2] + m[2]*l[1]*l[2]*cross(q[2], cross(omega'[1], q[1]))"
                   " = m[2]*l[1]*l[2]*norm2(omega[1])*cross(q[2], q[1]) + m[2]*g*l[2]*cross(q[2], e3)"}));
  EXPECT_EQ(
      tex(model, Form::omega)[2],
      R"(\left(m_1 + m_2\right) l_1^2 \dot{\omega}_1 + m_2 l_1 l_2 q_1 \times \left(\dot{\omega}_2 \times q_2\right))"
      R"( = m_2 l_1 l_2 \lVert \omega_2 \rVert^2 q_1 \times q_2 + \left(m_1 + m_2\right) g l_1 q_1 \times e_3)");
  EXPECT_EQ(text(model, Form::velocity)[0],
            "(m[1] + m[2])*l[1]^2*q''[1] + m[2]*l[1]*l[2]*(I3 - q[1]*transpose(q[1]))*q''[2]"
            " = -(m[1] + m[2])*l[1]^2*norm2(q'[1])*q[1] + (m[1] + m[2])*g*l[1]*(I3 - q[1]*transpose(q[1]))*e3");
  EXPECT_EQ(text(model, Form::pi),
            (Lines{"q'[1] = cross(omega[1], q[1])", "q'[2] = cross(omega[2], q[2])",
                   "pi[1] = (m[1] + m[2])*l[1]^2*omega[1] + m[2]*l[1]*l[2]*cross(q[1], cross(omega[2], q[2]))",
                   "pi[2] = m[2]*l[1]*l[2]*cross(q[2], cross(omega[1], q[1])) + m[2]*l[2]^2*omega[2]",
                   "pi'[1] = (m[1] + m[2])*g*l[1]*cross(q[1], e3) + m[2]*l[1]*l[2]*cross(q'[1], q'[2])",
                   "pi'[2] = m[2]*g*l[2]*cross(q[2], e3) - m[2]*l[1]*l[2]*cross(q'[1], q'[2])"}));
}

TEST(Textbook, ChainOfThree) {
  EXPECT_EQ(text(chain(3), Form::omega)[4],
            "(m[2] + m[3])*l[2]^2*omega'[2] + (m[2] + m[3])*l[1]*l[2]*cross(q[2], cross(omega'[1], q[1]))"
            " + m[3]*l[2]*l[3]*cross(q[2], cross(omega'[3], q[3]))"
            " = (m[2] + m[3])*l[1]*l[2]*norm2(omega[1])*cross(q[2], q[1])"
            " + m[3]*l[2]*l[3]*norm2(omega[3])*cross(q[2], q[3]) + (m[2] + m[3])*g*l[2]*cross(q[2], e3)");
}

TEST(Textbook, RigidBody) {
  EXPECT_EQ(text(free_body(), Form::omega),
            (Lines{"R' = R*hat(Omega)", "J*Omega' + cross(Omega, J*Omega) = [0, 0, 0]"}));
  EXPECT_EQ(text(free_body(), Form::pi), (Lines{"R' = R*hat(Omega)", "J*Omega = Pi", "Pi' = cross(Pi, Omega)"}));
  EXPECT_EQ(text(free_body(), Form::mu), (Lines{"R' = R*hat(Omega)", "mu = R*hat(J*Omega)/2", "mu' = mu*hat(Omega)"}));
  EXPECT_EQ(tex(free_body(), Form::omega),
            (Lines{R"(\dot{R} = R \hat{\Omega})", R"(J \dot{\Omega} + \Omega \times J \Omega = 0)"}));
}

TEST(Textbook, PendulumInSpace) {
  EXPECT_EQ(text(heavy_body(), Form::omega)[1],
            "J*Omega' + cross(Omega, J*Omega) = -m*g*cross(rho, transpose(R)*e3) + tau");
  EXPECT_EQ(tex(heavy_body(), Form::omega)[1],
            R"(J \dot{\Omega} + \Omega \times J \Omega = -m g \rho \times R^T e_3 + \tau)");
  EXPECT_EQ(text(heavy_body(), Form::pi)[2], "Pi' = cross(Pi, Omega) - m*g*cross(rho, transpose(R)*e3) + tau");
  EXPECT_EQ(text(heavy_body(), Form::velocity)[1], "R'' = R*hat(Omega') + R*hat(Omega)*hat(Omega)");
}

TEST(Textbook, Particles) {
  EXPECT_EQ(text(kepler(), Form::velocity), (Lines{"m*x'' = -k/norm(x)^3*x"}));
  EXPECT_EQ(tex(kepler(), Form::velocity), (Lines{R"(m \ddot{x} = -\frac{k}{\lVert x \rVert^3} x)"}));
  EXPECT_EQ(text(kepler(), Form::pi), (Lines{"x' = p/m", "p = m*x'", "p' = -k/norm(x)^3*x"}));
  EXPECT_EQ(text(two_bodies(), Form::omega), (Lines{"m[1]*x''[1] = -G*m[1]*m[2]/norm(x[1] - x[2])^3*(x[1] - x[2])",
                                                    "m[2]*x''[2] = G*m[1]*m[2]/norm(x[1] - x[2])^3*(x[1] - x[2])"}));
  EXPECT_EQ(text(charged_particle(), Form::velocity), (Lines{"m*x'' = e*cross(x', B) + cos(w*t)*e1"}));
}

TEST(Textbook, PlanarPendulum) {
  EXPECT_EQ(text(planar_pendulum(), Form::omega),
            (Lines{"S = [[0, -1], [1, 0]]", "q' = omega*S*q", "m*l^2*omega' = -m*g*l*dot(q, e1) - c*omega + u"}));
  EXPECT_EQ(tex(planar_pendulum(), Form::omega),
            (Lines{R"(S = \begin{bmatrix} 0 & -1 \\ 1 & 0 \end{bmatrix})", R"(\dot{q} = \omega S q)",
                   R"(m l^2 \dot{\omega} = -m g l \left(q \cdot e_1\right) - c \omega + u)"}));
  EXPECT_EQ(text(planar_pendulum(), Form::pi)[1], "q' = pi/(m*l^2)*S*q");
}

TEST(Textbook, PendulumOnACart) {
  EXPECT_EQ(text(pendulum_on_cart(), Form::omega),
            (Lines{"q' = cross(omega, q)", "(M + m)*x'' + m*l*cross(omega', q) = m*l*norm2(omega)*q - (m + M)*g*e3 + u",
                   "m*l^2*omega' + m*l*cross(q, x'') = -m*g*l*cross(q, e3)"}));
}

TEST(Textbook, BodiesThatMove) {
  EXPECT_EQ(text(placed_body(), Form::omega),
            (Lines{"R' = R*hat(Omega)",
                   "J*Omega' + cross(Omega, J*Omega) + m*cross(rho, transpose(R)*x'')"
                   " = -m*g*cross(rho, transpose(R)*e3) + cross(rho, transpose(R)*f)",
                   "m*x'' + m*R*cross(Omega', rho) = -m*R*cross(Omega, cross(Omega, rho)) - m*g*e3 + f"}));
  const Lines posed = text(posed_body(), Form::omega);
  EXPECT_EQ(posed[1], "position(T)' = rotation(T)*V");
  EXPECT_EQ(posed[3],
            "m*V' + m*cross(Omega, cross(Omega, rho)) + m*cross(Omega, V) + m*cross(Omega', rho)"
            " = -m*g*transpose(rotation(T))*e3 - 0.4*V + [tau[4], tau[5], tau[6]]");
  EXPECT_EQ(tex(posed_body(), Form::omega)[1], R"(\dot{x}_T = R_T V)");
}

TEST(Textbook, Constraints) {
  EXPECT_EQ(
      text(closed_loop(), Form::omega),
      (Lines{"q'[1] = cross(omega[1], q[1])", "q'[2] = cross(omega[2], q[2])", "m*omega'[1] = cross(q[1], lambda)",
             "m*omega'[2] = cross(q[2], lambda)", "m*x'' = -m*e3 - lambda", "x - q[1] - q[2] = [0, 0, 0]"}));
}

TEST(Textbook, GivenHamiltonian) {
  Model model("by H", 1);
  const auto m = model.parameter("m", 1.3), g = model.parameter("g", 9.81);
  const auto q = model.coordinate<S2>("q");
  model.hamiltonian(squared_norm(model.momentum(q)) / (2 * m) + m * g * q.z());
  EXPECT_EQ(text(model, Form::mu), (Lines{"q' = mu/m", "mu' = -norm2(mu)/m*q - m*g*(I3 - q*transpose(q))*e3"}));
  EXPECT_EQ(text(model, Form::pi), (Lines{"q' = cross(pi, q)/m", "pi' = -m*g*cross(q, e3)"}));
  EXPECT_THROW(textbook_equations(model, Form::omega), std::invalid_argument);
}

// Names of the model are not taken again.
TEST(Textbook, NamesDoNotCollide) {
  Model model("names", 1);
  const auto w = model.parameter("omega", 1.7), S = model.parameter("S", 2.0);
  const auto q = model.coordinate<S2>("q");
  const auto d = model.coordinates<S2>("d", 2);
  model.kinetic(S / 2 * (squared_norm(rate(q)) + squared_norm(rate(d[0])) + squared_norm(rate(d[1]))));
  model.potential(w * q.z());
  const Lines all = text(model, Form::omega);
  EXPECT_EQ(all[0], "q' = cross(omega_q, q)");
  EXPECT_EQ(all[1], "d'[1] = cross(omega_d[1], d[1])");
  EXPECT_EQ(all[3], "S*omega_q' = -omega*cross(q, e3)");
  EXPECT_EQ(tex(model, Form::omega)[1], R"(\dot{d}_1 = \omega_{d_1} \times d_1)");
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
  EXPECT_EQ(latex(-(a - x[0]) * 2 * x), R"(-\left(a - x_1\right) \cdot 2 x)");
}

}  // namespace
}  // namespace hamel::test
