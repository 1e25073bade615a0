// Chains and rods: (S^2)^n with constant inertia, book (5.10), (5.17) and chapter 10, in the four forms, and their
// carts and free ends.
#include <Eigen/LU>
#include <algorithm>

#include "manifold/linear_algebra.hpp"
#include "systems/models.hpp"
#include "systems/support.hpp"

namespace hamel::test {
namespace {

const Vector3d e3(0, 0, 1);
Vector3d part(const VectorXd& x, int i) { return x.segment<3>(3 * i); }
Matrix3d P(const Vector3d& q) { return Matrix3d::Identity() - q * q.transpose(); }

// The system T = 1/2 x'.x' M00 + x'.sum_i E^T c_i q_i' + 1/2 sum_ij M_ij q_i'.q_j' with generalized forces f(q) on q
// and h on x. A chain without a cart or a free end has no x: E is 3 x 0.
struct Chain {
  MatrixXd M;  // n x n
  MatrixXd E;  // 3 x k: where x moves the first joint
  VectorXd c;  // M_0i
  double M00 = 0;
  std::function<VectorXd(const VectorXd& q)> f;  // 3n
  VectorXd h;                                    // k

  int links() const { return static_cast<int>(M.rows()); }
  int base() const { return static_cast<int>(E.cols()); }
  Vector3d link(const VectorXd& y, int i) const { return y.segment<3>(base() + 3 * i); }

  // Book (10.7), (10.8) by q'': rows of the links are projected, their diagonal blocks are not.
  MatrixXd mass(const VectorXd& q) const {
    const int k = base(), n = links();
    MatrixXd A(k + 3 * n, k + 3 * n);
    A.topLeftCorner(k, k) = M00 * MatrixXd::Identity(k, k);
    for (int i = 0; i < n; ++i) {
      A.block(0, k + 3 * i, k, 3) = c(i) * E.transpose();
      A.block(k + 3 * i, 0, 3, k) = c(i) * P(link(q, i)) * E;
      for (int j = 0; j < n; ++j)
        A.block(k + 3 * i, k + 3 * j, 3, 3) = M(i, j) * (i == j ? Matrix3d::Identity().eval() : P(link(q, i)));
    }
    return A;
  }
  // The same in omega: blocks S(q_i)^T S(q_j), book (5.17).
  MatrixXd angular_mass(const VectorXd& q) const {
    const int k = base(), n = links();
    MatrixXd A(k + 3 * n, k + 3 * n);
    A.topLeftCorner(k, k) = M00 * MatrixXd::Identity(k, k);
    for (int i = 0; i < n; ++i) {
      A.block(0, k + 3 * i, k, 3) = -c(i) * E.transpose() * hat(link(q, i));
      A.block(k + 3 * i, 0, 3, k) = c(i) * hat(link(q, i)) * E;
      for (int j = 0; j < n; ++j)
        A.block(k + 3 * i, k + 3 * j, 3, 3) =
            M(i, j) * (i == j ? Matrix3d::Identity().eval() : (hat(link(q, i)).transpose() * hat(link(q, j))).eval());
    }
    return A;
  }

  VectorXd acceleration(const VectorXd& q, const VectorXd& v) const {
    VectorXd rhs(q.size());
    rhs.head(base()) = h;
    const VectorXd force = f(q);
    for (int i = 0; i < links(); ++i)
      rhs.segment<3>(base() + 3 * i) = P(link(q, i)) * part(force, i) - M(i, i) * link(v, i).squaredNorm() * link(q, i);
    return linear::solve(mass(q), rhs);
  }

  VectorXd angular_acceleration(const VectorXd& q, const VectorXd& w) const {
    VectorXd rhs(q.size());
    rhs.head(base()) = h;
    const VectorXd force = f(q);
    for (int i = 0; i < links(); ++i) {
      rhs.head(base()) += c(i) * link(w, i).squaredNorm() * E.transpose() * link(q, i);
      Vector3d moment = link(q, i).cross(part(force, i));
      for (int j = 0; j < links(); ++j)
        if (j != i) moment += M(i, j) * link(w, j).squaredNorm() * link(q, i).cross(link(q, j));
      rhs.segment<3>(base() + 3 * i) = moment;
    }
    return linear::solve(angular_mass(q), rhs);
  }

  // p_i = dL/dq_i'
  Vector3d momentum(const VectorXd& v, int i) const {
    Vector3d p = c(i) * E * v.head(base());
    for (int j = 0; j < links(); ++j) p += M(i, j) * link(v, j);
    return p;
  }

  // mu_i' = P_i f_i - (q_i.p_i) q_i' - (q_i'.p_i) q_i
  Rates mu(const VectorXd& q, const VectorXd& momenta) const {
    const VectorXd v = linear::solve(mass(q), momenta), force = f(q);
    VectorXd rate(q.size());
    rate.head(base()) = h;
    for (int i = 0; i < links(); ++i) {
      const Vector3d p = momentum(v, i), qi = link(q, i), vi = link(v, i);
      rate.segment<3>(base() + 3 * i) = P(qi) * part(force, i) - qi.dot(p) * vi - vi.dot(p) * qi;
    }
    return {v, rate};
  }

