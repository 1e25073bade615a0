// Book, chapter 8, and "Global Formulations of Lagrangian and Hamiltonian Dynamics on Embedded Manifolds".
#include <Eigen/Dense>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

// Coupled unit vectors: (8.25) to (8.30) on (S^1)^3 and (S^2)^3.
struct Coupled : Motion {
  Coupled(const std::string& id, int dimension) : Motion(id), d(dimension) {}
  int d;
  Matrix3d m{{2.0, 0.5, 0.2}, {0.5, 1.5, 0.4}, {0.2, 0.4, 1.0}};
  Vector3d G{8, 5, 3};
  double kappa = 2;

  VectorXd part(const VectorXd& x, int i) const { return x.segment(d * i, d); }
  VectorXd potential_gradient(int i) const {
    VectorXd sum = G(i) * VectorXd::Unit(d, d - 1);
    for (int j = 0; j < 3; ++j)
      if (j != i) sum -= kappa * part(q, j);
    return sum;
  }
  MatrixXd mass() const {  // blocks m_ij P_i
    MatrixXd M(3 * d, 3 * d);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        M.block(d * i, d * j, d, d) = m(i, j) * (i == j ? MatrixXd::Identity(d, d) : projector(part(q, i)));
    return M;
  }
};

Evidence coupled_hamilton(const std::string& id, int dimension) {
  const Coupled m(id, dimension);
  const VectorXd vel = solve(m.mass(), m.mu);
  VectorXd printed(m.q.size()), missing(m.q.size());
  for (int i = 0; i < 3; ++i) {
    const VectorXd x = m.part(m.q, i), mu = m.part(m.mu, i), v = m.part(vel, i);
    VectorXd others = VectorXd::Zero(m.d);
    for (int j = 0; j < 3; ++j)
      if (j != i) others += m.m(i, j) * m.part(vel, j);
    printed.segment(m.d * i, m.d) = mu * x.dot(v) - x * mu.dot(v) - projector(x) * m.potential_gradient(i);
    missing.segment(m.d * i, m.d) = -x.dot(others) * v;
  }
  return remainders(m.mu_rate - printed, m.mu_rate - printed - missing);
}

Evidence circles_hamilton() { return coupled_hamilton("coupled-s1-n", 2); }
Evidence spheres_hamilton() { return coupled_hamilton("coupled-s2-n", 3); }

Evidence coadjoint() {  // on so(3): ad_eta xi = eta x xi, ad*_eta alpha = alpha x eta
  const Vector3d eta = random_vector(3, 1), xi = random_vector(3, 2), alpha = random_vector(3, 3);
  const double value = alpha.dot(eta.cross(xi));
  return remainders(alpha.cross(eta).dot(eta) - value, alpha.cross(eta).dot(xi) - value);
}

Evidence
hyperregular() {  // L = (v1^2 - v2^2)/2 is regular; the smallest eigenvalue of its Hessian, and of a definite one
  const VectorXd v = random_vector(2);
  const auto smallest = [&](const Function& L) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian(L, v)).eigenvalues()(0);
  };
  return remainders(smallest([](const VectorXd& x) { return (x(0) * x(0) - x(1) * x(1)) / 2; }) - 1,
                    smallest([](const VectorXd& x) { return x.squaredNorm() / 2; }) - 1);
}

Evidence legendre_on_sphere() {
  const Motion m("s2-general");
  Workspace work(m.system);
  VectorXd L_x(3), L_v(3);
  m.system.force(work, 0, m.q, m.v, L_x);
  m.system.momentum(work, 0, m.q, m.v, L_v);
  return remainders(m.mu - projector(m.q) * L_x, m.mu - projector(m.q) * L_v);
}

Evidence projection_on_subspace() {  // of x with 1.x = 0, where hamel says what is tangent; A^T A has no inverse
  const Motion m("subspace-dynamics");
  const MatrixXd A = MatrixXd::Ones(1, 3), AtA = A.transpose() * A;
  const MatrixXd P = MatrixXd::Identity(3, 3) - A.transpose() * inverse(A * A.transpose()) * A;
  const VectorXd x = random_vector(3);
  VectorXd tangent(3);
  m.system.space().tangent_project(m.q, x, tangent);
  const auto missing_rank = 3.0 - static_cast<double>(Eigen::FullPivLU<MatrixXd>(AtA).rank());
  return remainders(missing_rank, (P * x - tangent).norm());
}

}  // namespace

