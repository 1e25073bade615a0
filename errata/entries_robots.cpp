// Book, chapter 4: the Furuta pendulum and the revolute robot.
#include <cmath>

#include "two_links.hpp"

namespace hamel::errata {
namespace {

using namespace two_links;

struct Furuta : Motion {
  Furuta() : Motion("furuta-pendulum") {}
  Vector2d q1 = part(q, 0), q2 = part(q, 1), v1 = part(v, 0), v2 = part(v, 1);
  double m11 = (m1 + m2) * L1 * L1 + i22 * q2(0) * q2(0);
  Matrix2d m12 = m2 * L2 * (L1 * S + L2 * q2(0) * I) * q1 * e1.transpose();

  Vector2d T_q1() const { return m2 * L2 * v2(0) * (L1 * S + L2 * q2(0) * I).transpose() * v1; }
  Vector2d T_q2() const { return i22 * (q2(0) * v1.squaredNorm() + v2(0) * v1.dot(q1)) * e1; }
  Matrix2d m12_rate() const { return m2 * L2 * ((L1 * S + L2 * q2(0) * I) * v1 + L2 * v2(0) * q1) * e1.transpose(); }
  Vector2d F1() const { return 2 * i22 * q2(0) * v2(0) * v1 + m12_rate() * v2 - T_q1(); }
  Vector2d F2() const { return m12_rate().transpose() * v1 - T_q2(); }
  Matrix2d scalar_mass() const { return Matrix2d{{m11, -i12 * q2(1)}, {-i12 * q2(1), i22}}; }
};

Evidence furuta_position() {  // by the kinetic energy that follows
  const Furuta m;
  Workspace work(m.system);
  const double T = m.system.energy(work, 0, m.q, m.v).kinetic;
  const auto kinetic = [&](const Matrix2d& across) {
    const Vector2d velocity = L1 * m.v1 + L2 * (m.v2(0) * across * m.q1 + m.q2(0) * across * m.v1);
    return m1 / 2 * L1 * L1 * m.v1.squaredNorm() + m2 / 2 * (velocity.squaredNorm() + std::pow(L2 * m.v2(1), 2));
  };
  return remainders(T - kinetic(I), T - kinetic(S));
}

Evidence furuta_potential() {
  const Furuta m;
  Workspace work(m.system);
  const double U = m.system.energy(work, 0, m.q, m.v).potential, height = L2 * m.q2(1);
  return remainders(U - m2 * g * L2 * height, U - m2 * g * height);
}

Evidence furuta_energy() {
  const Furuta m;
  const auto drift = [&](double sign) {
    return rate_along(m, [&](const State& s) {
      Workspace work(m.system);
      return m.system.energy(work, 0, s.q, s.v).kinetic + sign * G2 * s.q(3);
    });
  };
  return remainders(drift(-1), drift(1));
}

Evidence furuta_modified_lagrangian() {  // the coupling of omega_1 and omega_2
  const Furuta m;
  Workspace work(m.system);
  const double T = m.system.energy(work, 0, m.q, m.v).kinetic, w1 = m.xi(0), w2 = m.xi(1);
  const double rest = T - m.m11 * w1 * w1 / 2 - i22 * w2 * w2 / 2;
  return remainders(rest - m.q1.dot(S.transpose() * m.m12 * m.q2) * w1 * w2,
                    rest - m.q1.dot(S.transpose() * m.m12 * S * m.q2) * w1 * w2);
}

Evidence furuta_angular() {
  const Furuta m;
  const double w1 = m.xi(0), w2 = m.xi(1), x = m.q2(0), y = m.q2(1);
  const Vector2d r = m.xi_rate;
  const VectorXd printed = pair(m.m11 * r(0) + m.q1.dot(m.m12 * m.q2) * r(1) + m.q1.dot(S * m.m12 * m.q2) * w2 * w2 -
                                    m.q1.dot(S * (m.m12 * m.q2 * w1 * w2 + m.F1())),
                                m.q2.dot(m.m12.transpose() * m.q1) * r(0) + i22 * r(1) -
                                    m.q2.dot(S * (m.m12.transpose() * m.q1 * w1 * w2 + m.F2() + G2 * e2)));
  const VectorXd corrected =
      m.scalar_mass() * r + pair(-2 * i22 * x * y * w1 * w2 - i12 * x * w2 * w2, i22 * x * y * w1 * w1 + G2 * x);
  return remainders(printed, corrected);
}

Evidence furuta_legendre() {
  const Furuta m;
  const double w1 = m.xi(0), w2 = m.xi(1);
  const VectorXd printed =
      pair(m.m11 * w1 + m.q1.dot(S * m.m12 * m.q2) * w2, m.q2.dot(m.m12.transpose() * m.q1) * w1 + i22 * w2);
  return remainders(m.pi - printed, m.pi - m.scalar_mass() * m.xi);
}

Evidence furuta_velocity() {  // (4.87), (4.88): q' from mu
  const Furuta m;
  Matrix4d bare, projected;
  bare << m.m11 * I, m.m12, m.m12.transpose(), i22 * I;
  projected << m.m11 * I, P(m.q1) * m.m12 * P(m.q2), P(m.q2) * m.m12.transpose() * P(m.q1), i22 * I;
  return remainders(m.v - solve(bare, m.mu), m.v - solve(projected, m.mu));
}

Evidence furuta_mu() {
  const Furuta m;
  const auto bare_inverse = [&](const VectorXd& x) {
    const Vector2d x1 = part(x, 0), x2 = part(x, 1);
    const double x11 = (m1 + m2) * L1 * L1 + i22 * x2(0) * x2(0);
    const Matrix2d x12 = m2 * L2 * (L1 * S + L2 * x2(0) * I) * x1 * e1.transpose();
    Matrix4d M;
    M << x11 * I, x12, x12.transpose(), i22 * I;
    return Matrix4d(inverse(M));
  };
  const Vector2d mu1 = part(m.mu, 0), mu2 = part(m.mu, 1);
  const Matrix4d inv = bare_inverse(m.q);
  const Matrix2d N12 = inv.topRightCorner<2, 2>();
  const VectorXd by_q1 =
      gradient([&](const VectorXd& x) { return mu1.dot(bare_inverse(x).topRightCorner<2, 2>() * mu2); }, m.q);
  const VectorXd by_q2 = gradient(
      [&](const VectorXd& x) {
        const Matrix4d N = bare_inverse(x);
        return mu1.dot(N.topLeftCorner<2, 2>() * mu1) / 2 + mu1.dot(N.topRightCorner<2, 2>() * mu2);
      },
      m.q);
  const VectorXd printed = pair(mu1 * m.q1.dot(N12 * mu2) - mu1.dot(N12 * mu2) * m.q1 - P(m.q1) * part(by_q1, 0),
                                mu2 * m.q2.dot(N12.transpose() * mu1) - mu2.dot(N12.transpose() * mu1) * m.q2 -
                                    P(m.q2) * (part(by_q2, 1) - G2 * e2));
  const Vector2d p1 = m.m11 * m.v1 + m.m12 * m.v2, p2 = m.m12.transpose() * m.v1 + i22 * m.v2;
  const VectorXd corrected = pair(P(m.q1) * m.T_q1() - m.q1.dot(p1) * m.v1 - m.v1.dot(p1) * m.q1,
                                  P(m.q2) * (m.T_q2() - G2 * e2) - m.q2.dot(p2) * m.v2 - m.v2.dot(p2) * m.q2);
  return remainders(m.mu_rate - printed, m.mu_rate - corrected);
}

Evidence furuta_linear() {  // lambda^2 at the inverted equilibrium, from the motion that an angle of link 2 starts
  const System system = derive(gallery("furuta-pendulum"));
  const VectorXd equilibrium = pair(e2, e2), none = VectorXd::Zero(4);
  const VectorXd r = response(system, equilibrium, pair(Vector2d(0, 0), S * e2), none).xi_rate;
  const double square = r(1);  // the first link does not feel its own angle
  return remainders(square - g / L2, square - (m1 + m2) * g / (m1 * L2));
}

struct Robot : Motion {
  Robot() : Motion("revolute-robot-3d") {}
  Vector2d q0 = part(q, 0), q1 = part(q, 1), q2 = part(q, 2), v0 = part(v, 0), v1 = part(v, 1), v2 = part(v, 2);
  double rho1 = L1 * q1(0), rho2 = rho1 + L2 * q2(0), M00 = 0.5 + m1 * rho1 * rho1 + m2 * rho2 * rho2;
  Vector2d M_1 = 2 * L1 * (m1 * rho1 + m2 * rho2) * e1, M_2 = 2 * m2 * L2 * rho2 * e1;  // dM00/dq_i
  double M00_rate = M_1.dot(v1) + M_2.dot(v2);
};

Evidence robot_acceleration() {
  const Robot m;
  const Vector2d a1 = part(m.a, 1), a2 = part(m.a, 2);
  const auto rows = [&](double factor) {
    return pair(i11 * a1 + i12 * P(m.q1) * a2 + i11 * m.v1.squaredNorm() * m.q1 +
                    P(m.q1) * (G1 * e2 - factor * m.v0.squaredNorm() * m.M_1),
                i12 * P(m.q2) * a1 + i22 * a2 + i22 * m.v2.squaredNorm() * m.q2 +
                    P(m.q2) * (G2 * e2 - factor * m.v0.squaredNorm() * m.M_2));
  };
  return remainders(rows(1), rows(0.5));
}

Evidence robot_base() {
  const Robot m;
  const double common = m.M00 * m.xi_rate(0);
  return remainders(common - m.M00_rate * m.q1.dot(S * m.q0) * m.xi(0), common + m.M00_rate * m.xi(0));
}

Evidence robot_angular() {
  const Robot m;
  const double s = i12 * m.q1.dot(S * m.q2), w0 = m.xi(0), w1 = m.xi(1), w2 = m.xi(2);
  const Vector2d r = m.xi_rate.tail<2>();
  const auto rows = [&](double factor) {
    return VectorXd(links_mass(m.q1, m.q2) * r + pair(s * w2 * w2, -s * w1 * w1) +
                    factor * w0 * w0 * pair(m.q1.dot(S * m.M_1), m.q2.dot(S * m.M_2)) +
                    pair(G1 * m.q1(0), G2 * m.q2(0)));
  };
  return remainders(rows(1), rows(0.5));
}

Evidence robot_mu() {
  const Robot m;
  const double n0 = m.v0.squaredNorm(), v12 = m.v1.dot(m.v2);
  const auto rows = [&](double factor, double coupling) {
    return pair(-i11 * m.v1.squaredNorm() * m.q1 - i12 * m.v1 * m.v2.dot(m.q1) - coupling * i12 * v12 * m.q1 +
                    P(m.q1) * (factor * n0 * m.M_1 - G1 * e2),
                -i22 * m.v2.squaredNorm() * m.q2 - i12 * m.v2 * m.v1.dot(m.q2) - coupling * i12 * v12 * m.q2 +
                    P(m.q2) * (factor * n0 * m.M_2 - G2 * e2));
  };
  const VectorXd rate = m.mu_rate.tail<4>();
  return remainders(rate - rows(1, 0), rate - rows(0.5, 1));
}

Evidence robot_pi() {
  const Robot m;
  const auto kinetic = [&](const VectorXd& x) {
    const Vector2d x1 = part(x, 0), x2 = part(x, 1), p = m.pi.tail<2>();
    const double r1 = L1 * x1(0), r2 = r1 + L2 * x2(0), M = 0.5 + m1 * r1 * r1 + m2 * r2 * r2;
    return m.pi(0) * m.pi(0) / (2 * M) + p.dot(solve(links_mass(x1, x2), p)) / 2;
  };
  const VectorXd T_q = gradient(kinetic, pair(m.q1, m.q2));
  const VectorXd turning = pair(m.q1.dot(S * part(T_q, 0)), m.q2.dot(S * part(T_q, 1)));
  const VectorXd weight = pair(G1 * m.q1(0), G2 * m.q2(0)), rate = m.pi_rate.tail<2>();
  return remainders(rate - (turning + weight), rate - (turning - weight));
}

}  // namespace

std::vector<Entry> furuta_and_robot() {
  return {
      {slip, "4.6.6, $x_2$", R"($x_2=x_1+L_2(q_{21}Cq_1+q_{22}e_3)$)",
       R"($x_2=x_1+L_2(q_{21}CSq_1+q_{22}e_3)$; the next line is right; evaluated by the kinetic energy)", "",
       furuta_position},
      {slip, "4.6.6, potential", R"($U(q)=m_2gL_2e_3^Tx_2$)", R"($U(q)=m_2g\,e_3^Tx_2$; the second half is right)", "",
       furuta_potential},
      {slip, "4.6.6.2, $\\tilde L$",
       R"($\frac12m_{11}\omega_1^2+q_1^TS^Tm_{12}q_2Sq_2\,\omega_1\omega_2+\frac12m_{22}\omega_2^2-m_2gL_2e_3^TDq_2$; evaluated without $Sq_2$, which would make it a vector)",
       R"($q_1^TS^Tm_{12}Sq_2\,\omega_1\omega_2=-m_2L_1L_2(e_2^Tq_2)\omega_1\omega_2$ for the second term)", "",
       furuta_modified_lagrangian},
      {result, "(4.85), (4.86)",
       R"($m_{11}\dot\omega_1+q_1^Tm_{12}q_2\dot\omega_2+q_1^TSm_{12}q_2\lVert\omega_2\rVert^2-q_1^TS\{m_{12}q_2\omega_1\omega_2+F_1(q,\dot q)\}=0$, $q_2^Tm_{12}^Tq_1\dot\omega_1+m_{22}\dot\omega_2-q_2^TS\{m_{12}^Tq_1\omega_1\omega_2+F_2(q,\dot q)+m_2gL_2e_2\}=0$)",
       R"($m_{11}\dot\omega_1-b\,q_{22}\dot\omega_2-2m_2L_2^2q_{21}q_{22}\omega_1\omega_2-b\,q_{21}\omega_2^2=0$, $m_2L_2^2\dot\omega_2-b\,q_{22}\dot\omega_1+m_2L_2^2q_{21}q_{22}\omega_1^2+m_2gL_2q_{21}=0$, $b=m_2L_1L_2$)",
       "(4.14) is for inertias that are multiples of $I$, and $m_{12}$ is none: the angular form of the Furuta "
       "pendulum is another system",
       furuta_angular},
      {result, "(4.87), (4.88)",
       R"($m^I$ is the inverse of $\begin{bmatrix}m_{11}I&m_{12}\\m_{12}^T&m_{22}I\end{bmatrix}$)",
       R"(of $\begin{bmatrix}m_{11}I&P_1m_{12}P_2\\P_2m_{12}^TP_1&m_{22}I\end{bmatrix}$)",
       "velocities do not belong to their momenta, and are not tangent to the circles", furuta_velocity},
      {result, "(4.89), (4.90)",
       R"($\dot\mu_1=\mu_1q_1^Tm_{12}^I\mu_2-\mu_1^Tm_{12}^I\mu_2q_1-P_1\frac{\partial\mu_1^Tm_{12}^I\mu_2}{\partial q_1}$, $\dot\mu_2=\mu_2q_2^Tm_{12}^{IT}\mu_1-\mu_2^Tm_{12}^{IT}\mu_1q_2-P_2\big\{\frac\partial{\partial q_2}\big(\frac12\mu_1^Tm_{11}^I\mu_1+\mu_1^Tm_{12}^I\mu_2\big)-m_2gL_2e_2\big\}$)",
       R"($\dot\mu_i=P_i\frac{\partial L}{\partial q_i}-(q_i\cdot p_i)\dot q_i-(\dot q_i\cdot p_i)q_i$, $p_i=\frac{\partial L}{\partial\dot q_i}$)",
       "terms with $m_{11}^I$, $m_{22}^I$ are missing and gravity has the opposite sign: the pendulum falls upward",
       furuta_mu},
      {result, "4.6.6.4, Legendre transformation",
       R"($\pi_1=m_{11}\omega_1+q_1^TSm_{12}q_2\omega_2$, $\pi_2=q_2^Tm_{12}^Tq_1\omega_1+m_{22}\omega_2$)",
       R"($\pi_1=m_{11}\omega_1-b\,q_{22}\omega_2$, $\pi_2=m_{22}\omega_2-b\,q_{22}\omega_1$, $b=m_2L_1L_2$)",
       "the matrix is not symmetric, and these are not the derivatives of $\\tilde L$", furuta_legendre},
      {result, "(4.91) to (4.94)",
       R"($\dot q_1=Sq_1(m_{11}^I\pi_1+m_{12}^I\pi_2)$, $\dot q_2=Sq_2(m_{12}^{IT}\pi_1+m_{22}^I\pi_2)$, $\dot\pi_i=q_i^TS\frac\partial{\partial q_i}\big(\frac12m_{11}^I\pi_1^2+q_1^Tm_{12}^{IT}q_2\pi_1\pi_2+\frac12m_{22}^I\pi_2^2\big)$, for $i=2$ also $+q_2^TSm_2gL_2e_2$, with the $2\times2$ blocks of (4.87))",
       R"($m^I$ is the inverse of the $2\times2$ matrix of scalars of the Legendre transformation)",
       "scalars and matrices do not fit together, so that the four equations cannot be used",
       no_product({2, 1}, {2, 2})},
      {result, "4.6.6.5, $H$",
       R"($H=\frac12\dot q_1^Tm_{11}\dot q_1+\dot q_1^Tm_{12}\dot q_2+\frac12\dot q_2^Tm_{22}\dot q_2-mgL_2e_3^TDq_2$; evaluated with $m_2$)",
       R"($+m_2gL_2e_3^TDq_2$ for the last term)", "the quantity that is called constant is not", furuta_energy},
      {result, "4.6.6.6, inverted",
       R"($(m_1+m_2)L_1^2\ddot\xi_{11}=0$, $m_2L_2^2\ddot\xi_{21}-m_2gL_2\xi_{21}=0$, $\lambda=\pm\sqrt{g/L_2}$)",
       R"(coupled by $m_2L_1L_2$: $\lambda^2=\frac{(m_1+m_2)g}{m_1L_2}$)",
       "unstable still, but faster: the arm yields; hanging, the frequency is wrong by the same factor", furuta_linear},
      {result, "(4.95), rows 2 and 3",
       R"($\begin{bmatrix}M_{00}I&0&0\\0&(m_1+m_2)L_1^2I&m_2L_1L_2P_1\\0&m_2L_1L_2P_2&m_2L_2^2I\end{bmatrix}\begin{bmatrix}\ddot q_0\\\ddot q_1\\\ddot q_2\end{bmatrix}+\begin{bmatrix}M_{00}\lVert\dot q_0\rVert^2q_0\\(m_1+m_2)L_1^2\lVert\dot q_1\rVert^2q_1\\m_2L_2^2\lVert\dot q_2\rVert^2q_2\end{bmatrix}+\begin{bmatrix}\dot M_{00}P_0\dot q_0\\-P_1\frac\partial{\partial q_1}\dot q_0^TM_{00}\dot q_0\\-P_2\frac\partial{\partial q_2}\dot q_0^TM_{00}\dot q_0\end{bmatrix}+\begin{bmatrix}0\\(m_1+m_2)gL_1P_1e_2\\m_2gL_2P_2e_2\end{bmatrix}=0$)",
       R"($-\frac12P_i\frac\partial{\partial q_i}\dot q_0^TM_{00}\dot q_0$ in rows 2 and 3 of the third term)",
       "the centrifugal moment on the arm is twice what it is", robot_acceleration},
      {result, "(4.99), row 1", R"($M_{00}(q)\dot\omega_0-\dot M_{00}(q)q_1^TSq_0\omega_0=0$)",
       R"($M_{00}(q)\dot\omega_0+\dot M_{00}(q)\omega_0=0$)",
       "the momentum $M_{00}\\omega_0$ of the base, called constant in 4.6.7.6, would not be", robot_base},
      {result, "(4.99), rows 2 and 3",
       R"($(m_1+m_2)L_1^2\dot\omega_1+m_2L_1L_2q_1^Tq_2\dot\omega_2+m_2L_1L_2q_1^TSq_2\omega_2^2+q_1^TS\frac\partial{\partial q_1}q_0^TM_{00}q_0\omega_0^2+(m_1+m_2)gL_1e_1^Tq_1=0$, $m_2L_1L_2q_2^Tq_1\dot\omega_1+m_2L_2^2\dot\omega_2+m_2L_1L_2q_2^TSq_1\omega_1^2+q_2^TS\frac\partial{\partial q_2}q_0^TM_{00}q_0\omega_0^2+m_2gL_2e_1^Tq_2=0$)",
       R"($\frac12q_i^TS\frac{\partial M_{00}}{\partial q_i}\omega_0^2$ for the fourth terms)",
       "the centrifugal moment on the arm is twice what it is", robot_angular},
      {result, "(4.101), rows 2 and 3",
       R"($\dot\mu_1=-(m_1+m_2)L_1^2\lVert\dot q_1\rVert^2q_1-m_2L_1L_2\dot q_1\dot q_2^Tq_1+P_1\frac\partial{\partial q_1}\dot q_0^TM_{00}\dot q_0-(m_1+m_2)gL_1P_1e_2$, $\dot\mu_2=-m_2L_2^2\lVert\dot q_2\rVert^2q_2-m_2L_1L_2\dot q_2\dot q_1^Tq_2+P_2\frac\partial{\partial q_2}\dot q_0^TM_{00}\dot q_0-m_2gL_2P_2e_2$)",
       R"($\frac12P_1\frac\partial{\partial q_1}\dot q_0^TM_{00}\dot q_0$, and $-m_2L_1L_2(\dot q_1\cdot\dot q_2)q_1$ besides; so for 2)",
       "the momenta leave the cotangent spaces, and the centrifugal moment is doubled", robot_mu},
      {glyph, "(4.103)",
       R"($\dot\pi_1=q_1^TS\frac{\partial\tilde T}{\partial q_1}+(m_1+m_2)gL_1e_1^Tq_1$, $\dot\pi_2=q_2^TS\frac{\partial\tilde T}{\partial q_2}+m_2gL_2e_1^Tq_2$)",
       R"($-(m_1+m_2)gL_1e_1^Tq_1$, $-m_2gL_2e_1^Tq_2$)", "signs", robot_pi},
      {notation, "4.6.7.3, Legendre transformation", R"($q_1,q_2,q_3$ in the three rows)", R"($q_0,q_1,q_2$)", ""},
      {notation, "4.6.7.5", R"(the printed matrix from $\dot q$ to $\dot x$ is called $3\times3$)",
       R"(it has $3\times3$ blocks and is $3\times6$; on the tangent space, of dimension 3, it is singular where $(q_1^TSq_2)\,e_1^T(L_1q_1+L_2q_2)=0$)",
       ""},
  };
}

}  // namespace hamel::errata
