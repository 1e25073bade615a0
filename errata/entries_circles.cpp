// Book, chapter 4: systems on (S^1)^n.
#include <cmath>

#include "two_links.hpp"

namespace hamel::errata {
namespace {

using namespace two_links;

struct DoublePendulum : Motion {
  DoublePendulum() : Motion("double-planar-pendulum") {}
  Vector2d q1 = part(q, 0), q2 = part(q, 1), v1 = part(v, 0), v2 = part(v, 1);
  Matrix4d projected_mass() const {
    Matrix4d M;
    M << i11 * I, i12 * P(q1), i12 * P(q2), i22 * I;
    return M;
  }
  VectorXd weight() const { return pair(G1 * P(q1) * e2, G2 * P(q2) * e2); }
};

Evidence general_angular_form() {  // (4.14) with constant inertia, so that F_i = 0 as printed
  const DoublePendulum m;
  const double w1 = m.xi(0), w2 = m.xi(1), s = i12 * m.q1.dot(S * m.q2);
  const VectorXd common = links_mass(m.q1, m.q2) * m.xi_rate + pair(s * w2 * w2, -s * w1 * w1) -
                          pair(m.q1.dot(S * G1 * e2), m.q2.dot(S * G2 * e2));
  return remainders(common - pair(s * w1 * w2, -s * w1 * w2), common);
}

Evidence double_pendulum_angular() {
  const DoublePendulum m;
  const double w1 = m.xi(0), w2 = m.xi(1), s = i12 * m.q1.dot(S * m.q2);
  const VectorXd common = links_mass(m.q1, m.q2) * m.xi_rate + pair(G1 * m.q1(0), G2 * m.q2(0));
  return remainders(common + pair(s * w2 * (w2 - w1), -s * w1 * (w1 - w2)), common + pair(s * w2 * w2, -s * w1 * w1));
}

Evidence double_pendulum_potential() {
  const DoublePendulum m;
  const double x1 = L1 * m.q1(1), x2 = x1 + L2 * m.q2(1);
  Workspace work(m.system);
  const double U = m.system.energy(work, 0, m.q, m.v).potential;
  return remainders(U - (m1 * g * x1 + m2 * g * (x1 + x2)), U - (m1 * g * x1 + m2 * g * x2));
}

Evidence double_pendulum_acceleration() {
  const DoublePendulum m;
  const VectorXd rest = pair(i11 * m.v1.squaredNorm() * m.q1, i22 * m.v2.squaredNorm() * m.q2) + m.weight();
  return remainders(m.projected_mass() * m.v + rest, m.projected_mass() * m.a + rest);
}

// The bracket of (4.22) with the inverse of the matrix that is not symmetric.
Evidence hamilton_with_unsymmetric_inverse() {
  const DoublePendulum m;
  const auto energy = [&](const VectorXd& x, bool symmetric) {
    const Vector2d x1 = part(x, 0), x2 = part(x, 1);
    Matrix4d M;
    M << i11 * I, i12 * P(x1) * (symmetric ? P(x2) : I), i12 * P(x2) * (symmetric ? P(x1) : I), i22 * I;
    return Matrix4d(inverse(M));
  };
  const auto rate = [&](bool symmetric) {
    const VectorXd vel = energy(m.q, symmetric) * m.mu;
    const VectorXd T_q = gradient([&](const VectorXd& x) { return m.mu.dot(energy(x, symmetric) * m.mu) / 2; }, m.q);
    VectorXd result(4);
    for (int i = 0; i < 2; ++i) {
      const Vector2d qi = part(m.q, i), mu = part(m.mu, i), vi = part(vel, i);
      const Vector2d U_q = (i == 0 ? G1 : G2) * e2;
      result.segment<2>(2 * i) = mu * qi.dot(vi) - qi * mu.dot(vi) - P(qi) * (part(T_q, i) + U_q);
    }
    return result;
  };
  return remainders(m.mu_rate - rate(false), m.mu_rate - rate(true));
}

Evidence double_pendulum_mu() {
  const DoublePendulum m;
  const VectorXd vel = solve(m.projected_mass(), m.mu);
  const auto row = [&](int i) -> Vector2d {  // as printed, before it is simplified
    const Vector2d qi = part(m.q, i), mu = part(m.mu, i), vi = part(vel, i);
    return mu * qi.dot(vi) - mu.dot(vi) * qi;
  };
  const double v12 = m.v1.dot(m.v2);
  const VectorXd corrected = pair(-i11 * m.v1.squaredNorm() * m.q1 - i12 * v12 * m.q1 - i12 * m.q1.dot(m.v2) * m.v1,
                                  -i22 * m.v2.squaredNorm() * m.q2 - i12 * v12 * m.q2 - i12 * m.q2.dot(m.v1) * m.v2);
  return remainders(m.mu_rate - (pair(row(0), row(1)) - m.weight()), m.mu_rate - (corrected - m.weight()));
}

Evidence double_pendulum_pi() {
  const DoublePendulum m;
  const double s = i12 * m.xi(0) * m.xi(1) * m.q1.dot(S * m.q2);
  return remainders(m.pi_rate + pair(G1 * m.q1(0), G2 * m.q2(1)),
                    m.pi_rate - pair(-s - G1 * m.q1(0), s - G2 * m.q2(0)));
}

Evidence double_pendulum_hamiltonian() {
  const DoublePendulum m;
  const double T = m.pi.dot(solve(links_mass(m.q1, m.q2), m.pi)) / 2;
  return remainders(m.energy - (T + G1 * m.q1(0) + G2 * m.q2(1)), m.energy - (T + G1 * m.q1(1) + G2 * m.q2(1)));
}

Evidence hoop_energy() {  // the mechanical energy and the Jacobi integral
  const Motion m("particle-rotating-hoop");
  const auto drift = [&](double sign) {
    return rate_along(m, [&](const State& s) { return (s.v.squaredNorm() + sign * std::pow(1.7 * s.q(0), 2)) / 2; });
  };
  return remainders(drift(1), drift(-1));
}

Evidence hoop_equilibrium() {  // where q = -e1 is in space at time t
  const double t = 0.4, Omega = 1.7, cosine = std::cos(Omega * t), sine = std::sin(Omega * t);
  const Vector3d x = exponential(Vector3d(0, 0, Omega * t)) * Vector3d(-1, 0, 0);
  return remainders(x - Vector3d(-cosine, sine, 0), x - Vector3d(-cosine, -sine, 0));
}

Evidence expanded_form() {  // problem 4.2 for the double pendulum
  const DoublePendulum m;
  const Vector2d p = i11 * m.v1 + i12 * m.v2, p_rate = i11 * part(m.a, 0) + i12 * part(m.a, 1);
  const Vector2d common = p_rate - m.q1 * (m.v1.dot(p) + m.q1.dot(p_rate)) + P(m.q1) * G1 * e2;
  return remainders(common - m.q1 * m.v1.dot(p), common + m.q1 * m.v1.dot(p));
}

// Problem 4.25 on the ellipse x = phi(q) with a potential: the covariant force of the ambient equations.
Evidence change_of_coordinates() {
  const Matrix2d A{{1.3, 0.4}, {-0.2, 0.8}};  // phi(q) = A q; a linear map that is not symmetric
  const Vector2d q = random_vector(2).normalized(), force = random_vector(2, 3);
  const double virtual_work = force.dot(A * S * q);  // of delta q = S q
  return remainders(q.dot(S.transpose() * A * force) - virtual_work,
                    q.dot(S.transpose() * A.transpose() * force) - virtual_work);
}

// Problem 4.24: a crank of length L and a coupler of length 5L/2 whose mass is in its middle.
Evidence coupler_energy() {
  const double L = 0.8, m = 1.1, w1 = 0.7, w2 = -1.2;
  const Vector2d q1 = random_vector(2, 4).normalized(), q2 = random_vector(2, 5).normalized();
  const auto turned = [](const Vector2d& q, double angle) {
    return Vector2d(std::cos(angle) * q + std::sin(angle) * S * q);
  };
  const VectorXd velocity = derivative([&](double t) -> VectorXd {
    const Vector2d joint = L * turned(q1, w1 * t), end = joint + 5 * L / 2 * turned(q2, w2 * t);
    return (joint + end) / 2;
  });
  const Vector2d v1 = w1 * S * q1, v2 = w2 * S * q2;
  const double T = m / 4 * velocity.squaredNorm();
  return remainders(T - m / 4 * (5 * L / 2 * v2).squaredNorm(), T - m / 4 * (L * v1 + 5 * L / 4 * v2).squaredNorm());
}

}  // namespace

Chapter circles() {
  const std::vector<Entry> first = {
      {theory, "remark after (4.14)",
       R"($F_i(q,\omega)=\sum_{j=1}^n\dot m_{ij}(q)Sq_j\omega_j-\frac12\frac\partial{\partial q_i}\sum_{j=1}^n\sum_{k=1}^n\omega_jq_j^Tm_{jk}(q)q_k\omega_k$ is 0 for constant inertia)",
       R"($F_i=-\sum_{j\ne i}\omega_im_{ij}\omega_jq_j$ then, which cancels the sum before it in (4.14); (4.14) itself is right)",
       "whoever drops $F_i$ keeps a product $\\omega_i\\omega_j$ that does not belong there: so (4.62) does",
       general_angular_form},
      {theory, "(4.22)",
       R"($\dot\mu_i=\sum_{j=1}^n(\mu_iq_i^Tm_{ij}^I\mu_j-\mu_i^Tm_{ij}^I\mu_jq_i)-\frac12P_i\frac\partial{\partial q_i}\sum_{j,k=1}^n\mu_j^Tm_{jk}^I\mu_k-P_i\frac{\partial U}{\partial q_i}$, where $m^I$ is the inverse of the matrix with the blocks $m_{ij}P_i$)",
       R"(of the matrix with the blocks $m_{ij}P_iP_j$, which is symmetric and has the same values on $T^*(S^1)^n$)",
       "the derivative of the quadratic form by $q_i$ is wrong, so that the flow is not that of the Lagrangian",
       hamilton_with_unsymmetric_inverse},
      {glyph, "4.4.2, variation of the action", R"(sign of $q_i^TS(\cdot)\gamma_i$)",
       "the opposite sign; the result is right", "sign"},
      {slip, "(4.27), last line", R"($m_{ii}(q)\omega_i+\sum_{j\ne i}m_{ij}(q)S(q_i)^TS(q_j)\omega_j$)",
       R"($m_{ii}(q)\omega_i+\sum_{j\ne i}m_{ij}(q)q_i^Tq_j\omega_j$)", "", no_sum({3, 3}, {1, 1})},
      {result, "4.6.2.5", R"($\frac12mL^2\{\lVert\dot q\rVert^2-\Omega^2(e_1^Tq)^2\}$ is the total energy)",
       R"(it is the Jacobi integral; the energy is $\frac12mL^2\{\lVert\dot q\rVert^2+\Omega^2(e_1^Tq)^2\}$)",
       "the energy is not conserved: the motor that turns the hoop does work; evaluated: the rates of both, over "
       "$mL^2$",
       hoop_energy},
      {glyph, "4.6.2.6, second relative equilibrium", R"($x=(-L\cos\Omega t,\ L\sin\Omega t,\ 0)^T$)",
       R"($x=(-L\cos\Omega t,\ -L\sin\Omega t,\ 0)^T$)", "sign", hoop_equilibrium},
      {slip, "4.6.4, potential", R"($U(q)=m_1ge_2^Tx_1+m_2g(e_2^Tx_1+e_2^Tx_2)$)",
       R"($U(q)=m_1ge_2^Tx_1+m_2ge_2^Tx_2$; the next line is right)", "", double_pendulum_potential},
      {glyph, "(4.59)",
       R"($\begin{bmatrix}(m_1+m_2)L_1^2I&m_2L_1L_2P_1\\m_2L_1L_2P_2&m_2L_2^2I\end{bmatrix}\begin{bmatrix}\dot q_1\\\dot q_2\end{bmatrix}+\begin{bmatrix}(m_1+m_2)L_1^2\lVert\dot q_1\rVert^2q_1\\m_2L_2^2\lVert\dot q_2\rVert^2q_2\end{bmatrix}+\begin{bmatrix}(m_1+m_2)gL_1P_1e_2\\m_2gL_2P_2e_2\end{bmatrix}=0$)",
       R"($[\ddot q_1;\ \ddot q_2]$ after the matrix)", "dots", double_pendulum_acceleration},
      {result, "(4.62)",
       R"($\begin{bmatrix}(m_1+m_2)L_1^2&m_2L_1L_2q_1^Tq_2\\m_2L_1L_2q_1^Tq_2&m_2L_2^2\end{bmatrix}\begin{bmatrix}\dot\omega_1\\\dot\omega_2\end{bmatrix}+\begin{bmatrix}m_2L_1L_2\omega_2(\omega_2-\omega_1)q_1^TSq_2\\m_2L_1L_2\omega_1(\omega_1-\omega_2)q_2^TSq_1\end{bmatrix}+\begin{bmatrix}(m_1+m_2)gL_1e_1^Tq_1\\m_2gL_2e_1^Tq_2\end{bmatrix}=0$)",
       R"($m_2L_1L_2\omega_2^2q_1^TSq_2$ and $m_2L_1L_2\omega_1^2q_2^TSq_1$ in the second term)",
       "a simulation of the double pendulum with it loses or gains energy", double_pendulum_angular},
      {result, "(4.64), before it is simplified",
       R"($\dot\mu_i=\sum_j(\mu_iq_i^Tm_{ij}^I\mu_j-\mu_i^Tm_{ij}^I\mu_jq_i)-G_iP_ie_2$, $G_1=(m_1+m_2)gL_1$, $G_2=m_2gL_2$)",
       R"($\dot\mu_1=-a\lVert\dot q_1\rVert^2q_1-b(\dot q_1\cdot\dot q_2)q_1-b(q_1\cdot\dot q_2)\dot q_1-G_1P_1e_2$ and so for 2, with $a=(m_1+m_2)L_1^2$, $b=m_2L_1L_2$)",
       "the derivative of the quadratic form by $q_i$, present in (4.22), is left out: the flow is another one",
       double_pendulum_mu},
      {slip, "(4.64)",
       R"($\mu_1^T\big((m_{11}^I\mu_1+m_{12}^I\mu_2)^T-(m_{11}^I\mu_1+m_{12}^I\mu_2)\big)q_1$ and so for 2)",
       "as in the row of list A", "", no_sum({1, 2}, {2, 1})},
      {glyph, "4.6.4.4, $\\tilde H$", R"($\tilde H(q,\pi)=\frac12\pi^Tm^I\pi+(m_1+m_2)gL_1e_1^Tq_1+m_2gL_2e_2^Tq_2$)",
       R"($\tilde H(q,\pi)=\frac12\pi^Tm^I\pi+(m_1+m_2)gL_1e_2^Tq_1+m_2gL_2e_2^Tq_2$)", "index",
       double_pendulum_hamiltonian},
      {result, "(4.66)",
       R"($\begin{bmatrix}\dot\pi_1\\\dot\pi_2\end{bmatrix}=-\begin{bmatrix}(m_1+m_2)gL_1e_1^Tq_1\\m_2gL_2e_2^Tq_2\end{bmatrix}$)",
       R"($\dot\pi_1=-m_2L_1L_2\omega_1\omega_2q_1^TSq_2-(m_1+m_2)gL_1e_1^Tq_1$, $\dot\pi_2=-m_2L_1L_2\omega_1\omega_2q_2^TSq_1-m_2gL_2e_1^Tq_2$)",
       "without gravity each momentum would be constant, that is the links would not act on each other",
       double_pendulum_pi},
  };
  const std::vector<Entry> problems = {
      {glyph, "problems 4.2, 5.2", R"($-q_i\dot q_i^T\frac{\partial L}{\partial\dot q_i}$)",
       R"($+q_i\dot q_i^T\frac{\partial L}{\partial\dot q_i}$)", "sign", expanded_form},
      {result, "problems 4.24, 5.17, kinetic energy of the coupler",
       R"($\frac12\frac m2\lVert\frac{5L}2\dot q_2\rVert^2$)",
       R"($\frac12\frac m2\lVert L\dot q_1+\frac{5L}4\dot q_2\rVert^2$)",
       "the mass of the coupler does not feel the crank that carries it", coupler_energy},
      {slip, "problems 4.25, 5.18", R"($P\frac{\partial\phi}{\partial q}\{\cdot\}$)",
       R"($P\big(\frac{\partial\phi}{\partial q}\big)^T\{\cdot\}$)", "",
       example(R"(virtual work, for a linear $\phi$ that is not symmetric)", change_of_coordinates)},
      {slip, "problem 4.27", R"($a_i(q)\dot q_i$, $q\in\mathbb R^n$)", R"($a_i(q)^T\dot q_i$, $q\in(S^1)^n$)", "",
       no_product({2, 1}, {2, 1})},
  };
  return {book, "chapter 4", joined(joined(first, furuta_and_robot()), problems)};
}

}  // namespace hamel::errata