  // pi_i' = q_i' x p_i + q_i x f_i
  Rates pi(const VectorXd& q, const VectorXd& momenta) const {
    const VectorXd w = linear::solve(angular_mass(q), momenta), force = f(q);
    VectorXd v = w, rate(q.size());
    for (int i = 0; i < links(); ++i) v.segment<3>(base() + 3 * i) = link(w, i).cross(link(q, i));
    rate.head(base()) = h;
    for (int i = 0; i < links(); ++i)
      rate.segment<3>(base() + 3 * i) = link(v, i).cross(momentum(v, i)) + link(q, i).cross(part(force, i));
    return {v, rate};
  }
};

ByHand by_hand(const Chain& chain) {
  return {[=](const VectorXd& q, const VectorXd& v) { return chain.acceleration(q, v); },
          [=](const VectorXd& q, const VectorXd& w) { return chain.angular_acceleration(q, w); },
          [=](const VectorXd& q, const VectorXd& momenta) { return chain.mu(q, momenta); },
          [=](const VectorXd& q, const VectorXd& momenta) { return chain.pi(q, momenta); }};
}

double outboard_mass(int i, int n) {
  double sum = 0;
  for (int k = i; k < n; ++k) sum += chain_mass(k);
  return sum;
}

// Point masses: M_ij = l_i l_j sum_{k >= max(i, j)} m_k.
Chain point_masses(int n) {
  Chain chain;
  chain.M.resize(n, n);
  chain.c.resize(n);
  chain.E.resize(3, 0);
  for (int i = 0; i < n; ++i) {
    chain.c(i) = outboard_mass(i, n) * chain_length(i);
    for (int j = 0; j < n; ++j) chain.M(i, j) = outboard_mass(std::max(i, j), n) * chain_length(i) * chain_length(j);
  }
  chain.f = [c = chain.c](const VectorXd&) {
    VectorXd f(3 * c.size());
    for (int i = 0; i < c.size(); ++i) f.segment<3>(3 * i) = -c(i) * g * e3;
    return f;
  };
  return chain;
}

TEST(Chains, ChainPendulum) {
  for (int n = 1; n <= 10; ++n) {
    const System system = derive(chain_pendulum(n));
    expect_equations(system, by_hand(point_masses(n)), random_samples(system, 100, static_cast<unsigned>(n)));
  }
}

TEST(Chains, ControlledChainPendulum) {
  const int n = 3;
  const System system = derive(controlled_chain_pendulum(n));
  const Samples samples = random_samples(system);
  const Vector3d tau = samples.inputs.head<3>(), d = samples.inputs.tail<3>();
  Chain chain = point_masses(n);
  const auto weight = chain.f;
  chain.f = [=](const VectorXd& q) {
    VectorXd f = weight(q);
    for (int i = 0; i < n; ++i) f.segment<3>(3 * i) += chain_length(i) * d;
    f.head<3>() += tau.cross(part(q, 0));
    return f;
  };
  expect_equations(system, by_hand(chain), samples);
}

TEST(Chains, ChainPendulumOnCart) {
  for (int n = 1; n <= 5; ++n) {
    const System system = derive(chain_pendulum_on_cart(n));
    const Samples samples = random_samples(system, 100, static_cast<unsigned>(n));
    Chain chain = point_masses(n);
    chain.M00 = m_cart + outboard_mass(0, n);
    chain.E = MatrixXd::Identity(3, 2);
    chain.h = samples.inputs;
    expect_equations(system, by_hand(chain), samples);
  }
}

TEST(Chains, FreeFreeChain) {
  for (int n = 1; n <= 4; ++n) {
    const System system = derive(free_free_chain(n));
    Chain chain = point_masses(n);
    chain.M00 = m_end + outboard_mass(0, n);
    chain.E = Matrix3d::Identity();
    chain.h = -chain.M00 * g * e3;
    expect_equations(system, by_hand(chain), random_samples(system));
  }
}

// Rods, book (10.23) corrected: M_ii = (m_i/3 + sum_{p>i} m_p) l_i^2, M_ij = (m_i/2 + sum_{p>i} m_p) l_i l_j for j < i.
TEST(Chains, FixedFreeElasticRod) {
  for (int n = 1; n <= 6; ++n) {
    const System system = derive(fixed_free_elastic_rod(n));
    Chain chain = point_masses(n);
    const auto beyond = [=](int i) { return outboard_mass(i + 1, n); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int k = std::max(i, j);
        chain.M(i, j) = (chain_mass(k) / (i == j ? 3 : 2) + beyond(k)) * chain_length(i) * chain_length(j);
      }
    chain.f = [=](const VectorXd& q) {
      VectorXd f(3 * n);
      for (int i = 0; i < n; ++i) {
        const Vector3d inner = i > 0 ? part(q, i - 1) : rod_clamp;
        f.segment<3>(3 * i) = -(chain_mass(i) / 2 + beyond(i)) * g * chain_length(i) * e3 + rod_stiffness(i) * inner;
        if (i + 1 < n) f.segment<3>(3 * i) += rod_stiffness(i + 1) * part(q, i + 1);
      }
      return f;
    };
    expect_equations(system, by_hand(chain), random_samples(system));
  }
}

}  // namespace
}  // namespace hamel::test
