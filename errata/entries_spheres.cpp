// Book, chapter 5, and "Global Formulations of Lagrangian and Hamiltonian Mechanics on Two-Spheres": (S^2)^n.
#include <cmath>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

constexpr double g = 9.81;
const Vector3d e1 = Vector3d::UnitX(), e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();

Vector3d part(const VectorXd& x, int i) { return x.segment<3>(3 * i); }
Matrix3d P(const Vector3d& q) { return projector(q); }

// Two links with masses 1.3, 0.7 and lengths 0.9, 1.4; e3 points up.
struct DoublePendulum : Motion {
  DoublePendulum() : Motion("chain-pendulum", {{"n", "2"}, {"m", "[1.3, 0.7]"}, {"l", "[0.9, 1.4]"}}) {}
  static constexpr double i11 = 2.0 * 0.81, i12 = 0.7 * 0.9 * 1.4, i22 = 0.7 * 1.96;
  static constexpr double G1 = 2.0 * g * 0.9, G2 = 0.7 * g * 1.4;
};

Evidence hamilton_with_unsymmetric_inverse() {  // (5.26) for the double pendulum, that is (5.73)
  const DoublePendulum m;
  const auto inverse_mass = [&](const VectorXd& x, bool symmetric) {
    const Matrix3d P1 = P(part(x, 0)), P2 = P(part(x, 1));
    Matrix6d M;
    M << m.i11 * I, m.i12 * P1 * (symmetric ? P2 : I), m.i12 * P2 * (symmetric ? P1 : I), m.i22 * I;
    return Matrix6d(inverse(M));
  };
  const auto rate = [&](bool symmetric) {
    const VectorXd vel = inverse_mass(m.q, symmetric) * m.mu;
    const VectorXd T_q =
        gradient([&](const VectorXd& x) { return m.mu.dot(inverse_mass(x, symmetric) * m.mu) / 2; }, m.q);
    VectorXd result(6);
    for (int i = 0; i < 2; ++i) {
      const Vector3d q = part(m.q, i), mu = part(m.mu, i), U_q = (i == 0 ? m.G1 : m.G2) * e3;
      result.segment<3>(3 * i) = part(vel, i).cross(mu.cross(q)) - P(q) * (part(T_q, i) + U_q);
    }
    return result;
  };
  return remainders(m.mu_rate - rate(false), m.mu_rate - rate(true));
}

Evidence gradient_of_modified_lagrangian() {  // of the coupling m12 omega1^T S(q1)^T S(q2) omega2, before (5.17)
  const DoublePendulum m;
  const Vector3d w1 = part(m.xi, 0), w2 = part(m.xi, 1), q1 = part(m.q, 0), q2 = part(m.q, 1), swing = q2.cross(w2);
  const VectorXd L_q1 = gradient([&](const VectorXd& x) { return m.i12 * Vector3d(x).cross(w1).dot(swing); }, q1);
  return remainders(L_q1 - m.i12 * hat(q1).transpose() * swing, L_q1 - m.i12 * hat(w1) * swing);
}

constexpr double Omega = 0.5;  // of the rotating sphere; m = r = 1

Evidence rotating_sphere_hamiltonian() {
  const Motion m("particle-rotating-sphere");
  const double planar = m.q.head<2>().squaredNorm() * Omega * Omega, T2 = m.v.squaredNorm();
  const double coupling = 2 * (hat(Omega * e3) * m.q).dot(m.v);
  return remainders(m.energy - (T2 + coupling + planar) / 2, m.energy - (T2 - planar) / 2);
}

Evidence rotating_sphere_momentum() {  // at an equilibrium on the equator
  const Motion m("particle-rotating-sphere", {}, e1, Vector3d(0, 0, 0));
  return remainders(m.pi, m.pi - Omega * e3);
}

Evidence rotating_sphere_linear() {
  const System system = derive(gallery("particle-rotating-sphere"));
  const VectorXd a = response(system, e3, e1, 0.7 * e2).a;
  return remainders(a - Omega * Omega * e1, a - Omega * Omega * e1 - 2 * Omega * 0.7 * e1);
}

constexpr double m_rod = 1, L_rod = 1.2, kappa = 40, J_rod = m_rod * L_rod * L_rod / 3;

double string_response(double up) {  // xi'' / xi
  return response(derive(gallery("spherical-pendulum-three-strings")), up * e3, e1, Vector3d(0, 0, 0)).a(0);
}
const double constant_force = 3 * (2 - std::sqrt(3.0)) / 2 * kappa * L_rod * L_rod;
const double stiffness = 3 * std::sqrt(3.0) / 16 * kappa * L_rod * L_rod, weight = m_rod * g * L_rod / 2;