Chapter manifolds() {
  return {
      book,
      "chapter 8",
      {
          {theory, "8.1.3", "a hyperregular Lagrangian has a positive definite Hessian",
           R"(definiteness on $T_xM$ is an assumption of its own)",
           "the full rank of the matrix in (8.6), by which the equations are solved, does not follow from "
           "hyperregularity",
           example(R"($\frac12(\dot x_1^2-\dot x_2^2)$ is hyperregular and indefinite)", hyperregular)},
          {slip, "8.3.1, mass matrix", R"($I_{3\times3}-A_1^T(A_1^TA_1)^{-1}A_1$)",
           R"($I_{3\times3}-A_1^T(A_1A_1^T)^{-1}A_1$, as before)", "", no_product({3, 1}, {3, 3})},
          {slip, "8.3.2, derivative of the projection", R"($I_{3\times3}-x_ix_i^T$ on $S^1$)",
           R"($I_{2\times2}-x_ix_i^T$)", "", no_sum({3, 3}, {2, 2})},
          {theory, "(8.27)",
           R"($\dot\mu_i=(\mu_ix_i^T-x_i\mu_i^T)\sum_{j=1}^nm_{ij}^I\mu_j-P_i\frac{\partial U(x)}{\partial x_i}$)",
           R"(the same and $-\big(x_i\cdot\sum_{j\ne i}m_{ij}\dot x_j\big)\dot x_i$)",
           "the derivative of $m^I$ is left out: coupled bodies move otherwise, and their energy is not constant",
           circles_hamilton},
          {theory, "(8.30)",
           R"($\dot\mu_i=\big(\sum_{j=1}^nm_{ij}^I\mu_j\big)\times(\mu_i\times x_i)-P_i\frac{\partial U(x)}{\partial x_i}$)",
           R"(the same and $-\big(x_i\cdot\sum_{j\ne i}m_{ij}\dot x_j\big)\dot x_i$)", "as in (8.27)",
           spheres_hamilton},
          {glyph, "8.6.1", R"($\langle\mathrm{ad}_\eta^*\alpha,\eta\rangle=\langle\alpha,\mathrm{ad}_\eta\xi\rangle$)",
           R"($\langle\mathrm{ad}_\eta^*\alpha,\xi\rangle=\langle\alpha,\mathrm{ad}_\eta\xi\rangle$)", "letter",
           coadjoint},
          {glyph, "(8.62)", R"($\dot q(t)=T_eR_{g(t)}\varsigma(t)=\varsigma(t)g(t)$)", R"($\dot g(t)$)",
           "letter, likely of the conversion: (8.67) has $g$", no_sum({3, 1}, {3, 3})},
          {notation, "8.3.1 to 8.3.3", "Proposition 8.4 for (8.17)", "Proposition 8.5", ""},
          {notation, "8.6.2; 8.7.4.1, 8.7.4.2",
           R"($(g,\dot g)\in T_gG$; $Re_i$; $T(SO(2)\times\mathfrak{so}(2))$, $T(SO(3)\times\mathfrak{so}(3))$)",
           R"($TG$; $Re_1$; $TSO(2)$, $TSO(3)$)", ""},
      }};
}

Chapter embedded_paper() {
  return {"[E]",
          "Dynamics on Embedded Manifolds",
          {
              {slip, "3.1, (3.1), (3.2)", R"($P(x)=I_{n\times n}-A^T(A^TA)^{-1}A$)",
               R"($P(x)=I_{n\times n}-A^T(AA^T)^{-1}A$)", "",
               example("$A^TA$ has no inverse; the corrected $P$ is the projection", projection_on_subspace)},
              {glyph, "3.3, momentum", R"($\mu=(I_{3\times3}-xx^T)\frac{\partial L}{\partial x}$)",
               R"($\mu=(I_{3\times3}-xx^T)\frac{\partial L}{\partial\dot x}$)", "dot", legendre_on_sphere},
          }};
}

}  // namespace hamel::errata
