// Book, chapter 10 and the appendices, and "Dynamics and Control of a Chain Pendulum on a Cart".
#include <algorithm>
#include <cmath>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

constexpr double g = 9.81;
const Vector3d e1 = Vector3d::UnitX(), e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ();
const Matrix3d I = Matrix3d::Identity();

const Vector3d masses(0.3, 0.2, 0.5), lengths(0.4, 0.7, 0.5);
double load(int i) { return masses.tail(3 - i).sum(); }  // mu_i
double inertia(int i, int j) { return load(std::max(i, j)) * lengths(i) * lengths(j); }
const Overrides three_links = {{"n", "3"}, {"m", "[0.3, 0.2, 0.5]"}, {"l", "[0.4, 0.7, 0.5]"}};

// Three links behind a cart (E = C, 2 columns) or a free end (E = I).
struct Chain : Motion {
  Chain(const std::string& id, double end_mass, const MatrixXd& directions, const Overrides& settings)
      : Motion(id, settings), M00(end_mass + masses.sum()), E(directions), k(static_cast<int>(directions.cols())) {}
  double M00;
  MatrixXd E;
  int k;
  Vector3d link(const VectorXd& x, int i) const { return x.segment<3>(k + 3 * i); }
  VectorXd swings(const std::function<Vector3d(int)>& term) const {
    Vector3d sum(0, 0, 0);
    for (int i = 0; i < 3; ++i) sum += load(i) * lengths(i) * term(i);
    return E.transpose() * sum;
  }
  MatrixXd mass(const VectorXd& x) const {
    MatrixXd A(k + 9, k + 9);
    A.topLeftCorner(k, k) = M00 * MatrixXd::Identity(k, k);
    for (int i = 0; i < 3; ++i) {
      A.block(0, k + 3 * i, k, 3) = -load(i) * lengths(i) * E.transpose() * hat(link(x, i));
      A.block(k + 3 * i, 0, 3, k) = A.block(0, k + 3 * i, k, 3).transpose();
      for (int j = 0; j < 3; ++j)
        A.block<3, 3>(k + 3 * i, k + 3 * j) =
            inertia(i, j) * (i == j ? I : Matrix3d(hat(link(x, i)).transpose() * hat(link(x, j))));
    }
    return A;
  }
};

Chain on_cart() { return {"chain-pendulum-on-cart", 0.5, MatrixXd::Identity(3, 2), three_links}; }
Chain free_chain() {
  Overrides settings = three_links;
  settings.emplace_back("m0", "0.8");
  return {"free-free-chain", 0.8, MatrixXd::Identity(3, 3), settings};
}

// (10.7) and (10.15): S^T(q_i) omega_i, and omega_i'
Evidence translation(const Chain& m, const Vector3d& weight) {
  const auto left = [&](const VectorXd& turn) -> VectorXd {
    return m.M00 * m.a.head(m.k) + m.swings([&](int i) {
      return Vector3d(-m.link(m.q, i).cross(m.link(turn, i)) - m.link(m.xi, i).squaredNorm() * m.link(m.q, i));
    }) + m.E.transpose() * weight;
  };
  return remainders(left(m.xi), left(m.xi_rate));
}
Evidence cart_translation() { return translation(on_cart(), Vector3d(0, 0, 0)); }
Evidence free_translation() {
  const Chain m = free_chain();
  return translation(m, m.M00 * g * e3);
}

// (10.13), (10.21): the weight that a link carries, with the inverse of the mass matrix
Evidence carried_weight(const Chain& m) {
  const VectorXd T_q = gradient([&](const VectorXd& x) { return m.pi.dot(solve(m.mass(x), m.pi)) / 2; }, m.q);
  const auto rest = [&](bool all) {
    VectorXd result(9);
    for (int i = 0; i < 3; ++i) {
      const double weight = (all ? masses.sum() : load(i)) * g * lengths(i);
      result.segment<3>(3 * i) = m.link(m.pi_rate, i) + m.link(m.q, i).cross(m.link(T_q, i) + weight * e3) -
                                 m.link(m.xi, i).cross(m.link(m.pi, i));
    }
    return result;
  };
  return remainders(rest(true), rest(false));
}
Evidence weight_on_cart() { return carried_weight(on_cart()); }
Evidence weight_of_free_chain() { return carried_weight(free_chain()); }