Evidence inertia_of_rod() {
  const double K = stiffness - weight;
  return remainders(m_rod * L_rod * L_rod * string_response(1) + K, J_rod * string_response(1) + K);
}
Evidence stiffness_of_strings() {
  return remainders(J_rod * string_response(1) + constant_force - weight,
                    J_rod * string_response(1) + stiffness - weight);
}
Evidence weight_when_hanging() {
  return remainders(J_rod * string_response(-1) + stiffness - weight, J_rod * string_response(-1) + stiffness + weight);
}
Evidence string_when_hanging() {
  const double L = L_rod, d = L / (2 * std::sqrt(3.0));
  const Vector3d s = Vector3d(-L / 2, -d, 0) + L * e3;  // z_1 - L q at q = -e3
  return remainders(s - Vector3d(-L / 2, d, L), s - Vector3d(-L / 2, -d, L));
}

Evidence two_pendulums_linear() {  // out of phase, the second tangent direction; m = l = 1, kappa = 4
  const System system = derive(gallery("two-elastic-spherical-pendulums"));
  const VectorXd equilibrium = stack({e3, -e3});
  const VectorXd a = response(system, equilibrium, stack({e2, 0.3 * e2}), VectorXd::Zero(6)).a;
  return remainders(a(1), a(1) - 4 * 1.3);
}

Evidence rod_between_pendulums() {  // problem 5.16: both ends of a rod, pivots e1 apart
  const Vector3d q1 = random_direction(3), q2 = random_direction(4);
  const double distance = (q1 - (e1 + q2)).squaredNorm();
  return remainders(distance - (q1 - q2).squaredNorm(), distance - (q1 - q2 - e1).squaredNorm());
}

// The chain of the paper at t = 10: a torque at the first joint, a force at the tip.
struct Chain : Motion {
  Chain() : Motion("chain-pendulum-controlled", {}, 10.0) {}
  Vector3d masses{1.3, 0.7, 0.5}, l{0.9, 1.4, 0.6};
  Vector3d w1 = part(xi, 0);
  Vector3d tau = Vector3d(4 * std::sin(20.0), 4 * std::cos(20.0), 0) - 2 * w1, d = 6 * e2;

  double M(int i, int j) const { return masses.tail(3 - std::max(i, j)).sum(); }
  Vector3d direction(int i) const { return part(q, i); }
  MatrixXd angular_mass(const VectorXd& x) const {
    MatrixXd A(9, 9);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        A.block<3, 3>(3 * i, 3 * j) =
            M(i, j) * l(i) * l(j) * (i == j ? I : Matrix3d(hat(part(x, i)).transpose() * hat(part(x, j))));
    return A;
  }
  VectorXd printed_moments() const {  // S(q_i) f_i with f_1 = tau + l_1 S(q_1) d, f_j = l_j S(q_j) d
    VectorXd result(9);
    for (int i = 0; i < 3; ++i)
      result.segment<3>(3 * i) = direction(i).cross(l(i) * direction(i).cross(d) + (i == 0 ? tau : Vector3d(0, 0, 0)));
    return result;
  }
  VectorXd moments() const {
    VectorXd result(9);
    for (int i = 0; i < 3; ++i)
      result.segment<3>(3 * i) = l(i) * direction(i).cross(d) + (i == 0 ? P(direction(0)) * tau : Vector3d(0, 0, 0));
    return result;
  }
};

Evidence chain_kinetic() {
  const Chain m;
  double twice = 0, once = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double factor = m.M(i, j) * m.l(i) * m.l(j), product = part(m.v, i).dot(part(m.v, j)) / 2;
      once += factor * product, twice += factor * factor * product;
    }
  Workspace work(m.system);
  const double T = m.system.energy(work, 10, m.q, m.v).kinetic;
  return remainders(T - twice, T - once);
}

Evidence chain_forces() {  // (39)
  const Chain m;
  VectorXd left = m.angular_mass(m.q) * m.xi_rate;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      if (j != i)
        left.segment<3>(3 * i) -=
            m.M(i, j) * m.l(i) * m.l(j) * part(m.xi, j).squaredNorm() * m.direction(i).cross(m.direction(j));
    left.segment<3>(3 * i) -= m.M(i, i) * g * m.l(i) * e3.cross(m.direction(i));
  }
  return remainders(left - m.printed_moments(), left - m.moments());
}

