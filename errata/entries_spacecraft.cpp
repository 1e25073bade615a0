// Book, chapter 9, sections 9.10 to 9.12.
#include <array>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

constexpr double g = 9.81;
const Vector3d e1 = Vector3d::UnitX(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity(), S1 = hat(e1);

// Three wheels of mass 1/2, whose hubs balance; q = (R, x, q_1, q_2, q_3), xi = (Omega, v, omega).
struct Wheels : Motion {
  explicit Wheels(const std::string& inertia)
      : Motion("spacecraft-reaction-wheels",
               {{"Jw", inertia}, {"rho", "[[0.4, 0.1, 0], [-0.1, 0.5, 0.2], [-0.3, -0.6, -0.2]]"}}) {}
  Matrix3d hubs{{0.4, 0.1, 0}, {-0.1, 0.5, 0.2}, {-0.3, -0.6, -0.2}};  // by rows
  std::array<Matrix3d, 3> axes = {I, Matrix3d{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                  Matrix3d{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  Matrix3d Jb = Vector3d(1.0, 1.4, 1.8).asDiagonal();
  Vector3d Omega = xi.head<3>(), Omega_rate = xi_rate.head<3>();

  Matrix3d Q(int i) const {
    const Vector3d turned(0, q(12 + 2 * i), q(13 + 2 * i));
    Matrix3d spin;
    spin << e1, turned, e1.cross(turned);
    return axes[static_cast<std::size_t>(i)] * spin;
  }
  Matrix3d hub_inertia(int i) const {
    const Matrix3d r = hat(hubs.row(i));
    return 0.5 * r.transpose() * r;
  }
};

Evidence wheel_equation() {  // (9.60), first wheel, without torque
  const Wheels m("[[0.2, 0.02, 0.01], [0.02, 0.3, 0], [0.01, 0, 0.25]]");
  const Matrix3d J{{0.2, 0.02, 0.01}, {0.02, 0.3, 0}, {0.01, 0, 0.25}}, Q = m.Q(0);
  const double w = m.xi(6), w_rate = m.xi_rate(6);
  const double rest =
      -m.Omega.dot(Q * (S1 * J - J * S1) * Q.transpose() * m.Omega) / 2 - m.Omega.dot(Q * S1 * J * e1) * w;
  const auto left = [&](const Vector3d& second) {
    return e1.dot(J * (Q.transpose() * m.Omega_rate - S1 * Q.transpose() * second * w + e1 * w_rate)) + rest;
  };
  return remainders(left(m.Omega_rate), left(m.Omega));
}

Evidence axisymmetric_wheels() {  // Pi = J' Omega + sum alpha omega_i s_i
  const double alpha = 0.2, beta = 0.12;
  const Wheels m("diag(0.2, 0.12, 0.12)");
  const Matrix3d J = Vector3d(alpha, beta, beta).asDiagonal();
  Matrix3d printed = m.Jb, corrected = m.Jb;
  Vector3d spins(0, 0, 0);
  for (int i = 0; i < 3; ++i) {
    const Vector3d s = m.Q(i) * e1;
    printed += m.hub_inertia(i) + J;
    corrected += m.hub_inertia(i) + beta * I + (alpha - beta) * s * s.transpose();
    spins += alpha * m.xi(6 + i) * s;
  }
  const Vector3d Pi = m.pi.head<3>();
  return remainders(Pi - printed * m.Omega - spins, Pi - corrected * m.Omega - spins);
}

// Without feedback: thrusts T_i = (m_i + m_0/2) g e3^T R_i e3, no moments. q = (x0, R0, q1, q2, R1, R2).
struct Quadrotors : Motion {
  Quadrotors()
      : Motion("two-quadrotors-payload", {{"k", "[[0, 0], [0, 0]]"},
                                          {"m", "[0.8, 1.1]"},
                                          {"l", "[1.2, 0.7]"},
                                          {"rho", "[[0.5, 0.1, 0.2], [-0.4, 0.2, 0.1]]"}}) {}
  double m0 = 1.5;
  std::array<double, 2> mass = {0.8, 1.1}, L = {1.2, 0.7};
  std::array<Vector3d, 2> rho = {Vector3d(0.5, 0.1, 0.2), Vector3d(-0.4, 0.2, 0.1)};
  Matrix3d J0 = Vector3d(0.05, 0.30, 0.30).asDiagonal(), R0 = matrix(q, 3);
  Vector3d W0 = xi.segment<3>(3), W0_rate = xi_rate.segment<3>(3), velocity = v.head<3>(), acceleration = a.head<3>();

  Vector3d cable(std::size_t i) const { return q.segment<3>(12 + 3 * static_cast<int>(i)); }
  Vector3d omega(std::size_t i) const { return xi.segment<3>(6 + 3 * static_cast<int>(i)); }
  Vector3d omega_rate(std::size_t i) const { return xi_rate.segment<3>(6 + 3 * static_cast<int>(i)); }
  Matrix3d attitude(std::size_t i) const { return matrix(q, 18 + 9 * static_cast<int>(i)); }
  double thrust(std::size_t i) const { return (mass[i] + m0 / 2) * g * attitude(i)(2, 2); }
  Vector3d force(std::size_t i) const { return thrust(i) * attitude(i) * e3; }
  Vector3d whirl(std::size_t i) const { return R0 * hat(W0) * hat(W0) * rho[i]; }

  Vector3d sum(const std::function<Vector3d(std::size_t)>& term) const { return term(0) + term(1); }
  // What (9.78) and (9.79) have on their left, so that forces remain.
  Vector3d total_force() const {
    return (m0 + mass[0] + mass[1]) * (acceleration + g * e3) + sum([&](std::size_t i) {
             return Vector3d(mass[i] * (-R0 * hat(rho[i]) * W0_rate + L[i] * cable(i).cross(omega_rate(i)) + whirl(i) +
                                        L[i] * omega(i).squaredNorm() * cable(i)));
           });
  }
  Vector3d total_moment() const {
    Matrix3d J = J0;
    for (std::size_t i : {0U, 1U}) J += mass[i] * hat(rho[i]).transpose() * hat(rho[i]);
    return J * W0_rate + W0.cross(J * W0) + sum([&](std::size_t i) {
             const Vector3d swing = L[i] * (cable(i).cross(omega_rate(i)) + omega(i).squaredNorm() * cable(i));
             return Vector3d(mass[i] * rho[i].cross(R0.transpose() * (acceleration + swing + g * e3)));
           });
  }
};

Evidence momentum_of_cable() {  // the first cable
  const Quadrotors m;
  const auto term = [&](std::size_t i) {
    return Vector3d(m.mass[i] * m.L[i] *
                    (m.L[i] * m.omega(i) - m.cable(i).cross(m.velocity + m.R0 * m.W0.cross(m.rho[i]))));
  };
  const Vector3d pi = m.pi.segment<3>(6);
  return remainders(pi - m.sum(term), pi - term(0));
}

Evidence sign_of_thrust() {
  const Quadrotors m;
  const Vector3d forces = m.sum([&](std::size_t i) { return m.force(i); });
  return remainders(m.total_force() + forces, m.total_force() - forces);
}

Evidence moment_of_thrust() {
  const Quadrotors m;
  const auto moments = [&](bool transposed) {
    return m.sum([&](std::size_t i) {
      Matrix3d R = m.attitude(i);
      if (transposed) R.transposeInPlace();
      return Vector3d(m.rho[i].cross(m.R0.transpose() * R * e3 * m.thrust(i)));
    });
  };
  return remainders(m.total_moment() - moments(true), m.total_moment() - moments(false));
}

Evidence identity_of_cross_products() {
  const Matrix3d A = hat(random_vector(3, 1));
  const Vector3d W = vee(A), rho = random_vector(3, 2), right = -hat(rho) * A * A * rho;
  return remainders(A * hat(rho) * W - right, A * hat(rho) * hat(rho) * W - right);
}

Evidence reduced_force() {  // (9.82)
  const Quadrotors m;
  const auto left = [&](double sign) {
    Vector3d result = m.m0 * (m.acceleration + g * e3);
    for (std::size_t i : {0U, 1U}) {
      const Vector3d q = m.cable(i);
      const Matrix3d along = q * q.transpose();
      result += m.mass[i] * (along * (m.acceleration + g * e3 - m.R0 * hat(m.rho[i]) * m.W0_rate + sign * m.whirl(i)) +
                             m.L[i] * m.omega(i).squaredNorm() * q) -
                along * m.force(i);
    }
    return result;
  };
  return remainders(left(-1), left(1));
}

Evidence reduced_moment() {  // (9.83)
  const Quadrotors m;
  const auto left = [&](double sign) {
    Vector3d result = m.J0 * m.W0_rate + m.W0.cross(m.J0 * m.W0);
    for (std::size_t i : {0U, 1U}) {
      const Vector3d q = m.cable(i);
      const Matrix3d along = q * q.transpose(), arm = hat(m.rho[i]) * m.R0.transpose();
      result +=
          m.mass[i] * arm * along * (m.acceleration + sign * g * e3 - m.R0 * hat(m.rho[i]) * m.W0_rate + m.whirl(i)) +
          m.mass[i] * m.L[i] * m.omega(i).squaredNorm() * arm * q - arm * along * m.force(i);
    }
    return result;
  };
  return remainders(left(-1), left(1));
}

}  // namespace

Chapter spacecraft() {
  return {
      book,
      "sections 9.10 to 9.12",
      {
          {slip, "(9.54)", R"($\dot q_i=q_iS\omega_i$)", R"($\dot q_i=\omega_iSq_i$)", "", no_product({2, 1}, {2, 2})},
          {result, "9.10.1, axisymmetric wheels, (9.61)",
           R"($Q_iJ_iQ_i^T=J_i$, so that $J'=J_b+\sum_{i=1}^n(m_iS(\rho)^TS(\rho_i)+J_i)$)",
           R"($Q_iJ_iQ_i^T=\beta_iI+(\alpha_i-\beta_i)s_is_i^T$, which does not depend on the turn of the wheel either)",
           "the inertia of wheels whose axis is not $e_1$ is assigned to wrong axes; evaluated: $\\Pi$",
           axisymmetric_wheels},
          {slip, "(9.59)",
           R"($S(\rho)^TS(\rho_i)$; $\Omega\times\big\{J_b+\sum_{i=1}^n(m_iS(\rho)^TS(\rho_i)+Q_iJ_iQ_i^T)\big\}\Omega+\sum_{i=1}^nQ_iJ_ie_1\omega_i\}$)",
           R"($S(\rho_i)^TS(\rho_i)$; $\Omega\times\big\{\big(J_b+\dots\big)\Omega+\sum_{i=1}^nQ_iJ_ie_1\omega_i\big\}$)",
           ""},
          {glyph, "(9.60)",
           R"($e_1^TJ_i(Q_i^T\dot\Omega-S(e_1)Q_i^T\dot\Omega\omega_i+e_1\dot\omega_i)-\frac12\Omega^TQ_i(S(e_1)J_i-J_iS(e_1))Q_i^T\Omega-\Omega^TQ_iS(e_1)J_ie_1\omega_i=\tau_i$)",
           R"($-S(e_1)Q_i^T\Omega\omega_i$ for the second term)", "dot", wheel_equation},
          {glyph, "9.10.2", R"($\pi_i=\mathbf D_{q_i}L$)", R"($\pi_i=\mathbf D_{\omega_i}L$)", "letter",
           no_sum({2, 1}, {1, 1})},
          {glyph, "9.11.1, equation of the gimbal",
           R"($\frac d{dt}\frac{\partial T}{\partial\omega_g}+q_gS\frac{\partial T}{\partial q_g}=0$)",
           R"($q_g^TS\frac{\partial T}{\partial q_g}$)", "transpose", no_product({2, 1}, {2, 2})},
          {glyph, "9.11.1, $T_r$", R"($\omega_r(e_2J_re_1)\omega_g$)", R"($\omega_r(e_2^TJ_re_1)\omega_g$)",
           "transpose", no_product({3, 1}, {3, 3})},
          {notation, "9.11.1", R"($\xi_r$ in $\dot z_g$; $a\in S^3$; $\rho_r$ in $T_r$)",
           R"($\xi_g$; $a\in S^2$; $\rho_g$)", ""},
          {glyph, "9.12", R"(thrust $-T_iR_ie_3$)", R"($T_iR_ie_3$, as in 9.12.1)", "sign", sign_of_thrust},
          {slip, "9.12.1, $\\mathbf D_{\\omega_i}L$",
           R"($\sum_{i=1}^2m_i(L_i^2\omega_i-L_iS(q_i)\dot x_0-L_iS(q_i)R_0S(\Omega_0)\rho_i)$)",
           R"($m_i(L_i^2\omega_i-L_iS(q_i)\dot x_0-L_iS(q_i)R_0S(\Omega_0)\rho_i)$)", "", momentum_of_cable},
          {slip, "9.12.1, variations",
           R"($\delta\omega_i=-S(\omega_i)\gamma_1+(I-q_iq_i^T)\dot\gamma_i$; $\dot x_i$ in $\mathbf D_{R_0}L$; $S(\omega_0)$ in $\tilde L$)",
           R"($\gamma_i$; $\dot x_0$; $S(\Omega_0)$)", ""},
          {glyph, "9.12.1, second equation", R"($\sum_{i=1}^2S(\rho_i)R_0^TR_i^Te_3T_i$)",
           R"($\sum_{i=1}^2S(\rho_i)R_0^TR_ie_3T_i$, as in (9.79))", "transpose", moment_of_thrust},
          {slip, "9.12.1, identity", R"($S(\Omega_0)S(\rho_i)\Omega_0=-S(\rho_i)S(\Omega_0)^2\rho_i$)",
           R"($S(\Omega_0)S(\rho_i)^2\Omega_0=-S(\rho_i)S(\Omega_0)^2\rho_i$)", "", identity_of_cross_products},
          {glyph, "(9.82)",
           R"($\bar M\ddot x_0-\sum_{i=1}^2m_iq_iq_i^TR_0S(\rho_i)\dot\Omega_0+\sum_{i=1}^2m_i\{L_i\lVert\omega_i\rVert^2q_i-q_iq_i^TR_0S(\omega_0)^2\rho_i\}+\bar Mge_3=\sum_{i=1}^2q_iq_i^TR_ie_3T_i$)",
           R"($\sum_{i=1}^2m_i\{L_i\lVert\omega_i\rVert^2q_i+q_iq_i^TR_0S(\Omega_0)^2\rho_i\}$ for the third term)",
           "sign; (9.83) has it right", reduced_force},
          {glyph, "(9.83), and the second condition of 9.12.4",
           R"($\big(J_0+\sum_{i=1}^2m_iS(\rho_i)^TR_0^Tq_iq_i^TR_0S(\rho_i)\big)\dot\Omega_0+\sum_{i=1}^2m_iS(\rho_i)R_0^Tq_iq_i^T\ddot x_0+\Omega_0\times J_0\Omega_0+\sum_{i=1}^2S(\rho_i)R_0^T(m_iL_i\lVert\omega_i\rVert^2q_i+m_iq_iq_i^TR_0S(\Omega_0)^2\rho_i)-\sum_{i=1}^2m_igS(\rho_i)R_0^Tq_iq_i^Te_3=\sum_{i=1}^2S(\rho_i)R_0^Tq_iq_i^TR_ie_3T_i$)",
           R"($+\sum_{i=1}^2m_igS(\rho_i)R_0^Tq_iq_i^Te_3$)", "sign, in both; (9.79) has it right", reduced_moment},
      }};
}

}  // namespace hamel::errata