Evidence inverse_of_mass(const Chain& m) {  // M_jk and M^I_jk in the quadratic form, the weight corrected
  const auto rest = [&](bool inverted) {
    const VectorXd T_q = gradient(
        [&](const VectorXd& x) {
          const MatrixXd A = m.mass(x), N = inverse(A);
          const auto p = m.pi.head(m.k), pi = m.pi.tail(9);
          const MatrixXd form = inverted ? N.bottomRightCorner(9, 9) : A.bottomRightCorner(9, 9);
          return p.dot(N.topLeftCorner(m.k, m.k) * p) / 2 + p.dot(N.topRightCorner(m.k, 9) * pi) +
                 pi.dot(form * pi) / 2;
        },
        m.q);
    VectorXd result(9);
    for (int i = 0; i < 3; ++i)
      result.segment<3>(3 * i) = m.link(m.pi_rate, i) +
                                 m.link(m.q, i).cross(m.link(T_q, i) + load(i) * g * lengths(i) * e3) -
                                 m.link(m.xi, i).cross(m.link(m.pi, i));
    return result;
  };
  return remainders(rest(false), rest(true));
}
Evidence inverse_on_cart() { return inverse_of_mass(on_cart()); }

Evidence momentum_of_free_chain() {
  const Chain m = free_chain();
  const Vector3d p = m.pi.head<3>(), own = m.M00 * m.v.head<3>();
  Vector3d without(0, 0, 0);
  for (int i = 0; i < 3; ++i) without -= load(i) * m.link(m.q, i).cross(m.link(m.xi, i));
  return remainders(p - own - without,
                    p - own - m.swings([&](int i) { return Vector3d(-m.link(m.q, i).cross(m.link(m.xi, i))); }));
}

struct LinearChain {  // at q_i = s_i e3, for displacements along e1 of the links
  Vector3d s;
  Vector3d xi{0.7, -0.4, 0.5};
  VectorXd acceleration;
  explicit LinearChain(const Vector3d& signs) : s(signs) {
    const System system = derive(gallery("chain-pendulum-on-cart", three_links));
    const VectorXd none = VectorXd::Zero(2);
    acceleration = response(system, stack({none, s(0) * e3, s(1) * e3, s(2) * e3}),
                            stack({none, xi(0) * e1, xi(1) * e1, xi(2) * e1}), VectorXd::Zero(11))
                       .a;
  }
  // Rows of the links, with these stiffnesses.
  VectorXd remainder(const std::function<double(int)>& stiffness) const {
    VectorXd result(3);
    for (int i = 0; i < 3; ++i) {
      result(i) = load(i) * lengths(i) * acceleration(0) + stiffness(i) * xi(i);
      for (int j = 0; j < 3; ++j) result(i) += inertia(i, j) * acceleration(2 + 3 * j);
    }
    return result;
  }
};

Evidence stiffness_of_one_link_up() {  // 10.3.5, q_1 = e3 and the others -e3
  const LinearChain m({1, -1, -1});
  const auto weight = [&](int i) { return m.s(i) * load(i) * g * lengths(i); };
  return remainders(m.remainder(weight), m.remainder([&](int i) { return -weight(i); }));
}

Evidence stiffness_in_paper() {  // sum of m_a g l_a over a >= i; here up is s = 1, in the paper s = -1
  const LinearChain m({1, -1, 1});
  const auto printed = [&](int i) { return -m.s(i) * g * masses.tail(3 - i).dot(lengths.tail(3 - i)); };
  return remainders(m.remainder(printed), m.remainder([&](int i) { return -m.s(i) * load(i) * g * lengths(i); }));
}

Evidence zeros_on_cart() {
  const System system = derive(gallery("chain-pendulum-on-cart", three_links));
  const double zeros = zero_eigenvalues(system, stack({Vector2d(0, 0), -e3, -e3, -e3}));
  return remainders(zeros - 2, zeros - 4);
}

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