Evidence chain_weight() {  // (41), with the corrected moments
  const Chain m;
  const VectorXd T_q = gradient([&](const VectorXd& x) { return m.pi.dot(solve(m.angular_mass(x), m.pi)) / 2; }, m.q);
  const auto rate = [&](const std::function<double(int)>& load) {
    VectorXd result = m.moments();
    for (int i = 0; i < 3; ++i)
      result.segment<3>(3 * i) +=
          -m.direction(i).cross(part(T_q, i) + load(i) * e3) + part(m.xi, i).cross(part(m.pi, i));
    return result;
  };
  const double all = g * m.masses.dot(m.l);
  return remainders(m.pi_rate - rate([&](int) { return all; }),
                    m.pi_rate - rate([&](int i) { return m.M(i, i) * g * m.l(i); }));
}

}  // namespace

Chapter spheres() {
  return {
      book,
      "chapter 5",
      {
          {slip, "before (5.17)",
           R"($\frac{\partial\tilde L}{\partial q_i}=\sum_jS(q_i)^Tm_{ij}S(q_j)\omega_j$ and the potential)",
           R"($\sum_{j\ne i}S(\omega_i)m_{ij}S(q_j)\omega_j$; the result is right)", "",
           gradient_of_modified_lagrangian},
          {theory, "(5.26), (5.73)",
           R"($\dot\mu_i=\sum_{j=1}^n(m_{ij}^I\mu_j)\times(\mu_i\times q_i)-\frac12P_i\frac\partial{\partial q_i}\sum_{j,k=1}^n\mu_j^Tm_{jk}^I\mu_k-P_i\frac{\partial U}{\partial q_i}$, where $m^I$ is the inverse of the matrix with the blocks $m_{ij}P_i$)",
           R"(of the matrix with the blocks $m_{ij}P_iP_j$, which is symmetric and has the same values on $T^*(S^2)^n$)",
           "as in (4.22): the derivative by $q_i$ is wrong, and so is the flow", hamilton_with_unsymmetric_inverse},
          {notation, "5.4.3, action and variations; after (5.14); 5.4.2",
           R"($\tilde H(q,\omega)$, $S(\omega)\pi_i$; $S^1$)", R"($\tilde H(q,\pi)$, $S(\omega_i)\pi_i$; $S^2$)", ""},
          {notation, "5.6.1.6, 5.6.5", R"(refers to (5.47); $(e_2,e_2,0,0)\in T(S^1)^2$, "planar")",
           R"((5.36); $(e_3,e_3,0,0)\in T(S^2)^2$, "spherical")", ""},
          {result, "5.6.2.5",
           R"($H=\frac12mL^2\{\lVert\dot q\rVert^2+2q^TS^T(\Omega e_3)\dot q+\Omega^2(q^TCq)\}$ is the Hamiltonian and the energy, and constant)",
           R"($H=\frac12mL^2\{\lVert\dot q\rVert^2-\Omega^2(q^TCq)\}$ is the Hamiltonian, as in 5.6.2.4, and constant; the printed quantity is the kinetic energy in space)",
           "two constants of the motion are taken for one", rotating_sphere_hamiltonian},
          {result, "5.6.2.6, momentum at an equatorial equilibrium", R"($\pi=0$)", R"($\pi=mL^2\Omega e_3$)",
           "the equilibrium is looked for at the wrong momentum", rotating_sphere_momentum},
          {result, "5.6.2.6, poles",
           R"($\ddot\xi_1-\Omega^2\xi_1=0$, $\ddot\xi_2-\Omega^2\xi_2=0$, eigenvalues $\pm\Omega$)",
           R"($\ddot\xi_1-2\Omega\dot\xi_2-\Omega^2\xi_1=0$, $\ddot\xi_2+2\Omega\dot\xi_1-\Omega^2\xi_2=0$, eigenvalues $\pm j\Omega$, double)",
           "the poles are called unstable because of real eigenvalues; these are imaginary, and the particle leaves "
           "the pole no faster than $t$",
           rotating_sphere_linear},
          {glyph, "5.6.3.6, $s_1$, hanging", R"($s_1=[-\frac L2,\ \frac L{2\sqrt3},\ L]^T$)",
           R"($s_1=[-\frac L2,\ -\frac L{2\sqrt3},\ L]^T$)", "sign", string_when_hanging},
          {result, "5.6.3.6, inertia",
           R"($mL^2\ddot\xi_k+\big\{\frac{3(2-\sqrt3)}2\kappa L^2-\frac{mgL}2\big\}\xi_k=0$; the rest corrected)",
           R"($J\ddot\xi_k$ for $mL^2\ddot\xi_k$, with the $J$ of (5.47))", "frequencies are wrong by $\\sqrt{mL^2/J}$",
           inertia_of_rod},
          {result, "5.6.3.6, stiffness", R"($\frac{3(2-\sqrt3)}2\kappa L^2$; the rest corrected)",
           R"($\frac{3\sqrt3}{16}\kappa L^2$)",
           "the change of the forces of the strings is left out: the inverted pendulum is called stable for too weak "
           "springs",
           stiffness_of_strings},
          {result, "5.6.3.6, weight, hanging", R"($-\frac{mgL}2$; the rest corrected)", R"($+\frac{mgL}2$)",
           "gravity is made to destabilize the hanging pendulum", weight_when_hanging},
          {glyph, "5.6.4.5, $H$", R"($k(1-q_1^Tq_2)$)", R"($\kappa(1-q_1^Tq_2)$)", "letter"},
          {result, "5.6.4.6",
           R"($mL^2\ddot\xi_{i1}-\kappa(\xi_{21}+\xi_{11})=0$ and $mL^2\ddot\xi_{i2}=0$ out of phase; $\xi_{21}-\xi_{11}$ and so on in phase)",
           R"($mL^2\ddot\xi_{i2}-\kappa(\xi_{12}+\xi_{22})=0$ out of phase, and so in phase)",
           "the spring acts in one of two directions only; the eigenvalues that follow are those of the right "
           "equations",
           two_pendulums_linear},
          {slip, "problem 5.15(e)", "two shortest geodesics between antipodes", "infinitely many", ""},
          {result, "problem 5.16, rod between two pendulums whose pivots are $e_1$ apart",
           R"($\lVert q_1-q_2\rVert^2=1$)", R"($\lVert q_1-q_2-e_1\rVert^2=1$)", "the rod has another length",
           rod_between_pendulums},
      }};
}

