// dL/dq' and dL/dq against automatic differentiation of Lagrangians that are written by hand.
#include <cmath>

#include "systems/derivatives.hpp"
#include "systems/models.hpp"

namespace hamel::test::lagrangian_test {
namespace {

using Dual3 = Eigen::Matrix<Dual, 3, 1>;

Dual square(const Dual& x) { return x * x; }

template <class Derived>
Dual squared(const Eigen::MatrixBase<Derived>& x) {
  Dual sum = square(x(0));
  for (Eigen::Index i = 1; i < x.size(); ++i) sum += square(x(i));
  return sum;
}

template <class A, class B>
Dual inner(const A& a, const B& b) {
  Dual sum = a(0) * b(0);
  for (Eigen::Index i = 1; i < a.size(); ++i) sum += a(i) * b(i);
  return sum;
}

Dual3 vector(const Dual& x, const Dual& y, const Dual& z) {
  Dual3 v;
  v << x, y, z;
  return v;
}

template <class Lagrangian>
void expect_by_hand(const Model& model, const Lagrangian& lagrangian) {
  const System system = derive(model);
  expect_derivatives(system, lagrangian, random_samples(system));
}

// Kinetic minus potential energy of point masses on a chain of links that begins at x.
Dual chain_lagrangian(Dual3 x, Dual3 x_rate, const VectorDual& q, const VectorDual& v, int first) {
  Dual sum = Dual(0.0);
  for (int i = 0; first + 3 * i < q.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      x(k) += chain_length(i) * q(first + 3 * i + k);
      x_rate(k) += chain_length(i) * v(first + 3 * i + k);
    }
    sum += chain_mass(i) / 2 * squared(x_rate) - chain_mass(i) * g * x(2);
  }
  return sum;
}

Dual3 zero() { return vector(Dual(0.0), Dual(0.0), Dual(0.0)); }

TEST(Lagrangians, PlanarPendulum) {
  expect_by_hand(planar_pendulum(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    return m * L * L / 2 * squared(v) - m * g * L * q(1);
  });
}

TEST(Lagrangians, ParticleRotatingHoop) {
  expect_by_hand(particle_rotating_hoop(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    return m * L * L / 2 * (squared(v) + Omega * Omega * square(q(0)));
  });
}

TEST(Lagrangians, DoublePlanarPendulum) {
  const double a = (m1 + m2) * L1 * L1, b = m2 * L1 * L2, c = m2 * L2 * L2, G1 = (m1 + m2) * g * L1, G2 = m2 * g * L2;
  expect_by_hand(double_planar_pendulum(), [=](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual coupling = v(0) * v(2) + v(1) * v(3);
    return a / 2 * squared(v.head(2)) + b * coupling + c / 2 * squared(v.tail(2)) - G1 * q(1) - G2 * q(3);
  });
}

TEST(Lagrangians, ParticleOnTorus) {
  expect_by_hand(particle_on_torus(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual rho = R_torus + r_torus * q(2), rho_rate = r_torus * v(2);
    const Dual x = rho_rate * q(0) + rho * v(0), y = rho_rate * q(1) + rho * v(1), z = r_torus * v(3);
    return m / 2 * (square(x) + square(y) + square(z)) - m * g * r_torus * q(3);
  });
}

TEST(Lagrangians, FurutaPendulum) {
  expect_by_hand(furuta_pendulum(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual3 x1 = vector(L1 * v(0), L1 * v(1), Dual(0.0));
    const Dual3 x2 =
        vector(L1 * v(0) - L2 * (v(2) * q(1) + q(2) * v(1)), L1 * v(1) + L2 * (v(2) * q(0) + q(2) * v(0)), L2 * v(3));
    return m1 / 2 * squared(x1) + m2 / 2 * squared(x2) - m2 * g * L2 * q(3);
  });
}

TEST(Lagrangians, RevoluteRobot) {
  expect_by_hand(revolute_robot(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const auto energy = [&](double mass, const Dual& r, const Dual& r_rate, const Dual& z, const Dual& z_rate) -> Dual {
      const Dual3 x_rate = vector(r_rate * q(0) + r * v(0), r_rate * q(1) + r * v(1), z_rate);
      return mass / 2 * squared(x_rate) - mass * g * z;
    };
    const Dual r1 = L1 * q(2), z1 = L1 * q(3), r1_rate = L1 * v(2), z1_rate = L1 * v(3);
    const Dual r2 = r1 + L2 * q(4), z2 = z1 + L2 * q(5), r2_rate = r1_rate + L2 * v(4), z2_rate = z1_rate + L2 * v(5);
    return J_base / 2 * squared(v.head(2)) + energy(m1, r1, r1_rate, z1, z1_rate) +
           energy(m2, r2, r2_rate, z2, z2_rate);
  });
}

TEST(Lagrangians, ParticleRotatingSphere) {
  expect_by_hand(particle_rotating_sphere(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual3 in_space = vector(v(0) - Omega * q(1), v(1) + Omega * q(0), v(2));
    return m * L * L / 2 * squared(in_space);
  });
}

TEST(Lagrangians, SphericalPendulumThreeStrings) {
  const double a = L_rod / 2, b = L_rod / (2 * std::sqrt(3.0));
  expect_by_hand(spherical_pendulum_three_strings(), [=](const VectorDual& q, const VectorDual& v) -> Dual {
    Dual sum = J_rod / 2 * squared(v) - m_rod * g * L_rod / 2 * q(2);
    for (const Vector3d& z : {Vector3d(-a, -b, 0), Vector3d(a, -b, 0), Vector3d(0, 2 * b, 0)}) {
      const Dual3 s = vector(z(0) - L_rod * q(0), z(1) - L_rod * q(1), z(2) - L_rod * q(2));
      const Dual stretch = sqrt(squared(s)) - L_rod;
      if (stretch.value() > 0) sum -= kappa_string / 2 * square(stretch);
    }
    return sum;
  });
}

TEST(Lagrangians, TwoElasticSphericalPendulums) {
  expect_by_hand(two_elastic_spherical_pendulums(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    return m * L * L / 2 * squared(v) - kappa * (1.0 - inner(q.head(3), q.tail(3)));
  });
}

TEST(Lagrangians, PlanarSphericalPendulum) {
  expect_by_hand(planar_spherical_pendulum(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual3 x1 = vector(Dual(0.0), L1 * v(0), L1 * v(1));
    const Dual3 x2 = vector(L2 * v(2), L1 * v(0) + L2 * v(3), L1 * v(1) + L2 * v(4));
    return m1 / 2 * squared(x1) + m2 / 2 * squared(x2) - (m1 + m2) * g * L1 * q(1) - m2 * g * L2 * q(4);
  });
}

TEST(Lagrangians, SphericalPendulum) {
  expect_by_hand(spherical_pendulum(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    return m * L * L / 2 * squared(v) - m * g * L * q(2);
  });
}

TEST(Lagrangians, DoubleSphericalPendulum) {
  expect_by_hand(double_spherical_pendulum(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    return chain_lagrangian(zero(), zero(), q, v, 0);
  });
}

TEST(Lagrangians, SphericalPendulumOnCart) {
  expect_by_hand(spherical_pendulum_on_cart(), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual3 bob = vector(v(3) + L * v(0), v(4) + L * v(1), L * v(2));
    return m_cart / 2 * (square(v(3)) + square(v(4))) + m / 2 * squared(bob) - m * g * L * q(2);
  });
}

TEST(Lagrangians, Chains) {
  expect_by_hand(chain_pendulum(10),
                 [](const VectorDual& q, const VectorDual& v) { return chain_lagrangian(zero(), zero(), q, v, 0); });
  expect_by_hand(chain_pendulum_on_cart(3), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual cart = m_cart / 2 * squared(v.head(2));
    return cart + chain_lagrangian(vector(q(0), q(1), Dual(0.0)), vector(v(0), v(1), Dual(0.0)), q, v, 2);
  });
  expect_by_hand(free_free_chain(3), [](const VectorDual& q, const VectorDual& v) -> Dual {
    const Dual end = m_end / 2 * squared(v.head(3)) - m_end * g * q(2);
    return end + chain_lagrangian(vector(q(0), q(1), q(2)), vector(v(0), v(1), v(2)), q, v, 3);
  });
}

}  // namespace
}  // namespace hamel::test::lagrangian_test