Evidence equilibrium_on_sphere() {
  const Motion m("spherical-pendulum", {}, -e3, Vector3d(0, 0, 0));
  const Vector3d U_q = gradient(
      [&](const VectorXd& x) {
        Workspace work(m.system);
        return m.system.energy(work, 0, x, VectorXd::Zero(3)).potential;
      },
      m.q);
  return remainders(U_q, stack({projector(m.q) * U_q, m.a}));
}

Evidence linear_on_sphere() {  // stiffness U_qq, and U_qq - (q.U_q) I, per m L^2
  const System system = derive(gallery("spherical-pendulum", {{"m", "1"}, {"l", "0.9"}}));
  const double ratio = response(system, -e3, e1, Vector3d(0, 0, 0)).a(0);
  const VectorXd U_q = gradient(
      [&](const VectorXd& x) {
        Workspace work(system);
        return system.energy(work, 0, x, VectorXd::Zero(3)).potential;
      },
      -e3);
  return remainders(0.81 * ratio, 0.81 * ratio - (-e3).dot(U_q));
}

Evidence linear_rotation() {  // the hanging 3-D pendulum: dU/dR = -m g e3 rho^T has no second derivative
  const System system = derive(gallery("pendulum-3d"));
  const Matrix3d J = Vector3d(0.13, 0.28, 0.17).asDiagonal();
  const Vector3d sigma(0.5, -0.3, 0.8), gradient3 = -g * Vector3d(0, 0, 0.3);
  const VectorXd rate = response(system, flat(I), flat(hat(sigma)), VectorXd::Zero(9)).xi_rate;
  return remainders(J * rate, J * rate + hat(gradient3) * hat(e3) * sigma);
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

Evidence error_of_attitude() {  // at the goal of three links
  const Vector3d s(1, -1, 1);
  double printed = 0, corrected = 0;
  for (int i = 0; i < 3; ++i) {
    const Vector3d q = s(i) * e3;
    printed += (q - s(i) * Vector3d::Unit(i)).norm(), corrected += (q - s(i) * e3).norm();
  }
  return remainders(printed, corrected);
}

Evidence variation_of_rate() {  // D.(xi' x q + xi x q')
  const Vector3d q = random_direction(1), v = random_vector(3, 2), D = random_vector(3, 3), xi = random_vector(3, 4),
                 xi_rate = random_vector(3, 5);
  const double exact = D.dot(xi_rate.cross(q) + xi.cross(v));
  return remainders(exact - q.cross(D).dot(xi_rate) - q.cross(D).dot(xi),
                    exact - q.cross(D).dot(xi_rate) - v.cross(D).dot(xi));
}

Evidence upward_link() {  // the last of five links: pointing up, it raises the potential by 2 m g l
  const System system = derive(gallery("chain-pendulum-on-cart-controlled"));
  Workspace work(system);
  const auto potential = [&](const Vector3d& last) {
    const VectorXd q = stack({Vector2d(0, 0), e3, e3, e3, e3, last});
    return system.energy(work, 0, q, VectorXd::Zero(17)).potential;
  };
  const double raised = -5 * 3 * 0.1 * g * 0.1 + 2 * 0.1 * g * 0.1;  // 15 = 1 + ... + 5 weights in the lowest place
  return remainders(potential(e3) - raised, potential(-e3) - raised);
}

}  // namespace

