// Book, the elastic rod of chapter 10, and the appendices.
#include <algorithm>
#include <cmath>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

constexpr double g = 9.81;
const Vector3d e2 = Vector3d::UnitY();
const Matrix3d I = Matrix3d::Identity();

const Vector3d masses(0.3, 0.2, 0.5), lengths(0.4, 0.7, 0.5);
double load(int i) { return masses.tail(3 - i).sum(); }

// Elastic rod of three segments.
struct Rod : Motion {
  Rod()
      : Motion("fixed-free-elastic-rod",
               {{"n", "3"}, {"m", "[0.3, 0.2, 0.5]"}, {"l", "[0.4, 0.7, 0.5]"}, {"c", "[0, 0, 0]"}}) {}
  static double beyond(int i) { return load(i) - masses(i); }
  double kinetic(double own) const {  // with M_ii = (own m_i + sum of the masses beyond) L_i^2
    double T = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int k = std::max(i, j);
        const double M = ((i == j ? own : 0.5) * masses(k) + beyond(k)) * lengths(i) * lengths(j);
        T += M / 2 * v.segment<3>(3 * i).dot(v.segment<3>(3 * j));
      }
    return T;
  }
};

Evidence diagonal_inertia_of_rod(double own) {
  const Rod m;
  Workspace work(m.system);
  const double T = m.system.energy(work, 0, m.q, m.v).kinetic;
  return remainders(T - m.kinetic(own), T - m.kinetic(1.0 / 3));
}
Evidence rod_indices() { return diagonal_inertia_of_rod(0.5); }
Evidence rod_centroid() { return diagonal_inertia_of_rod(0.25); }

Evidence potential_of_rod() {
  const Rod m;
  Workspace work(m.system);
  const double U = m.system.energy(work, 0, m.q, m.v).potential;
  const auto sum = [&](const std::function<double(int)>& carried) {
    double result = 0;
    for (int i = 0; i < 3; ++i) result += carried(i) * g * lengths(i) * m.q(3 * i + 2);
    return result;
  };
  return remainders(U - sum([](int i) { return Rod::beyond(i) + (2 - i) * masses(i) / 2; }),
                    U - sum([](int i) { return Rod::beyond(i) + masses(i) / 2; }));
}

Evidence strain_energy() {  // EI = 1, L = 0.1
  const double L = 0.1, theta = 0.6;
  const double energy = std::pow(std::sin(theta / 2) / L, 2) / 2 * L;
  return remainders(energy - (1 - std::cos(theta)) / (4 * L * L), energy - (1 - std::cos(theta)) / (4 * L));
}

Evidence radius_of_polygon() {  // the circle through the corners of two segments of length 1
  const double theta = 0.6;
  const Vector2d a(-1, 0), c(std::cos(theta), std::sin(theta));  // and (0, 0) between them
  const double sides = a.norm() * c.norm() * (c - a).norm(), area = std::abs(a.x() * c.y() - a.y() * c.x()) / 2;
  const double radius = sides / (4 * area);
  return remainders(radius - 1 / std::sin(theta / 2), radius - 1 / (2 * std::sin(theta / 2)));
}

Evidence rod_positions() {  // of the centres: half of the rod, and half of the element
  const Rod m;
  Workspace work(m.system);
  const double U = m.system.energy(work, 0, m.q, m.v).potential;
  const auto sum = [&](const std::function<double(int)>& half) {
    double result = 0, joint = 0;
    for (int i = 0; i < 3; ++i) {
      result += masses(i) * g * (joint + half(i) * m.q(3 * i + 2));
      joint += lengths(i) * m.q(3 * i + 2);
    }
    return result;
  };
  return remainders(U - sum([](int) { return lengths.sum() / 2; }), U - sum([](int i) { return lengths(i) / 2; }));
}

Evidence linear_rotation() {  // U_i = 0 at R = I, as B.3 assumes; U_ii = w_i I, U_12 = c I
  const System system = derive(read_model(HAMEL_SOURCE_DIR "/errata/rotation.toml").model);
  const Matrix3d J = Vector3d(0.13, 0.28, 0.17).asDiagonal();
  const Vector3d sigma(0.5, -0.3, 0.8);
  const Matrix3d second{{1, 0.7, 0}, {0.7, 3, 0}, {0, 0, 5}};
  const VectorXd rate = response(system, flat(I), flat(hat(sigma)), VectorXd::Zero(9)).xi_rate;
  Vector3d printed = J * rate, corrected = J * rate;
  for (int i = 0; i < 3; ++i) {
    printed -= Vector3d::Unit(i).cross(second(i, i) * sigma);
    for (int j = 0; j < 3; ++j) corrected -= hat(Vector3d::Unit(i)) * second(i, j) * hat(Vector3d::Unit(j)) * sigma;
  }
  return remainders(printed, corrected);
}

Evidence rows_of_rotation() {
  const Matrix3d R = random_rotation();
  const Vector3d theta = random_vector(3, 2), r = (R * exponential(theta)).transpose() * e2;
  const Matrix3d back = exponential(-theta);
  return remainders(r - R * back * e2, r - back * R.transpose() * e2);
}

Evidence rate_of_exponential() {  // omega of R exp(S(theta)), and theta'
  const Vector3d theta = random_vector(3, 2), rate = random_vector(3, 3);
  const VectorXd along = derivative([&](double t) { return flat(exponential(theta + t * rate)); });
  const Vector3d omega = vee(exponential(theta).transpose() * matrix(along));
  return remainders(omega - rate, omega - right_jacobian(theta) * rate);
}

}  // namespace

