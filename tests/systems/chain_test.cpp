// Chains and rods: (S^2)^n with constant inertia, book (5.10), (5.17) and chapter 10, in the four forms, and their
// carts and free ends.
#include "systems/chain.hpp"

#include <algorithm>

#include "systems/models.hpp"

namespace hamel::test {
namespace {

const Vector3d e3(0, 0, 1);
Vector3d part(const VectorXd& x, int i) { return x.segment<3>(3 * i); }

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
