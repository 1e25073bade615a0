// Long runs of the variational integrator, and comparison with integrators that were written by hand.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>

#include "hamel/integrate/stepper.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::variational_long_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void observe(const Example& example, double step, int steps, const std::function<void(int, const State&)>& observer) {
  const auto stepper = make_stepper(example.system, Variational{step});
  stepper->start(example.start);
  State state;
  for (int k = 1; k <= steps; ++k) {
    stepper->step(INFINITY);
    stepper->current(state);
    observer(k, state);
  }
}

// The largest deviation of a quantity over 10,000 steps, relative to its size.
double deviation(const Example& example, double step, const std::function<double(const State&)>& quantity) {
  const double expected = quantity(example.start);
  double worst = 0;
  observe(example, step, 10000,
          [&](int, const State& state) { worst = std::max(worst, std::abs(quantity(state) - expected)); });
  return worst / std::abs(expected);
}

class MomentaLong : public testing::TestWithParam<Path> {};
INSTANTIATE_TEST_SUITE_P(Paths, MomentaLong, testing::Values(Path::constant_mass, Path::reduced));

TEST_P(MomentaLong, OfADoublePendulumAboutTheVertical) {
  const Example example = double_pendulum(GetParam());
  EXPECT_LT(deviation(example, 0.01, [&](const State& s) { return angular_momentum(example.system, s).z(); }), 1e-12);
}

TEST(MomentaOfBodiesLong, OfAFreeBodyInSpace) {
  const Example example = free_body({1, 2, 2.5});
  const Vector3d initial = angular_momentum(example.system, example.start);
  double worst = 0;
  observe(example, 0.05, 10000, [&](int, const State& state) {
    worst = std::max(worst, (angular_momentum(example.system, state) - initial).norm());
  });
  EXPECT_LT(worst / initial.norm(), 1e-12);
}

TEST(MomentaOfBodiesLong, OfATopAboutTheVerticalAndItsAxis) {
  const Example example = heavy_top();
  EXPECT_LT(deviation(example, 0.02, [&](const State& s) { return angular_momentum(example.system, s).z(); }), 1e-12);
  EXPECT_LT(deviation(example, 0.02,
                      [&](const State& s) {
                        const Matrix3d R = s.q.reshaped(3, 3);
                        return (R.transpose() * angular_momentum(example.system, s)).z();
                      }),
            1e-12);
}

// A regular motion: there and back over 1000 steps.
TEST(ThereAndBackLong, ReturnsToTheStart) {
  for (Path path : {Path::constant_mass, Path::reduced}) {
    const Example example = lagrangian_pendulum(path);
    const State there = advance(example, example.start, 0.02, 1000);
    EXPECT_GT(distance(there, example.start), 0.1);
    EXPECT_LT(distance(advance(example, there, -0.02, 1000), example.start), 1e-11);
  }
}

// The largest energy error in the first and in the last quarter of a run are alike: a band, not a drift.
TEST(EnergyLong, StaysInABand) {
  for (const Example& example :
       {double_pendulum(), heavy_top(), torus(), slider_crank(), relativistic(), group_se2()}) {
    const int steps = 20000;
    const double initial = energy(example.system, example.start).total;
    double early = 0, late = 0, mean_early = 0, mean_late = 0;
    observe(example, 0.01, steps, [&](int k, const State& state) {
      const double error = energy(example.system, state).total - initial;
      if (k <= steps / 4) early = std::max(early, std::abs(error)), mean_early += error;
      if (k > 3 * steps / 4) late = std::max(late, std::abs(error)), mean_late += error;
    });
    EXPECT_LT(late, 1.6 * early) << example.name;
    EXPECT_LT(std::abs(mean_late - mean_early) / (steps / 4), 0.2 * early) << example.name;
  }
}

TEST(ConstraintLong, IsKept) {
  for (Path path : {Path::constant_mass, Path::reduced}) {
    const Example example = slider_crank(path);
    const System& system = example.system;
    double worst = 0, worst_rate = 0;
    observe(example, 0.01, 10000, [&](int, const State& s) {
      const double along = s.q(0) / 2 - s.q(2), across = s.q(1) / 2;
      worst = std::max(worst, std::abs(along * along + across * across - 1));
      worst_rate = std::max(worst_rate, std::abs(2 * along * (s.v(0) / 2 - s.v(2)) + across * s.v(1)));
    });
    EXPECT_LT(worst, 1e-13) << system.path_reason();
    EXPECT_LT(worst_rate, 1e-13) << system.path_reason();
  }
}

Matrix3d hat(const Vector3d& x) {
  Matrix3d S;
  S << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return S;
}
Vector3d vee(const Matrix3d& S) { return {S(2, 1), S(0, 2), S(1, 0)}; }

// The Lie group variational integrator of a free body: h Pi^ = F J_d - J_d F^T, R1 = R0 F, Pi1 = F^T Pi0. With
// F = (I + f^)(I - f^)^-1, Newton's method by differences.
void lie_group_step(const Matrix3d& Jd, double h, Matrix3d& R, Vector3d& Pi) {
  const auto cayley = [](const Vector3d& f) -> Matrix3d {
    return (Matrix3d::Identity() + hat(f)) * (Matrix3d::Identity() - hat(f)).inverse();
  };
  const auto residual = [&](const Vector3d& f) -> Vector3d {
    const Matrix3d FJ = cayley(f) * Jd;
    return vee(FJ - FJ.transpose()) - h * Pi;
  };
  const Matrix3d J = Jd.trace() * Matrix3d::Identity() - Jd;
  Vector3d f = h / 2 * J.inverse() * Pi;
  for (int iteration = 0; iteration < 20; ++iteration) {
    Matrix3d D;
    for (int j = 0; j < 3; ++j)
      D.col(j) = (residual(f + 1e-6 * Vector3d::Unit(j)) - residual(f - 1e-6 * Vector3d::Unit(j))) / 2e-6;
    f -= D.inverse() * residual(f);
  }
  R = R * cayley(f);
  Pi = cayley(f).transpose() * Pi;
}