Chapter two_spheres_paper() {
  return {
      "[P]",
      "Mechanics on Two-Spheres",
      {
          {notation, "(21), and the action of section IV", R"($H(\mu,p)$, $\tilde H(q,\omega)$)",
           R"($H(q,\mu)$, $\tilde H(q,\pi)$)", ""},
          {theory, "(26)",
           R"($\dot\mu_i=\sum_{j=1}^n(m_{ij}^I\mu_j)\times(\mu_i\times q_i)-\frac12P_i\frac\partial{\partial q_i}\sum_{j=1}^n\sum_{k=1}^n\mu_j^Tm_{jk}^I\mu_k-P_i\big(\frac{\partial U}{\partial q_i}-f_i\big)$, where $m^I$ is the inverse of the matrix with the blocks $m_{ij}P_i$)",
           R"(of the matrix with the blocks $m_{ij}P_iP_j$, which is symmetric)",
           "as in (4.22) of [M]: the derivative by $q_i$ is wrong, and so is the flow",
           hamilton_with_unsymmetric_inverse},
          {slip, "(37)", R"($T=\frac12\sum_{i,j=1}^nM_{ij}l_il_j\,\omega_i^TS(q_i)^TM_{ij}l_il_jS(q_j)\omega_j$)",
           R"($T=\frac12\sum_{i,j=1}^nM_{ij}l_il_j\,\omega_i^TS(q_i)^TS(q_j)\omega_j$)", "", chain_kinetic},
          {result, "(39), forces",
           R"($M_{ii}l_i^2\dot\omega_i+\sum_{j\ne i}M_{ij}l_il_jS^T(q_i)S(q_j)\dot\omega_j-\sum_{j\ne i}M_{ij}l_il_j\lVert\omega_j\rVert^2S(q_i)q_j-\sum_{j=i}^nm_jgl_iS(e_3)q_i=S(q_i)f_i$ with $f_1=\tau+l_1S(q_1)d$, $f_j=l_jS(q_j)d$)",
           R"($l_iS(q_i)d+\delta_{i1}P_1\tau$ on the right)",
           "these $f_i$ are moments already: crossed with $q_i$ once more, they act at right angles to what is meant",
           chain_forces},
          {glyph, "(41), weight",
           R"($\dot\pi_i=-S(q_i)\big\{\frac12\frac\partial{\partial q_i}\sum_{j,k=1}^n\pi_j^TM_{jk}^I\pi_k+\sum_{j=1}^nm_jgl_je_3\big\}+\big\{\sum_{j=1}^nM_{ij}^I\pi_j\big\}\times\pi_i+S(q_i)f_i$; the moments corrected)",
           R"($\sum_{j=i}^nm_jgl_ie_3$)", "indices", chain_weight},
      }};
}

}  // namespace hamel::errata