std::vector<Entry> elastic_rod() {
  return {
      {result, "10.5", "the mass of an element is concentrated at its centroid",
       R"(it is uniform, as 10.5.1 computes: $\frac13m_iL_i^2$, not $\frac14m_iL_i^2$)",
       "two inertias in one section; evaluated: the kinetic energy of uniform elements", rod_centroid},
      {slip, "10.5, positions", R"($\frac L2q_1$ and $\sum_{j=1}^{i-1}L_jq_j+\frac L2q_i$, $L$ the total length)",
       R"($\frac{L_1}2q_1$ and $\sum_{j=1}^{i-1}L_jq_j+\frac{L_i}2q_i$, as in 10.5.1; evaluated: the potential)", "",
       rod_positions},
      {slip, "10.5.1, $M_{ij}$", R"($M_{ij}=\big[\frac12m_i+\sum_{p=i+1}^nm_p\big]L_iL_j$ for $j=1,\dots,i$)",
       R"(for $j=1,\dots,i-1$; $M_{ii}$ is as printed before)", "", rod_indices},
      {result, "10.5.1, radius of curvature", R"($R_i=\frac{L_i}{\sin(\theta_i/2)}$)",
       R"($R_i=\frac{L_i}{2\sin(\theta_i/2)}$, of the circle through the joints)",
       "the rod is a beam of stiffness $EI/4$: it sags four times as far", radius_of_polygon},
      {result, "10.5.1, strain energy",
       R"($\sum_{i=1}^n\frac{EI\sin^2(\theta_i/2)}{2L_i^2}L_i=\sum_{i=1}^n\frac{EI}{4L_i^2}(1-\cos\theta_i)$, and in all that follows)",
       R"($\sum_{i=1}^n\frac{EI}{4L_i}(1-\cos\theta_i)$)",
       "the stiffness depends on the unit of length, and on the number of elements", strain_energy},
      {notation, "10.5.1", R"($q_0$ is not defined; the strain energy stands outside the sum)",
       R"($q_0$: direction of the clamp; inside)", ""},
      {glyph, "10.5.2, $\\tilde H$",
       R"($\frac12[\pi_1;\dots;\pi_n][M_{ij}^I][\pi_1;\dots;\pi_n]$ for the kinetic energy; sizes for $n=3$)",
       R"($\frac12[\pi_1;\dots;\pi_n]^T[M_{ij}^I][\pi_1;\dots;\pi_n]$)", "transpose", no_product({9, 1}, {9, 9})},
      {slip, "10.5.3, 10.5.4, weight", R"($\sum_{j=i+1}^n(m_j+\frac12m_i)ge_3^TL_iq_i$)",
       R"($\big(\sum_{j=i+1}^nm_j+\frac12m_i\big)ge_3^TL_iq_i$, as in 10.5.1)", "", potential_of_rod},
      {glyph, "10.5.3, coupling", R"($\frac12\sum_{i=1}^n\sum_{j\ne i}M_{ij}\omega_iS^T(q_i)S(q_j)\omega_j$)",
       R"($M_{ij}\omega_i^TS^T(q_i)S(q_j)\omega_j$)", "transpose", no_product({3, 1}, {3, 3})},
      {slip, "10.5.3", R"($\frac12\sum_{i=1}^nM_{ii}\omega_i\omega_i$)",
       R"($\frac12\sum_{i=1}^nM_{ii}\lVert\omega_i\rVert^2$)", "", no_product({3, 1}, {3, 1})},
  };
}

Chapter appendices() {
  return {
      book,
      "appendices",
      {
          {notation, "B.1", R"($mL^2\ddot q$)", R"($mr^2\ddot q$)", ""},
          {notation, "B.1, B.2",
           R"($mr^2\ddot\xi+\frac{\partial^2U(q_e)}{\partial q^2}\xi=0$ under the assumption $\frac{\partial U(q_e)}{\partial q}=0$)",
           R"(right under this assumption, which excludes the pendulum; where only $P\frac{\partial U(q_e)}{\partial q}=0$ it is $mr^2\ddot\xi+\big\{\frac{\partial^2U(q_e)}{\partial q^2}-\big(q_e\cdot\frac{\partial U(q_e)}{\partial q}\big)I\big\}\xi=0$)",
           ""},
          {theory, "B.3, linearization",
           R"($J\ddot\sigma-\sum_{i=1}^3r_{ei}\times\frac{\partial^2U(R_e)}{\partial r_i^2}\sigma=0$ where $\frac{\partial U(R_e)}{\partial r_i}=0$)",
           R"($J\ddot\sigma-\sum_{i,j=1}^3S(r_{ei})\frac{\partial^2U(R_e)}{\partial r_i\partial r_j}S(r_{ej})\sigma=0$; without the assumption also $+\sum_{i=1}^3S\big(\frac{\partial U(R_e)}{\partial r_i}\big)S(r_{ei})\sigma$)",
           "the stiffness is not symmetric and has other eigenvalues, so that stability is decided by wrong numbers",
           linear_rotation},
          {slip, "B.3, Euler equations", R"($R_ee^{-S(\theta)}e_i$ for $r_i$)", R"($e^{-S(\theta)}R_e^Te_i$)", "",
           rows_of_rotation},
          {slip, "B.3, rates", R"($\omega=\dot\theta$)",
           R"(to first order, which is all that is used; in general $\omega=J_r(\theta)\dot\theta$)", "",
           rate_of_exponential},
      }};
}

}  // namespace hamel::errata
