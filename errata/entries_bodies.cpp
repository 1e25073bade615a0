// Book, chapter 9, sections 9.1 to 9.9.
#include <array>
#include <cmath>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

constexpr double g = 9.81;
const Vector2d up(0, 1);
const Vector3d e1 = Vector3d::UnitX(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();
const Matrix2d S = quarter_turn();

MatrixXd plane() { return MatrixXd::Identity(3, 2); }  // Q or C: the first two axes

Evidence slider_crank_linear() {  // r = 0.5, L = 1.2, m = (1, 0.5), at q = -e2
  const double r = 0.5, L = 1.2;
  const auto acceleration = [&](double s) {
    const Vector2d q(std::sin(s), -std::cos(s));
    const double x = r * q(0) + std::sqrt(L * L - r * r * q(1) * q(1));
    return number(Motion("planar-slider-crank", {}, stack({q, number(x)}), VectorXd::Zero(3)).xi_rate(0));
  };
  const double ratio = derivative(acceleration)(0), inertia = 1.5 * r * r;
  return remainders(inertia * ratio + g, inertia * ratio + g * r);
}

// m = (1.3, 0.7), L = (0.9, 1.4); the links point up or down.
Evidence two_pendulums_linear(double s1, double s2, const Vector3d& printed_mass, const Vector3d& printed_stiffness) {
  const double m1 = 1.3, m2 = 0.7, L1 = 0.9, L2 = 1.4;
  const double i11 = (m1 + m2) * L1 * L1, i12 = m2 * L1 * L2, i22 = m2 * L2 * L2, G1 = (m1 + m2) * g * L1,
               G2 = m2 * g * L2;
  const Vector3d xi(0.7, -0.4, 0.5), corrected_stiffness = -Vector3d(s1 * G1, s2 * G2, s2 * G2);
  const Vector2d q1 = s1 * up, dq1 = xi(0) * S * q1;
  const System system = derive(gallery("planar-spherical-pendulum"));
  const Response r = response(system, stack({q1, s2 * e3}), stack({dq1, Vector3d(xi(2), xi(1), 0)}), VectorXd::Zero(5));
  const Vector3d rate(r.xi_rate(0), r.a(3), r.a(2));
  Matrix3d mass{{i11, -s1 * i12, 0}, {-s1 * i12, i22, 0}, {0, 0, i22}}, printed = mass;
  printed.diagonal() = printed_mass;
  return remainders(printed * rate + printed_stiffness.cwiseProduct(xi),
                    mass * rate + corrected_stiffness.cwiseProduct(xi));
}
constexpr double weight1 = 2.0 * g * 0.9, weight2 = 0.7 * g * 1.4;
Evidence two_pendulums_inertia() {
  return two_pendulums_linear(-1, -1, {2.0 * 0.81, weight2, weight2}, {weight1, weight2, weight2});
}
Evidence two_pendulums_stiffness() {
  return two_pendulums_linear(-1, 1, {2.0 * 0.81, 0.7 * 1.96, 0.7 * 1.96}, {-weight1, weight2, weight2});
}

Evidence zeros_of_cart() {
  const double zeros = zero_eigenvalues(derive(gallery("spherical-pendulum-on-cart")), stack({-e3, Vector2d(0, 0)}));
  return remainders(zeros - 2, zeros - 4);
}

Evidence appendage_acceleration() {  // (9.21), second row; m = 0.5, L = 0.6, kappa = 10
  const Motion m("rotating-body-with-appendage");
  const double x = m.q(9), arm = 0.6 + x;
  const Vector3d w = m.xi.head<3>(), across = e1.cross(w);
  const double rest = -0.5 * arm * across.squaredNorm() + 10 * x;
  return remainders(0.5 * m.v(9) + rest, 0.5 * m.a(9) + rest);
}

struct BodyOnCart : Motion {
  BodyOnCart() : Motion("3d-pendulum-on-cart") {}
  double M = 2, m = 1;
  Matrix3d J = Vector3d(0.40, 0.45, 0.12).asDiagonal(), R = matrix(q);
  Vector3d rho{0, 0.1, 0.5}, omega = xi.head<3>();
  Vector2d velocity = v.tail<2>();
  MatrixXd mass(const Matrix3d& A) const {
    MatrixXd result(5, 5);
    result << J, -m * hat(rho) * A.transpose() * plane(), m * plane().transpose() * A * hat(rho),
        (M + m) * Matrix2d::Identity();
    return result;
  }
};

Evidence body_on_cart_momentum() {
  const BodyOnCart m;
  const Vector2d p = m.pi.tail<2>(), own = (m.M + m.m) * m.velocity,
                 swing = m.m * plane().transpose() * m.R * m.rho.cross(m.omega);
  return remainders(p - (own - swing), p - (own + swing));
}

Evidence body_on_cart_hamilton() {
  const BodyOnCart m;
  const Matrix3d T_R = gradient_by_matrix([&](const Matrix3d& A) { return m.pi.dot(solve(m.mass(A), m.pi)) / 2; }, m.R);
  const Vector3d Pi = m.pi.head<3>(), rate = m.pi_rate.head<3>();
  const Vector3d rest = rate - Pi.cross(m.omega) - m.m * g * m.rho.cross(m.R.transpose() * e3);
  return remainders(rest - 2 * moment(m.R, T_R), rest - moment(m.R, T_R));
}

Evidence body_on_cart_variation() {  // of R (omega x rho_0) when R moves by R S(eta)
  const Matrix3d R = random_rotation();
  const Vector3d rho = random_vector(3, 1), w = random_vector(3, 2), eta = random_vector(3, 3);
  const VectorXd exact =
      derivative([&](double s) -> VectorXd { return R * (s == 0 ? I : exponential(s * eta)) * w.cross(rho); });
  return remainders(exact - R * (-rho * w.transpose() - w * rho.transpose()) * eta,
                    exact - R * (-rho * w.transpose() + w * rho.transpose()) * eta);
}

Evidence two_bodies_variation() {  // 9.7.1, the first body; q = (R1, R2, x)
  const Motion m("two-bodies-common-point");
  const Matrix3d J = Vector3d(0.5, 0.6, 0.2).asDiagonal(), R = matrix(m.q);
  const Vector3d d(0, 0, 0.6), w = m.xi.head<3>(), w_rate = m.xi_rate.head<3>(), v = m.v.tail<3>(), a = m.a.tail<3>();
  const Vector3d common = J * w_rate + w.cross(J * w);
  return remainders(common + d.cross(R.transpose() * v), common + d.cross(R.transpose() * a));
}

Evidence free_appendage_momenta() {  // q = (R, y, x); M = 2, m = 0.5, L = 0.6
  const Motion m("free-body-with-appendage");
  const Matrix3d R = matrix(m.q);
  const Vector3d w = m.xi.head<3>(), y_rate = m.v.segment<3>(9);
  const double x = m.q(12), x_rate = m.v(12), arm = 0.6 + x;
  const Vector3d p1 = 2.5 * y_rate + 0.5 * arm * R * w.cross(e1);
  const VectorXd coupling = stack({0.5 * R * e1 * x_rate, number(0.5 * e1.dot(R.transpose() * y_rate))});
  const VectorXd rest = m.pi.tail<4>() - stack({p1, number(0.5 * x_rate)});
  return remainders(rest, rest - coupling);
}

Evidence free_appendage_coriolis() {  // (9.42), first row, with the term of 9.8.1
  const Motion m("free-body-with-appendage");
  const Matrix3d R = matrix(m.q), S1 = hat(e1), J0 = Vector3d(0.5, 0.8, 1.0).asDiagonal();
  const double arm = 0.6 + m.q(12);
  const Matrix3d J = J0 + 0.5 * arm * arm * S1.transpose() * S1;
  const Vector3d w = m.xi.head<3>(), w_rate = m.xi_rate.head<3>(), a = m.a.segment<3>(9);
  const Vector3d rest = J * w_rate + 0.5 * arm * S1 * R.transpose() * a + w.cross(J * w);
  const Vector3d coriolis = 2 * 0.5 * arm * m.v(12) * S1 * S1 * w;
  return remainders(rest + coriolis, rest - coriolis);
}

// Two bodies of three masses each.
struct FullBodies : Motion {
  FullBodies() : Motion("full-body-problem", {}, close_together(), VectorXd::Zero(24)) {}
  static VectorXd close_together() {
    const Vector3d apart(0.4, 0.2, -0.1);
    return stack({flat(random_rotation(1)), Vector3d(0, 0, 0), flat(random_rotation(2)), apart});
  }
  std::array<double, 3> a_mass = {0.5, 0.3, 0.2}, b_mass = {0.2, 0.2, 0.1};
  std::array<Vector3d, 3> rho = {Vector3d(0.12, -0.04, 0.02), Vector3d(-0.18, 0.02, -0.01),
                                 Vector3d(-0.03, 0.07, -0.035)};
  std::array<Vector3d, 3> sigma = {Vector3d(0.1, 0, 0.02), Vector3d(-0.08, 0.05, -0.02), Vector3d(-0.04, -0.1, 0)};
  Matrix3d R1 = matrix(q), R2 = matrix(q, 12);
  Vector3d x1 = q.segment<3>(9), x2 = q.segment<3>(21);
  Vector3d acceleration = a.segment<3>(9);  // of body 1, whose mass is 1

  Vector3d gradient_of_potential(double sign_in_denominator) const {  // F_1 of the text
    Vector3d sum(0, 0, 0);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const Vector3d p = x1 + R1 * rho[i], s = R2 * sigma[j];
        sum += a_mass[i] * b_mass[j] * (p - x2 - s) / std::pow((p - x2 + sign_in_denominator * s).norm(), 3);
      }
    return sum;
  }
};

