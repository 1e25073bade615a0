// Book, chains of chapter 10, and "Dynamics and Control of a Chain Pendulum on a Cart".
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

Evidence cart_coupling() {  // p of the part of T with x'
  const Chain m = on_cart();
  const VectorXd p = m.pi.head(2), own = m.M00 * m.v.head(2);
  Vector3d without(0, 0, 0);
  for (int i = 0; i < 3; ++i) without += load(i) * m.link(m.v, i);
  return remainders(p - own - m.E.transpose() * without, p - own - m.swings([&](int i) { return m.link(m.v, i); }));
}

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
  const std::vector<Entry> chains = {
      {notation, "10.2.2, 10.3.2, 10.4.2", R"($T^*(S^1)^2$, $(S^2)^2$; all blocks $M_{ij}^I$ are $3\times3$)",
       R"($(S^2)^n$; $2\times2$ and $2\times3$ for the cart)", ""},
      {slip, "10.3.1, part of $T$ with $\\dot x$",
       R"($\frac12M_{00}\lVert\dot x\rVert^2+\dot x^T\sum_{i=1}^nM_{0i}\dot q_i$)",
       R"($\frac12M_{00}\lVert\dot x\rVert^2+\dot x^T\sum_{i=1}^nM_{0i}L_i\dot q_i$, as later; evaluated: $p$)", "",
       cart_coupling},
      {glyph, "(10.7)",
       R"($M_{00}\ddot x+\sum_{i=1}^nM_{0i}L_iS^T(q_i)\omega_i-\sum_{i=1}^nM_{0i}L_i\lVert\omega_i\rVert^2q_i=0$)",
       R"($\sum_{i=1}^nM_{0i}L_iS^T(q_i)\dot\omega_i$)", "dot; (10.15) has the same", cart_translation},
      {slip, "(10.8)",
       R"($M_{ii}L_i^2\dot\omega_i+\sum_{j\ne i}M_{ij}L_iL_jS^T(q_i)S(q_j)\dot\omega_j+M_{i0}L_iS(q_i)\ddot x-\sum_{j\ne i}M_{ij}L_iL_j\lVert\omega_j\rVert^2S(q_i)q_j+\sum_{j=i}^nm_jgL_iS(q_i)e_3=0$)",
       R"($L_iS(q_i)M_{i0}\ddot x$ for the third term)", "", no_product({3, 2}, {3, 3})},
      {slip, "10.3.2, Legendre transformation and inverse", R"($-M_{i0}L_iS^T(q_i)$)", R"($-L_iS^T(q_i)M_{i0}$)", "",
       no_product({3, 2}, {3, 3})},
      {glyph, "(10.13), weight",
       R"($\dot\pi_i=-S(q_i)\big\{\frac12\frac\partial{\partial q_i}p^TM_{00}^Ip+\frac\partial{\partial q_i}\sum_{j=1}^np^TM_{0j}^I\pi_j+\frac12\frac\partial{\partial q_i}\sum_{j,k=1}^n\pi_j^TM_{jk}\pi_j\big\}+\big\{M_{i0}^Ip+\sum_{j=1}^nM_{ij}^I\pi_j\big\}\times\pi_i-S(q_i)\sum_{j=1}^nm_jgL_ie_3$; the quadratic form corrected)",
       R"($-S(q_i)\sum_{j=i}^nm_jgL_ie_3$ for the last term)", "index", weight_on_cart},
      {glyph, "(10.13), (10.21), (10.25), quadratic form",
       R"($\frac12\frac\partial{\partial q_i}\sum_{j,k=1}^n\pi_j^TM_{jk}\pi_j$, in (10.21) $\pi_j^TM_{jk}\pi_k$; the latter evaluated)",
       R"($\frac12\frac\partial{\partial q_i}\sum_{j,k=1}^n\pi_j^TM_{jk}^I\pi_k$)", "superscript I, and an index",
       inverse_on_cart},
      {slip, "10.3.5", R"($M_{00}\ddot\xi_0+\sum_{i=1}^nM_{0i}L_iSC^T\ddot\xi_i=0$)",
       R"($M_{00}\ddot\xi_0+\sum_{i=1}^n\mu_iL_iS\ddot\xi_i=0$, $\mu_i=\sum_{j=i}^nm_j$)", "",
       no_product({2, 3}, {2, 2})},
      {result, "10.3.5, hanging", "two zero eigenvalues", "four",
       "as in 9.4.4: the cart moves freely in two directions", example("the rank of the stiffness", zeros_on_cart)},
      {result, "10.3.5, first link up",
       R"($M_{10}L_1CS^T\ddot\xi_0+M_{11}L_1^2\ddot\xi_1+\sum_{j=2}^nM_{1j}L_1L_j\ddot\xi_j+\sum_{j=1}^nm_jgL_1\xi_1=0$, $M_{i0}L_iCS^T\ddot\xi_0+M_{ii}L_i^2\ddot\xi_i+\sum_{j\ne i}M_{ij}L_iL_j\ddot\xi_j-\sum_{j=i}^nm_jgL_i\xi_i=0$ for $i\ge2$)",
       R"($-\sum_{j=1}^nm_jgL_1\xi_1$ and $+\sum_{j=i}^nm_jgL_i\xi_i$; evaluated with $\xi_i=\delta q_i$)",
       "the link that points up is made the stable one", stiffness_of_one_link_up},
      {glyph, "(10.15)",
       R"($M_{00}\ddot x+\sum_{i=1}^nM_{0i}L_iS^T(q_i)\omega_i-\sum_{i=1}^nM_{0i}L_i\lVert\omega_i\rVert^2q_i+M_{00}ge_3=0$)",
       R"($\sum_{i=1}^nM_{0i}L_iS^T(q_i)\dot\omega_i$)", "dot; (10.7) has the same", free_translation},
      {glyph, "(10.21), weight",
       R"($\dot\pi_i=-S(q_i)\big\{\frac12\frac\partial{\partial q_i}p^TM_{00}^Ip+\frac\partial{\partial q_i}\sum_{j=1}^np^TM_{0j}^I\pi_j+\frac12\frac\partial{\partial q_i}\sum_{j,k=1}^n\pi_j^TM_{jk}\pi_k\big\}+\big\{M_{i0}^Ip+\sum_{j=1}^nM_{ij}^I\pi_j\big\}\times\pi_i-S(q_i)\sum_{j=1}^nm_jgL_ie_3$; the quadratic form corrected)",
       R"($-S(q_i)\sum_{j=i}^nm_jgL_ie_3$ for the last term)", "index", weight_of_free_chain},
      {glyph, "10.4.1", R"($\sum_i\sum_iM_{ij}$)", R"($\sum_i\sum_jM_{ij}$)", "index"},
      {result, "10.4.3, $p$ and $H$",
       R"($p=M_{00}\dot x+\sum_{i=1}^nM_{0i}S^T(q_i)\omega_i$; $H=\frac12M_{00}\lVert\dot x\rVert^2-\dot x^T\sum_{i=1}^nM_{0i}S(q_i)\omega_i+\frac12\sum_{i,j=1}^nM_{ij}\omega_i^TS^T(q_i)S(q_j)\omega_j+M_{00}ge_3^Tx+\sum_{i=1}^n\sum_{j=i}^nm_jgL_ie_3^Tq_i$)",
       R"($M_{0i}L_iS^T(q_i)\omega_i$; $M_{ij}L_iL_j\omega_i^TS^T(q_i)S(q_j)\omega_j$; evaluated: $p$)",
       "what is called constant is not, unless all links have length 1", momentum_of_free_chain},
  };
  return {book, "chapter 10", joined(chains, elastic_rod())};
}

