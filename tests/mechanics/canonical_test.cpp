// The canonical flow against Hamilton's equations, q' = dH/dp and p' = -dH/dq, by differences of H:
//
//   H(q, p) = max over { v = N(q) y } of  p.v - L(q, v) = (N^T p).(N^T M N)^-1 (N^T p)/2 + U(q)
//
// at points on the manifold and off it, since the flow is that of H on the whole of the ambient space.
#include "hamel/mechanics/canonical.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <functional>

#include "hamel/manifold/s2.hpp"
#include "hamel/mechanics/parts.hpp"
#include "mechanics/differences.hpp"
#include "mechanics/pendulums.hpp"

namespace hamel::canonical_test {
namespace {

Model bead_of_changing_mass() {
  Model model("bead");
  const auto q = model.coordinate<S2>("q");
  model.kinetic(0.5 * (1 + 0.3 * q.x()) * squared_norm(rate(q)));
  model.potential(9.81 * q.z());
  return model;
}

// Columns that span the velocities of a point, on the manifold or not.
MatrixXd allowed_velocities(const System& system, const VectorXd& q) {
  const Geometry& geometry = system.geometry();
  MatrixXd N = MatrixXd::Zero(geometry.ambient(), geometry.dimension());
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& space = geometry.space(f);
    const VectorXd own = q.segment(geometry.offset(f), space.ambient());
    MatrixXd columns(space.ambient(), space.dimension());
    if (geometry.is_given_by_basis(f))
      for (int j = 0; j < space.rates(); ++j) {
        VectorXd column(space.ambient());
        space.velocity(own, VectorXd::Unit(space.rates(), j), column);
        columns.col(j) = column;
      }
    else
      space.tangent_basis(own.normalized(), columns);  // of a sphere about the origin
    N.block(geometry.offset(f), geometry.tangent_offset(f), columns.rows(), columns.cols()) = columns;
  }
  return N;
}

double hamiltonian(const System& system, const VectorXd& q, const VectorXd& p) {
  Workspace w(system);
  const MatrixXd N = allowed_velocities(system, q);
  const auto kinetic = [&](const VectorXd& y) { return system.energy(w, 0, q, N * y).kinetic; };
  const Eigen::Index n = N.cols();
  MatrixXd M(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const VectorXd a = VectorXd::Unit(n, i), b = VectorXd::Unit(n, j);
      M(i, j) = (kinetic(a + b) - kinetic(a - b)) / 2;
    }
  const VectorXd y = N.transpose() * p;
  return y.dot(M.partialPivLu().solve(y)) / 2 + system.energy(w, 0, q, VectorXd::Zero(q.size())).potential;
}

struct Flow {
  Flow(const System& system, const VectorXd& q, const VectorXd& p) : Flow(canonical(system), q, p) {}
  Flow(const Canonical& flow, const VectorXd& q, const VectorXd& p) : v(q.size()), p_rate(q.size()) {
    Canonical::Workspace w = flow.workspace();
    const double t = 0;
    flow.flow(1, w, &t, q.data(), p.data(), nullptr, v.data(), p_rate.data());
  }
  VectorXd v, p_rate;
};

VectorXd normal(Eigen::Index size, Random& random) {
  return VectorXd::NullaryExpr(size, [&] { return std::normal_distribution<double>()(random); });
}

class CanonicalFlowOf : public testing::TestWithParam<Model (*)()> {
 protected:
  System system = derive(GetParam()());
  Random random{11};
  VectorXd off_the_manifold() {
    const VectorXd q = system.space().random_point(random);
    return q + 0.1 * normal(q.size(), random);
  }
};

TEST_P(CanonicalFlowOf, IsHamiltonsFlow) {
  for (const bool on : {true, false}) {
    const VectorXd q = on ? system.space().random_point(random) : off_the_manifold(), p = normal(q.size(), random);
    const Flow flow(system, q, p);
    const VectorXd H_p = test::gradient_of([&](const VectorXd& y) { return hamiltonian(system, q, y); }, p);
    const VectorXd H_q = test::gradient_of([&](const VectorXd& x) { return hamiltonian(system, x, p); }, q);
    EXPECT_LT((flow.v - H_p).norm(), 1e-9 * (1 + H_p.norm()));
    EXPECT_LT((flow.p_rate + H_q).norm(), 1e-8 * (1 + H_q.norm()));
  }
}

TEST_P(CanonicalFlowOf, KeepsItsInvariants) {
  const Canonical& flow = canonical(system);
  ASSERT_TRUE(flow.is_quadratic());
  const bool of_constraints = !system.geometry().is_given_by_basis(0);
  for (int k = 0; k < 5; ++k) {
    const VectorXd q = of_constraints ? off_the_manifold() : system.space().random_point(random);
    const VectorXd v = Flow(system, q, normal(q.size(), random)).v;
    for (const QuadraticInvariant& invariant : flow.invariants())
      EXPECT_LT(std::abs(invariant.change(q, v)), 1e-13 * (1 + v.norm()));
  }
}

TEST_P(CanonicalFlowOf, HasAsManyInvariantsAsItsManifoldHasNormals) {
  const std::vector<QuadraticInvariant>& invariants = canonical(system).invariants();
  const VectorXd q = system.space().random_point(random);
  MatrixXd gradients(invariants.size(), q.size());
  for (Eigen::Index i = 0; i < gradients.rows(); ++i)
    for (Eigen::Index j = 0; j < gradients.cols(); ++j)
      gradients(i, j) = invariants[static_cast<std::size_t>(i)].change(q, VectorXd(VectorXd::Unit(q.size(), j)));
  EXPECT_EQ(gradients.rows(), system.ambient() - system.degrees_of_freedom());
  EXPECT_EQ(gradients.fullPivLu().rank(), gradients.rows());
}

TEST_P(CanonicalFlowOf, IsTheSameInLanes) {
  const Canonical& canon = canonical(system);
  Canonical::Workspace w = canon.workspace();
  constexpr int lanes = 4;
  const int n = system.ambient();
  const double t[lanes] = {};
  MatrixXd q(lanes, n), p(lanes, n), v(lanes, n), p_rate(lanes, n);  // number i of state k is at [i * lanes + k]
  for (int k = 0; k < lanes; ++k) {
    q.row(k) = off_the_manifold();
    p.row(k) = normal(n, random);
  }
  canon.flow(lanes, w, t, q.data(), p.data(), nullptr, v.data(), p_rate.data());
  for (int k = 0; k < lanes; ++k) {
    const Flow one(system, q.row(k), p.row(k));
    EXPECT_LT((v.row(k).transpose() - one.v).norm(), 1e-13 * (1 + one.v.norm()));
    EXPECT_LT((p_rate.row(k).transpose() - one.p_rate).norm(), 1e-13 * (1 + one.p_rate.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CanonicalFlowOf,
                         testing::Values(&test::spherical_pendulum, &test::double_spherical_pendulum,
                                         &test::pendulum_in_space, &bead_of_changing_mass));

Model bead_of_signed_mass() {
  Model model("bead of a mass that changes its sign");
  const auto q = model.coordinate<S2>("q");
  model.kinetic(0.5 * q.x() * squared_norm(rate(q)));
  model.potential(9.81 * q.z());
  return model;
}

// Looking for the velocity, with pivots, whatever the elimination would say.
Canonical without_program(const Model& model) {
  CanonicalKernels kernels = canonical_kernels(model, false);
  kernels.without_flow();
  return {model.name(), 3, kernels};
}

TEST(Canonical, IsOneProgramWhereTheMassIsSmallOrConstant) {
  EXPECT_TRUE(canonical(derive(test::double_spherical_pendulum())).is_explicit());
  EXPECT_TRUE(canonical(derive(bead_of_changing_mass())).is_explicit());
  EXPECT_FALSE(without_program(bead_of_changing_mass()).is_explicit());
  Model held = bead_of_changing_mass();
  held.constraint("held", held.coordinate(0).y() - 0.1);
  EXPECT_FALSE(canonical(derive(held)).is_explicit());
}

TEST(Canonical, OfAProgramIsThatOfTheVelocityThatIsLookedFor) {
  for (const Model& model : {bead_of_changing_mass(), bead_of_signed_mass()}) {
    const CanonicalKernels kernels = canonical_kernels(model, false);
    ASSERT_FALSE(kernels.flow.empty());
    const Canonical program("bead", 3, kernels), looked_for = without_program(model);
    Random random(8);
    int without_pivots = 0;
    for (int k = 0; k < 20; ++k) {
      const VectorXd q = normal(3, random), p = normal(3, random);
      const Flow one(program, q, p), other(looked_for, q, p);
      EXPECT_LT((one.v - other.v).norm(), 1e-12 * other.v.norm());
      EXPECT_LT((one.p_rate - other.p_rate).norm(), 1e-12 * other.p_rate.norm());
      const bool has_inertia = model.name() == "bead" || q.x() > 0;
      without_pivots += has_inertia ? 1 : 0;
      EXPECT_TRUE(has_inertia || (one.v == other.v && one.p_rate == other.p_rate));
    }
    EXPECT_GT(without_pivots, 5);
  }
}

// Of matrices that are no rotations, too: that is why methods that keep quadratic functions keep rotations.
TEST(Canonical, KeepsTheProductOfAMatrixAndItsTranspose) {
  const System system = derive(test::pendulum_in_space());
  Random random(6);
  const VectorXd q = normal(9, random), v = Flow(system, q, normal(9, random)).v;
  const Eigen::Matrix3d R = q.reshaped(3, 3), R_rate = v.reshaped(3, 3);
  EXPECT_GT(R_rate.norm(), 0.1);
  EXPECT_LT((R * R_rate.transpose() + R_rate * R.transpose()).norm(), 1e-12 * R_rate.norm() * R.norm());
}

TEST(Canonical, InvariantsCanBeLowered) {
  const System system = derive(test::pendulum_in_space());
  Random random(3);
  const VectorXd q = system.space().random_point(random);
  for (const QuadraticInvariant& invariant : canonical(system).invariants()) {
    constexpr double excess = 1e-4;
    VectorXd move = VectorXd::Zero(q.size());
    invariant.lower(excess, q, move);
    // c(q1) - c(q0), exactly
    EXPECT_NEAR(invariant.change(VectorXd(q + move / 2), move), -excess, 2 * excess * excess);
  }
}

}  // namespace
}  // namespace hamel::canonical_test