Evidence sign_of_gravity() {
  const FullBodies m;
  const Vector3d F = m.gradient_of_potential(-1);
  return remainders(m.acceleration - F, m.acceleration + F);
}
Evidence distance_of_bodies() {
  const FullBodies m;
  return remainders(m.acceleration + m.gradient_of_potential(1), m.acceleration + m.gradient_of_potential(-1));
}

}  // namespace

Chapter bodies() {
  return {
      book,
      "sections 9.1 to 9.9",
      {
          {slip, "9.1.1, gradient of $N$",
           R"($\frac1{(x-re_1^Tq)^4}\big[2r(xe_1^TSq)^2(x-2re_1^Tq)-2x^2e_1^TSq(x-re_1^Tq)^2\big]$)",
           R"($\frac1{(x-re_1^Tq)^4}\big[2r(xe_1^TSq)^2(x-2re_1^Tq)e_1-2x^2(e_1^TSq)(x-re_1^Tq)^2e_2\big]$)", "",
           no_sum({1, 1}, {2, 1})},
          {notation, "9.1, 9.2", R"($\gamma:[t_0,t_f]\to\mathbb R^2$; $(q,x,\dot q,\dot x)\in T^*M$)",
           R"($\gamma:[t_0,t_f]\to\mathbb R$; $(q,x,\pi)$)", ""},
          {result, "9.1.4", R"($(m_1+m_2)r^2\ddot\xi_1\pm m_1g\xi_1=0$)", R"($(m_1+m_2)r^2\ddot\xi_1\pm m_1gr\xi_1=0$)",
           R"(the frequency is wrong by $\sqrt r$, and has the wrong unit)", slider_crank_linear},
          {slip, "9.3.1, 9.4.1", R"($I_{2\times2}-q_2q_2^T$ on $S^2$)", R"($I_{3\times3}-q_2q_2^T$)", "",
           no_sum({2, 2}, {3, 3})},
          {result, "9.3.4, mass matrices",
           R"($\begin{bmatrix}(m_1+m_2)L_1^2&m_2L_1L_2&0\\m_2L_1L_2&m_2gL_2&0\\0&0&m_2gL_2\end{bmatrix}$)",
           R"($m_2L_2^2$ for both $m_2gL_2$)", "frequencies are wrong, and have wrong units", two_pendulums_inertia},
          {result, "9.3.4, second equilibrium",
           R"(stiffness $\mathrm{diag}(-(m_1+m_2)gL_1,\ m_2gL_2,\ m_2gL_2)$ at $(-Q^Te_3,e_3)$; the mass corrected)",
           R"($\mathrm{diag}((m_1+m_2)gL_1,\ -m_2gL_2,\ -m_2gL_2)$)", "the hanging link is made the unstable one",
           two_pendulums_stiffness},
          {slip, "9.3.4, last sentence", R"($(-Q^Te_3,e_3,0,0)$ once more)", R"($(Q^Te_3,-e_3,0,0)$)", ""},
          {glyph, "(9.18)", R"($\dot q=-S(q)M_{11}^I(q)\pi-S(q)M_{11}^I(q)p$, $\dot x=M_{21}^I(q)\pi+M_{22}^I(q)p$)",
           R"($\dot q=-S(q)M_{11}^I(q)\pi-S(q)M_{12}^I(q)p$)", "index", no_product({3, 3}, {2, 1})},
          {notation, "9.4.1", R"($\dot\gamma$ for $\gamma$; momentum "orthogonal to $T_qS^2$")",
           R"($\gamma$; orthogonal to $q$)", ""},
          {result, "9.4.4, hanging", "two imaginary and two zero eigenvalues, of eight", "four of each",
           "the cart moves freely in two directions, each with a place and a velocity",
           example("the rank of the stiffness", zeros_of_cart)},
          {glyph, "(9.21)",
           R"($\begin{bmatrix}J+m(L+x)^2S^T(e_1)S(e_1)&0\\0&m\end{bmatrix}\begin{bmatrix}\dot\omega\\\dot x\end{bmatrix}+\begin{bmatrix}2m(L+x)S^T(e_1)S(e_1)\omega\dot x+\omega\times\{J+m(L+x)^2S^T(e_1)S(e_1)\}\omega\\-m(L+x)\omega^TS^T(e_1)S(e_1)\omega\end{bmatrix}+\begin{bmatrix}0\\\kappa x\end{bmatrix}=0$)",
           R"($[\dot\omega;\ \ddot x]$, as in the line before)", "dot", appendage_acceleration},
          {glyph, "9.6.1, variation of the action", R"($-m\dot x^TQ^TR(-\rho_0\omega^T-\omega\rho_0^T)\eta$)",
           R"($-m\dot x^TQ^TR(-\rho_0\omega^T+\omega\rho_0^T)\eta$)", "sign", body_on_cart_variation},
          {glyph, "9.6.2, Legendre transformation and inverse",
           R"($\begin{bmatrix}J&-mS(\rho_0)R^TQ\\-mQ^TRS(\rho_0)&(M+m)I_{2\times2}\end{bmatrix}$)",
           R"($mQ^TRS(\rho_0)$, lower left, as in (9.27); evaluated: $p$)", "sign, or a lost transpose",
           body_on_cart_momentum},
          {glyph, "9.6.2, $\\tilde H$", R"($-mg\rho_0^TR^Te_3^T$)", R"($-mg\rho_0^TR^Te_3$)", "transpose",
           no_product({1, 3}, {1, 3})},
          {glyph, "(9.30)",
           R"($\dot\Pi=\Pi\times(M_{11}^I\Pi+M_{12}^Ip)+\sum_{i=1}^3r_i\times\frac\partial{\partial r_i}\begin{bmatrix}\Pi\\p\end{bmatrix}^T\begin{bmatrix}M_{11}^I&M_{12}^I\\M_{21}^I&M_{22}^I\end{bmatrix}\begin{bmatrix}\Pi\\p\end{bmatrix}+mgS(\rho_0)R^Te_3$)",
           R"($\frac12\sum_{i=1}^3$)", "factor", body_on_cart_hamilton},
          {glyph, "9.7.1, variation of the action",
           R"($\{J_1\dot\omega_1+m_1S(d_1)R_1^T\dot x+S(\omega_1)J_1\omega_1\}^T\eta_1$ and so for 2)",
           R"($m_1S(d_1)R_1^T\ddot x$, as in the equations that follow)", "dot", two_bodies_variation},
          {glyph, "9.8.1, variation of the action", R"($2m(L+x)S(e_1)S(e_1)\omega\dot x$)",
           R"($2m(L+x)S^T(e_1)S(e_1)\omega\dot x$, as in (9.42))", "transpose", free_appendage_coriolis},
          {result, "9.8.2, Legendre transformation and inverse",
           R"($\begin{bmatrix}J+m(L+x)^2S^T(e_1)S(e_1)&m(L+x)S(e_1)R^T&0\\m(L+x)RS^T(e_1)&(M+m)I_{3\times3}&0\\0&0&m\end{bmatrix}$)",
           R"($mRe_1$ and $me_1^TR^T$ where $\dot y$ and $\dot x$ meet, as in (9.42))",
           "momenta of body and proof mass are decoupled, and the Hamiltonian with them", free_appendage_momenta},
          {glyph, "9.9.1, denominators of $M_i$ and $F_i$",
           R"($F_i=\int_{\mathcal B_i}\sum_{j\ne i}\int_{\mathcal B_j}\frac{G(x_i+R_i\rho_i-x_j-R_j\rho_j)dm_j(\rho_j)dm_i(\rho_i)}{\lVert x_i+R_i\rho_i-x_j+R_j\rho_j\rVert^3}$ and so $M_i$; the sign of $F_i$ corrected)",
           R"($\lVert x_i+R_i\rho_i-x_j-R_j\rho_j\rVert^3$ below, as in $U$)", "sign, in both", distance_of_bodies},
          {result, "(9.47), (9.48), (9.51), (9.52)",
           R"($J_i\dot\omega_i+\omega_i\times J_i\omega_i-M_i=0$, $m_i\ddot x_i-F_i=0$ with $\delta U=\sum_{i=1}^nM_i^T\eta_i+\sum_{i=1}^nF_i^T\delta x_i$; the denominators corrected)",
           R"($J_i\dot\omega_i+\omega_i\times J_i\omega_i+M_i=0$, $m_i\ddot x_i+F_i=0$, or $-M_i$, $-F_i$ for the moments and forces)",
           "bodies repel each other", sign_of_gravity},
          {glyph, "9.9.1, 9.9.2, kinetic energy (twice) and $\\Pi_i$ (twice)",
           R"($\frac12\omega_i^TJ\omega_i$, $J\omega_i$)", R"($\frac12\omega_i^TJ_i\omega_i$, $J_i\omega_i$)", "index"},
      }};
}

}  // namespace hamel::errata