TEST(LieGroupVariational, IsTheOneWrittenByHand) {
  for (const Vector3d& inertia : {Vector3d(1, 2, 2.5), Vector3d(1, 2, 3)}) {  // generic; flat: J_d is singular
    const Example example = free_body(inertia);
    const Matrix3d Jd = Vector3d(Vector3d::Constant(inertia.sum() / 2) - inertia).asDiagonal();
    Matrix3d R = example.start.q.reshaped(3, 3);
    const Matrix3d rate = example.start.v.reshaped(3, 3);
    Vector3d Pi = inertia.asDiagonal() * vee(R.transpose() * rate);
    observe(example, 0.1, 100, [&](int k, const State& state) {
      lie_group_step(Jd, 0.1, R, Pi);
      const Matrix3d ours = state.q.reshaped(3, 3), our_rate = state.v.reshaped(3, 3);
      const Vector3d our_Pi = inertia.asDiagonal() * vee(ours.transpose() * our_rate);
      ASSERT_LT((ours - R).cwiseAbs().maxCoeff(), 1e-12) << "step " << k;
      ASSERT_LT((our_Pi - Pi).cwiseAbs().maxCoeff(), 1e-12) << "step " << k;
    });
  }
}

// An explicit step for one particle on the sphere, from the paper on two-spheres: with T = m |q'|^2/2,
// q1 = q0 + h v0 - h^2/(2 m) P dU - mu q0 where mu makes it unit.
TEST(TwoSpheres, IsTheExplicitStepWrittenByHand) {
  const Example example = lagrangian_pendulum();
  const double m = 1.5, h = 0.03;
  const auto force = [](const Vector3d& q) -> Vector3d { return -Vector3d(q.y(), q.x(), 2); };
  Vector3d q = example.start.q, v = example.start.v;
  observe(example, h, 200, [&](int k, const State& state) {
    const Vector3d f0 = force(q), u = h * v + h * h / (2 * m) * (f0 - q * q.dot(f0));
    const Vector3d q1 = u + std::sqrt(1 - u.squaredNorm()) * q;
    const Vector3d p = (q1 - q) / h + h / (2 * m) * force(q1);
    v = p - q1 * q1.dot(p);
    q = q1;
    ASSERT_LT((state.q - q).cwiseAbs().maxCoeff(), 1e-12) << "step " << k;
    ASSERT_LT((state.v - v).cwiseAbs().maxCoeff(), 1e-12) << "step " << k;
  });
}

TEST(GivenHamiltonian, MovesAsItsLagrangian) {
  const Example by_H = hamiltonian_pendulum(), by_L = lagrangian_pendulum();
  ASSERT_EQ(by_H.start.q, by_L.start.q);
  EXPECT_LT(distance(advance(by_H, by_H.start, 0.02, 200), advance(by_L, by_L.start, 0.02, 200)), 1e-12);
}

// Where the velocity that H gives a tangent momentum is not tangent, H is no Legendre transform in all momenta.
std::vector<Example> anisotropic_hamiltonians() {
  std::vector<Example> all;
  const auto add = [&](const std::string& name, const Manifold& space, const auto& extra) {
    Model model(name);
    const Formula q = model.coordinate("q", space), mu = model.momentum(q);
    const Formula size = mu.cols() == 1 ? squared_norm(mu) : trace(transpose(mu) * mu);
    model.hamiltonian(size / 2 + extra(q, mu));
    all.push_back(with_start(model, 31));
  };
  const Formula e1(Vector3d(1, 0, 0)), up(Vector3d(0.3, 0.5, 1));
  add("S1", S1(), [&](const Formula& q, const Formula& mu) {
    return 0.2 * mu.x() * mu.x() - 0.4 * (q.x() + 0.2) * mu.y() + q.y();
  });
  add("S2", S2(), [&](const Formula& q, const Formula& mu) {
    return 0.3 * dot(mu, up) * dot(mu, up) + dot(mu, e1) * q.y() + q.z();
  });
  add("SO3", SO3(), [&](const Formula& q, const Formula& mu) { return 0.2 * squared_norm(mu * up) + dot(q * e1, up); });
  Model model("S2 and R2");
  const Formula q = model.coordinate("q", S2()), mu = model.momentum(q);
  const Formula x = model.coordinate("x", Rn(2)), p = model.momentum(x);
  model.hamiltonian((squared_norm(mu) + squared_norm(p)) / 2 + 0.2 * mu.x() * p.y() + q.x() * x.y());
  all.push_back(with_start(model, 31));
  return all;
}

TEST(GivenHamiltonian, IsThatOfTangentMomenta) {
  for (const Example& example : anisotropic_hamiltonians()) {
    SCOPED_TRACE(example.system.name());
    const State exact = advance(example, example.start, Gauss{.step = 0.02}, 50);
    const double coarse = distance(advance(example, example.start, 0.02, 50), exact);
    const double fine = distance(advance(example, example.start, 0.005, 200), exact);
    EXPECT_LT(coarse, 3e-3);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(4), 2, 0.15);
  }
}

TEST(GivenHamiltonian, IsRefusedWhereItIsDegenerate) {
  const Example example = degenerate_hamiltonian();
  try {
    advance(example, example.start, 0.02, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "the variational integrator needs the Lagrangian of degenerate, and its Hamiltonian has none: it is "
                 "degenerate in mu "
                 "at t = 0; use gauss, rk4 or rk45");
  }
}

}  // namespace
}  // namespace hamel::test::variational_long_test