Chapter cart_paper() {
  return {
      "[C]",
      "Chain Pendulum on a Cart",
      {
          {glyph, "Prop. 2, $\\mathbf G_{qq}$",
           R"($\mathbf G_{qq}=\mathrm{diag}[s_1\sum_{a=1}^nm_agl_aI_2,\dots,s_nm_ngl_nI_2]$)",
           R"($\mathrm{diag}[s_1\sum_{a=1}^nm_agl_1I_2,\dots,s_nm_ngl_nI_2]$)",
           "index; no matter for links of one length, which the experiments have", stiffness_in_paper},
          {slip, "(20)", R"($\mathbf M_{qq}\ddot{\mathbf x}_q+\mathbf G_{qq}=\mathbf M_{qx}u$)",
           R"($\mathbf M_{qq}\ddot{\mathbf x}_q+\mathbf G_{qq}\mathbf x_q=-\mathbf M_{qx}u$; the sign does not change the rank (21); sizes for $n=2$)",
           "", no_sum({4, 1}, {4, 4})},
          {slip, "V, third experiment", R"($q_2(0)=q_3(0)=-[0;\sin4^\circ;0;\cos4^\circ]$)",
           R"($-[0;\sin4^\circ;\cos4^\circ]$)", "", no_sum({4, 1}, {3, 1})},
          {glyph, "V, $e_q$", R"($e_q=\sum_{i=1}^n\lVert q_i-s_ie_i\rVert$)",
           R"($e_q=\sum_{i=1}^n\lVert q_i-s_ie_3\rVert$; evaluated at the goal)", "index", error_of_attitude},
          {notation, "V", R"($g$ is not stated)", "with 9.81 the figures are reproduced", ""},
          {glyph, "Appendix A, variation",
           R"($\mathbf D_{\dot q_i}L\cdot\delta\dot q_i=\hat q_i(\cdot)\cdot\dot\xi_i+\hat q_i(\cdot)\cdot\xi_i$, $(\cdot)=M_{i0}\dot x+\sum_{j=1}^nM_{ij}\dot q_j$)",
           R"($\hat q_i(\cdot)\cdot\dot\xi_i+\hat{\dot q}_i(\cdot)\cdot\xi_i$)",
           "dot under a hat, probably of the conversion", variation_of_rate},
          {slip, "Appendix B, the $i$-th link upward", R"($q_i=e_3$ and $q_j=-e_3$ for $j\ne i$)",
           R"($q_i=-e_3$ and $q_j=e_3$, by (18))", "", example("the potential, higher by $2m_igl_i$", upward_link)},
          {glyph, "(28), last row", R"($-m_ngl_n\hat\xi'_n$)", R"($-m_ngl_n\xi'_n$)", "hat"},
          {notation, "Appendix C", "the paragraphs (Sufficiency) and (Necessity)", "exchange the two words", ""},
      }};
}

}  // namespace hamel::errata