Chapter deformable_bodies() {
  return {book,
          "Dynamics on Manifolds, chapter 10",
          {
              {"10.2.2, 10.3.2, 10.4.2", R"($T^*(S^1)^2$, $(S^2)^2$; blocks of $3\times3$ for the cart)",
               R"($(S^2)^n$; $2\times2$ and $2\times3$)", "notation", unchecked("names of spaces")},
              {"(10.7)", R"($\sum M_{0i}L_iS^T(q_i)\omega_i$)", R"($\sum M_{0i}L_iS^T(q_i)\dot\omega_i$)",
               "Euler-Lagrange", cart_translation},
              {"(10.8)", R"($M_{i0}L_iS(q_i)\ddot x$)", R"($L_iS(q_i)M_{i0}\ddot x$)", "Euler-Lagrange",
               no_product({3, 2}, {3, 3})},
              {"10.3.2, Legendre transform", R"($-M_{i0}L_iS^T(q_i)$)", R"($-L_iS^T(q_i)M_{i0}$)", "Legendre",
               no_product({3, 2}, {3, 3})},
              {"(10.13), weight", R"($\sum_{j=1}^nm_jgL_ie_3$; the quadratic form corrected)",
               R"($\sum_{j=i}^nm_jgL_ie_3$)", "Hamilton", weight_on_cart},
              {"(10.13), (10.21), (10.25), quadratic form",
               R"($\pi_j^TM_{jk}\pi_j$, $\pi_j^TM_{jk}\pi_k$; the latter evaluated)", R"($\pi_j^TM_{jk}^I\pi_k$)",
               "Hamilton", inverse_on_cart},
              {"10.3.5, hanging", R"($M_{0i}L_iSC^T\ddot\xi_i$)", R"($\mu_iL_iS\ddot\xi_i$, $\mu_i=\sum_{j\ge i}m_j$)",
               "linearization", no_product({2, 3}, {2, 2})},
              {"10.3.5, hanging", "two zero eigenvalues", "four", "linearization", zeros_on_cart},
              {"10.3.5, first link up", R"($+\mu_1gL_1\xi_1$, $-\mu_igL_i\xi_i$ for $i\ge2$)",
               R"($-\mu_1gL_1\xi_1$, $+\mu_igL_i\xi_i$; evaluated with $\xi_i=\delta q_i$)", "linearization",
               stiffness_of_one_link_up},
              {"(10.15)", R"($\sum M_{0i}L_iS^T(q_i)\omega_i$)", R"($\sum M_{0i}L_iS^T(q_i)\dot\omega_i$)",
               "Euler-Lagrange", free_translation},
              {"(10.21), weight", R"($\sum_{j=1}^nm_jgL_ie_3$; the quadratic form corrected)",
               R"($\sum_{j=i}^nm_jgL_ie_3$)", "Hamilton", weight_of_free_chain},
              {"10.4.1", R"($\sum_i\sum_iM_{ij}$)", R"($\sum_i\sum_jM_{ij}$)", "energy", unchecked("an index")},
              {"10.4.3, $p$ and $H$", R"($M_{0i}S(q_i)\omega_i$, $M_{ij}\omega_i^TS^TS\omega_j$)",
               R"($M_{0i}L_iS(q_i)\omega_i$, $M_{ij}L_iL_j\omega_i^TS^TS\omega_j$; evaluated: $p$)",
               "conserved quantity", momentum_of_free_chain},
              {"10.5", "mass concentrated at the centroid",
               R"(distributed uniformly: $\frac13m_iL_i^2$, not $\frac14$)", "energy", rod_centroid},
              {"10.5.1, $M_{ij}$", R"($(\frac12m_i+\dots)L_iL_j$ for $j=1,\dots,i$)",
               R"(for $j=1,\dots,i-1$; $\frac13$ for $j=i$)", "energy", rod_indices},
              {"10.5.1, radius", R"($R_i=L_i/\sin\frac{\theta_i}2$)",
               R"($R_i=L_i/(2\sin\frac{\theta_i}2)$; otherwise the rod is a beam of stiffness $EI/4$)", "energy",
               radius_of_polygon},
              {"10.5.1, strain energy", R"($\frac{EI\sin^2(\theta_i/2)}{2L_i^2}L_i=\frac{EI}{4L_i^2}(1-\cos\theta_i)$)",
               R"($\frac{EI}{4L_i}(1-\cos\theta_i)$)", "energy", strain_energy},
              {"10.5.1", R"($q_0$ is not defined; the strain energy stands outside the sum)",
               R"($q_0$: direction of the clamp; inside)", "energy", unchecked("a symbol and a brace")},
              {"10.5.3, 10.5.4, weight", R"($\sum_{j=i+1}^n(m_j+\frac12m_i)$)", R"($(\sum_{j=i+1}^nm_j)+\frac12m_i$)",
               "conserved quantity", potential_of_rod},
              {"10.5.3, coupling", R"($M_{ij}\omega_iS^T(q_i)S(q_j)\omega_j$)",
               R"($M_{ij}\omega_i^TS^T(q_i)S(q_j)\omega_j$)", "conserved quantity", no_product({3, 1}, {3, 3})},
              {"10.5.3", R"($M_{ii}\omega_i\omega_i$)", R"($M_{ii}\lVert\omega_i\rVert^2$)", "conserved quantity",
               no_product({3, 1}, {3, 1})},
          }};
}

