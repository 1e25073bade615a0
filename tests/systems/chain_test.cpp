// Chains and rods: (S^2)^n with constant inertia, book (5.10), (5.17) and chapter 10, in the four forms, and their
// carts and free ends.
#include "systems/chain.hpp"

#include <algorithm>
#include <cmath>

#include "gallery/files.hpp"
#include "hamel/mechanics/field.hpp"
#include "systems/models.hpp"

namespace hamel::test::chain_test {
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

// The generalized forces of a torque on the first link and of a force at the tip: f_i = l_i d, and tau x q_1.
Chain with_motor_and_gust(int n, const Vector3d& tau, const Vector3d& d) {
  Chain chain = point_masses(n);
  const auto weight = chain.f;
  chain.f = [=](const VectorXd& q) {
    VectorXd f = weight(q);
    for (int i = 0; i < n; ++i) f.segment<3>(3 * i) += chain_length(i) * d;
    f.head<3>() += tau.cross(part(q, 0));
    return f;
  };
  return chain;
}

TEST(Chains, ControlledChainPendulum) {
  const int n = 3;
  const System system = derive(controlled_chain_pendulum(n));
  const Samples samples = random_samples(system);
  expect_equations(system, by_hand(with_motor_and_gust(n, samples.inputs.head<3>(), samples.inputs.tail<3>())),
                   samples);
}

// Equations of a chain whose forces depend on the rate of the state: that in q', or in omega.
ByHand with_law(const std::function<Chain(const VectorXd& q, const VectorXd& v)>& chain,
                const std::function<VectorXd(const VectorXd& q, const VectorXd& omega)>& velocity_of,
                const Chain& free) {
  ByHand hand;
  hand.velocity = [=](const VectorXd& q, const VectorXd& v) { return chain(q, v).acceleration(q, v); };
  hand.omega = [=](const VectorXd& q, const VectorXd& w) {
    return chain(q, velocity_of(q, w)).angular_acceleration(q, w);
  };
  hand.mu = [=](const VectorXd& q, const VectorXd& mu) { return chain(q, free.mu(q, mu).q).mu(q, mu); };
  hand.pi = [=](const VectorXd& q, const VectorXd& pi) { return chain(q, free.pi(q, pi).q).pi(q, pi); };
  return hand;
}

// q' = omega x q for the links, after `base` coordinates of a cart.
VectorXd link_velocities(int base, const VectorXd& q, const VectorXd& w) {
  VectorXd v = w;
  for (Eigen::Index k = base; k < q.size(); k += 3) v.segment<3>(k) = w.segment<3>(k).cross(q.segment<3>(k));
  return v;
}

void expect_balance(const System& system, const State& s, const Vector3d& tau, const Vector3d& d) {
  Vector3d tip(0, 0, 0), tip_rate(0, 0, 0), turn(0, 0, 0);
  const Vector3d q1 = part(s.q, 0);
  Workspace work(system);
  Field field(system, Form::pi);
  VectorXd rate(field.size());
  field(work, s.t, field.pack(work, s), rate);
  for (int i = 0; 3 * i < s.q.size(); ++i) {
    tip += chain_length(i) * part(s.q, i);
    tip_rate += chain_length(i) * part(s.v, i);
    turn += part(rate.tail(field.partners()), i);
  }
  const double power = tau.dot(q1.cross(part(s.v, 0))) + d.dot(tip_rate);
  EXPECT_NEAR(system.power(work, s.t, s.q, s.v), power, 1e-11);
  EXPECT_NEAR(turn.z(), (Chain::P(q1) * tau + tip.cross(d)).z(), 1e-11);
}

// The motor drives the first link round and damps it; the gust comes at t = 10. Power and the moment about the
// vertical are those of the two loads alone: E' = tau.omega_1 + d.x_n', e3.sum(pi_i') = e3.(P_1 tau + x_n x d).
TEST(Chains, MotorAndGustOfTheFile) {
  const int n = 3;
  const System system = derive(from_gallery("chain-pendulum-controlled"));  // with the links of this test
  for (const double t : {0.0, 0.3, 4.1, 9.6, 10.2}) {
    const Vector3d drive(4 * std::sin(2 * t), 4 * std::cos(2 * t), 0), d(0, 6 * std::exp(-(t - 10) * (t - 10)), 0);
    const auto motor = [=](const VectorXd& q, const VectorXd& v) -> Vector3d {
      return drive - 2 * part(q, 0).cross(part(v, 0));
    };
    const auto chain = [=](const VectorXd& q, const VectorXd& v) { return with_motor_and_gust(n, motor(q, v), d); };
    Samples samples = random_samples(system, 10, static_cast<unsigned>(10 * t) + 1);
    for (State& state : samples.states) state.t = t;
    const auto velocity_of = [](const VectorXd& q, const VectorXd& w) { return link_velocities(0, q, w); };
    expect_equations(system, with_law(chain, velocity_of, point_masses(n)), samples);
    for (const State& state : samples.states) expect_balance(system, state, motor(state.q, state.v), d);
  }
}

// Lee, Leok, McClamroch, "Dynamics and control of a chain pendulum on a cart", (15), (16), and the law of its
// proposition 4, with K_q and K_omega multiples of [0 1; -1 0]. There e3 points down.
TEST(Chains, RegulatorOfTheFile) {
  const int n = 5;
  const double M = 0.7, m = 0.3, l = 0.4, kx = 1.3, kv = -0.8;
  VectorXd s(n);
  s << -1, 1, -1, 1, 1;
  const VectorXd kq = VectorXd::LinSpaced(n, 2.0, -1.5), kw = VectorXd::LinSpaced(n, -0.6, 0.9);
  const System system =
      derive(from_gallery("chain-pendulum-on-cart-controlled",
                          {{"M", M}, {"m", m}, {"l", l}, {"s", s}, {"kx", kx}, {"kv", kv}, {"kq", kq}, {"kw", kw}}));
  Chain free;
  free.M.resize(n, n);
  free.c.resize(n);
  for (int i = 0; i < n; ++i) {
    free.c(i) = (n - i) * m * l;
    for (int j = 0; j < n; ++j) free.M(i, j) = (n - std::max(i, j)) * m * l * l;
  }
  free.M00 = M + n * m;
  free.E = MatrixXd::Identity(3, 2);
  free.h = Vector2d::Zero();
  free.f = [c = free.c](const VectorXd&) {
    VectorXd f(3 * n);
    for (int i = 0; i < n; ++i) f.segment<3>(3 * i) = c(i) * g * e3;
    return f;
  };
  const auto chain = [=](const VectorXd& q, const VectorXd& v) {
    const Matrix2d K{{0, 1}, {-1, 0}};
    Vector2d u = -kx * q.head<2>() - kv * v.head<2>();
    for (int i = 0; i < n; ++i) {
      const Vector3d qi = free.link(q, i), tilt = (s(i) * e3).cross(qi), omega = qi.cross(free.link(v, i));
      u -= K * (kq(i) * tilt.head<2>() + kw(i) * omega.head<2>());
    }
    Chain controlled = free;
    controlled.h = u;
    return controlled;
  };
  const auto velocity_of = [](const VectorXd& q, const VectorXd& w) { return link_velocities(2, q, w); };
  expect_equations(system, with_law(chain, velocity_of, free), random_samples(system, 50));
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
}  // namespace hamel::test::chain_test