Chapter appendices() {
  return {
      book,
      "Dynamics on Manifolds, appendices",
      {
          {"A.3", R"($F$ is orthogonal to $\mathfrak g$)", R"($F=0$ in $\mathfrak g^*$)", "wording",
           unchecked("wording")},
          {"B.1", R"($mL^2\ddot q$)", R"($mr^2\ddot q$)", "notation", unchecked("notation")},
          {"B.1, B.2, equilibrium", R"($\frac{\partial U}{\partial q}=0$)",
           R"($P\frac{\partial U}{\partial q}=0$; evaluated at the hanging spherical pendulum)", "equilibrium",
           equilibrium_on_sphere},
          {"B.1, B.2, linearization", R"($mr^2\ddot\xi+U_{qq}\xi=0$)",
           R"($mr^2\ddot\xi+\{U_{qq}-(q_e\cdot U_q)I\}\xi=0$)", "linearization", linear_on_sphere},
          {"B.3, linearization", R"($J\ddot\sigma-\sum r_i\times U_{r_ir_i}\sigma=0$)",
           R"($J\ddot\sigma+\{\sum S(U_{r_i})S(r_i)-\sum S(r_i)U_{r_ir_j}S(r_j)\}\sigma=0$; evaluated at the 3-D pendulum)",
           "linearization", linear_rotation},
          {"B.3, rows", R"($r_i=R_ee^{-S(\theta)}e_i$)", R"($r_i=e^{-S(\theta)}R_e^Te_i$)", "kinematics",
           rows_of_rotation},
          {"B.3, rates", R"($\omega=\dot\theta$)", R"(to first order; in general $\omega=J_r(\theta)\dot\theta$)",
           "kinematics", rate_of_exponential},
      }};
}

Chapter cart_paper() {
  return {
      "Lee, Leok, McClamroch: *Dynamics and Control of a Chain Pendulum on a Cart*",
      "Chain Pendulum on a Cart",
      {
          {"Prop. 2, $\\mathbf G_{qq}$", R"($s_i\sum_{a\ge i}m_agl_a$)", R"($s_i\sum_{a\ge i}m_agl_i$)",
           "linearization", stiffness_in_paper},
          {"(20)", R"($\mathbf M_{qq}\ddot{\mathbf x}_q+\mathbf G_{qq}=\dots$)",
           R"($\mathbf M_{qq}\ddot{\mathbf x}_q+\mathbf G_{qq}\mathbf x_q=\dots$; evidence: $n=2$)", "linearization",
           no_sum({4, 1}, {4, 4})},
          {"V, third experiment", R"($q_2(0)=-[0;\sin4^\circ;0;\cos4^\circ]$)", R"($-[0;\sin4^\circ;\cos4^\circ]$)",
           "start", no_sum({4, 1}, {3, 1})},
          {"V, $e_q$", R"($\sum\lVert q_i-s_ie_i\rVert$)", R"($\sum\lVert q_i-s_ie_3\rVert$; evaluated at the goal)",
           "statement", error_of_attitude},
          {"V", R"($g$ is not stated)", "9.81 is assumed here", "statement", unchecked("an omission")},
          {"Appendix A, variation",
           R"($\mathbf D\cdot\delta\dot q_i=\hat q_i\mathbf D\cdot\dot\xi_i+\hat q_i\mathbf D\cdot\xi_i$)",
           R"($\hat q_i\mathbf D\cdot\dot\xi_i+\hat{\dot q}_i\mathbf D\cdot\xi_i$)", "derivation", variation_of_rate},
          {"Appendix B", R"(a link pointing upward is $q_i=e_3$)",
           R"($q_i=-e_3$; evidence: the potential, which should be higher by $2mgl$)", "statement", upward_link},
          {"Appendix B, (28)", R"($-m_ngl_n\hat\xi'_n$)", R"($-m_ngl_n\xi'_n$, $\xi'_n=C^T\xi_n$)", "linearization",
           unchecked("a hat on a vector of the plane")},
      }};
}

}  // namespace hamel::errata
