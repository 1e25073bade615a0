// Verdicts that need more than a sign of an eigenvalue.
#include "hamel/analyze/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/linear/eigen.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test::stability_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Stability judged(const Model& model, const VectorXd& q, const VectorXd& u = {}, const Generator& moving = {}) {
  const System system = derive(model);
  const Linearization linearization(system);
  return stability(linearization, linearization.at({0, q, moving.velocity(q)}, u, moving),
                   conserved_momenta(model).momenta);
}

Model particle(double mass, double stiffness, double damping = 0) {
  Model model("particle");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(mass / 2 * squared_norm(rate(x)));
  model.potential(stiffness / 2 * x.x() * x.x());
  if (damping > 0) model.dissipation(damping / 2 * squared_norm(rate(x)));
  return model;
}

TEST(Verdicts, DoNotDependOnUnits) {
  for (const double mass : {1e-9, 1.0, 1e9})
    for (const double stiffness : {1e-7, 1.0, 1e7}) {
      const Stability found = judged(particle(mass, stiffness), Eigen::Vector2d(0, 0.3));
      EXPECT_EQ(found.verdict, Verdict::stable_modulo_symmetry) << mass << " " << stiffness << " " << found.reason;
      EXPECT_EQ(found.orbit, 1);
      EXPECT_EQ(found.spectrum.zero().algebraic, 2);
      EXPECT_EQ(judged(particle(mass, -stiffness), Eigen::Vector2d(0, 0.3)).verdict, Verdict::unstable);
    }
}

// Friction ends the drift: one zero, for the place where it comes to rest.
TEST(Verdicts, OfFrictionAlongAFamily) {
  const Stability found = judged(particle(1, 4, 0.5), Eigen::Vector2d(0, 0.3));
  EXPECT_EQ(found.verdict, Verdict::asymptotically_stable_modulo_family) << found.reason;
  EXPECT_EQ(found.family, 1);
  EXPECT_EQ(found.spectrum.zero().algebraic, 1);
  EXPECT_EQ(found.spectrum.zero().largest_block, 1);
}

// Friction in one of two directions that are not coupled: nothing ends the motion along the other.
TEST(Verdicts, OfFrictionThatIsNotEverywhere) {
  Model model("half damped");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(0.5 * squared_norm(x) + 0.5 * x.x() * x.x());
  model.dissipation(0.1 * rate(x).x() * rate(x).x());
  const Stability found = judged(model, Eigen::Vector2d(0, 0));
  EXPECT_EQ(found.verdict, Verdict::stable) << found.reason;
}

// An input that is not used is no force: the energy decides as without it.
TEST(Verdicts, OfInputsThatAreZero) {
  for (const double stiffness : {1e-20, 4.0}) {
    Model model = particle(1e-30, stiffness);
    const Formula x = model.coordinate(0), u = model.input("u");
    model.potential(stiffness * x.y() * x.y());
    model.force_on(x, u * Formula(Eigen::Vector2d(1, 0)));
    const Stability found = judged(model, Eigen::Vector2d(0, 0));
    EXPECT_EQ(found.verdict, Verdict::stable) << found.reason;
  }
  Model follower = particle(1, 4);
  const Formula x = follower.coordinate(0);
  follower.force_on(x, -x);  // a spring that is written as a force
  EXPECT_EQ(judged(follower, Eigen::Vector2d(0, 0)).verdict, Verdict::stable);
  follower.force_on(x, Formula::vector({-rate(x).y(), rate(x).x()}));
  EXPECT_EQ(judged(follower, Eigen::Vector2d(0, 0)).verdict, Verdict::inconclusive);
}

TEST(Verdicts, OfAFreeBodyAboutItsAxes) {
  Model model("free body");
  const auto R = model.coordinate<SO3>("R");
  model.kinetic(0.5 * dot(omega(R), Formula(Matrix3d(Vector3d(1, 2, 3).asDiagonal())) * omega(R)));
  const NoetherReport noether = conserved_momenta(model);
  ASSERT_EQ(noether.momenta.size(), 3u);
  const VectorXd q = Matrix3d::Identity().reshaped();
  std::vector<Verdict> verdicts;
  std::vector<Signature> levels;
  for (const char* axis : {"e1", "e2", "e3"})
    for (const ConservedMomentum& momentum : noether.momenta)
      if (momentum.generator.find(axis) != std::string::npos) {
        const Stability found = judged(model, q, {}, generator(momentum, 9, 2.0));
        verdicts.push_back(found.verdict);
        if (found.on_level) levels.push_back(*found.on_level);
      }
  EXPECT_EQ(verdicts,
            (std::vector{Verdict::stable_modulo_symmetry, Verdict::unstable, Verdict::stable_modulo_symmetry}));
  ASSERT_EQ(levels.size(), 1u);  // K decides about the largest moment
  EXPECT_EQ(levels[0], (Signature{0, 1, 2}));
}

// Thrust that follows the body: tilt, then speed, then place run away, like t^3.
TEST(Verdicts, OfAQuadrotorThatHovers) {
  Model model("quadrotor");
  const auto R = model.coordinate<SO3>("R");
  const auto x = model.coordinate("x", Rn(3));
  const auto thrust = model.input("thrust");
  model.kinetic(0.01 * squared_norm(omega(R)) + 0.5 * squared_norm(rate(x)));
  model.potential(9.81 * x.z());
  model.force_on(x, thrust * (R * unit_vector(2)));
  VectorXd hover(12);
  hover << Matrix3d::Identity().reshaped(), 0.1, 0.2, 0.3;
  const Stability found = judged(model, hover, VectorXd::Constant(1, 9.81));
  ASSERT_EQ(found.spectrum.values.size(), 1u);
  EXPECT_EQ(found.spectrum.zero().algebraic, 12);
  EXPECT_EQ(found.spectrum.zero().geometric, 4);
  EXPECT_EQ(found.spectrum.zero().largest_block, 4);
  EXPECT_EQ(found.verdict, Verdict::unstable);
  EXPECT_NE(found.reason.find("t^3"), std::string::npos) << found.reason;
}

// Every place of a free particle on an ellipsoid is an equilibrium, and no symmetry says so.
TEST(Verdicts, OfASetOfEquilibria) {
  Model model("ellipsoid");
  const auto q = model.coordinate<S2>("q");
  const Formula x = Formula(Matrix3d(Vector3d(1, 2, 3).asDiagonal())) * q;
  model.kinetic(0.5 * squared_norm(rate(x)));
  const Stability found = judged(model, Vector3d(0.6, 0, 0.8));
  EXPECT_EQ(found.verdict, Verdict::stable_as_a_set) << found.reason;
  EXPECT_EQ(found.orbit, 0);
  EXPECT_EQ(found.family, 2);
}

TEST(Verdicts, OfADegeneratePoint) {
  Model model("quartic");
  const auto x = model.coordinate("x", Rn(1));
  const auto y = model.coordinate("y", Rn(1));
  model.kinetic(0.5 * squared_norm(rate(x)) + 0.5 * squared_norm(rate(y)));
  model.potential(pow(x.x(), 4) + y.x() * y.x());
  const Stability found = judged(model, Eigen::Vector2d(0, 0));
  EXPECT_EQ(found.verdict, Verdict::inconclusive);
  EXPECT_NE(found.reason.find("fourth order"), std::string::npos) << found.reason;
}

// A saddle that turns fast enough keeps a particle in the linear equations; no energy says so.
TEST(Verdicts, OfGyroscopicStabilization) {
  Model model("turning saddle");
  const auto x = model.coordinate("x", Rn(2));
  const double w = 2;
  const Formula v = rate(x) + w * (Formula((Eigen::Matrix2d() << 0, -1, 1, 0).finished()) * x);
  model.kinetic(0.5 * squared_norm(v));
  model.potential(0.5 * (x.x() * x.x() - x.y() * x.y()));
  const Stability found = judged(model, Eigen::Vector2d(0, 0));
  EXPECT_EQ(found.verdict, Verdict::inconclusive);
  EXPECT_NE(found.reason.find("gyroscopic"), std::string::npos) << found.reason;
}

// A round bowl in a frame that turns faster than the particle swings: in the frame at rest the energy is least.
TEST(Verdicts, OfABowlSeenFromAFrameThatTurns) {
  Model model("bowl");
  const auto x = model.coordinate("x", Rn(2));
  const double w = 5;
  const Formula v = rate(x) + w * (Formula((Eigen::Matrix2d() << 0, -1, 1, 0).finished()) * x);
  model.kinetic(0.5 * squared_norm(v));
  model.potential(0.5 * squared_norm(x));
  const Stability found = judged(model, Eigen::Vector2d(0, 0));
  EXPECT_EQ(*found.stiffness, (Signature{0, 0, 2}));
  EXPECT_EQ(found.verdict, Verdict::stable) << found.reason;
}

TEST(Spectra, OfMatricesHaveTheirBlocks) {
  MatrixXd A = MatrixXd::Zero(6, 6);
  A.topLeftCorner(2, 2) << 0, 1, 0, 0;  // a block at 0
  A(2, 2) = A(3, 3) = -2;               // semisimple
  A.bottomRightCorner(2, 2) << 3, 1e-3, 0, 3;
  MatrixXd T = MatrixXd::Identity(6, 6);
  for (int i = 0; i < 5; ++i) T(i, i + 1) = 0.5;
  const Spectrum found = spectrum(T * A * T.inverse());
  ASSERT_EQ(found.values.size(), 3u);
  EXPECT_NEAR(std::abs(found.values[0].value + 2.0), 0, 1e-12);
  EXPECT_EQ(found.values[0].geometric, 2);
  EXPECT_EQ(found.values[1].value, 0.0);
  EXPECT_EQ(found.values[1].largest_block, 2);
  EXPECT_NEAR(std::abs(found.values[2].value - 3.0), 0, 1e-12);
  EXPECT_EQ(found.values[2].algebraic, 2);
  EXPECT_EQ(found.values[2].geometric, 1);
}

// Two masses on three springs move together, or against each other.
TEST(Spectra, HaveShapes) {
  Model model("two masses");
  const auto x = model.coordinate("x", Rn(2));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(0.5 * squared_norm(x) + 0.5 * pow(x.x() - x.y(), 2));
  const System system = derive(model);
  const LinearModel linear = linearize(system, {0, Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 0)});
  for (const Eigenvalue& one : spectrum(linear).values) {
    const Eigen::MatrixXcd shape = mode_shapes(linear, one);
    ASSERT_EQ(shape.cols(), 1);
    const double against = std::abs(std::abs(one.value) - 1) < 1e-12 ? 1 : -1;
    EXPECT_NEAR(std::abs(one.value), against > 0 ? 1 : std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(std::abs(shape(0, 0) - against * shape(1, 0)), 0, 1e-12);
  }
  Model free("free");
  const auto y = free.coordinate("y", Rn(3));
  free.kinetic(0.5 * squared_norm(rate(y)));
  const LinearModel drift = linearize(derive(free), {0, Vector3d(0, 0, 0), Vector3d(0, 0, 0)});
  EXPECT_EQ(mode_shapes(drift, spectrum(drift).zero()).cols(), 3);
}

TEST(Whitening, OfAPairInMixedUnits) {
  Eigen::Matrix2d K, M;
  K << 3, 1e-6, 1e-6, 2e-12;
  M << 1, 0, 0, 1e-12;  // in the second unit: K = [3, 1; 1, 2]
  const MatrixXd S = linear::whitening(M).value();
  EXPECT_LE((S.transpose() * M * S - MatrixXd::Identity(2, 2)).norm(), 1e-12);
  const VectorXd values = linear::symmetric_eigen(S.transpose() * K * S).values;
  EXPECT_NEAR(values(0), (5 - std::sqrt(5.0)) / 2, 1e-12);
  EXPECT_NEAR(values(1), (5 + std::sqrt(5.0)) / 2, 1e-12);
  EXPECT_FALSE(linear::whitening((Eigen::Matrix2d() << 1, 1, 1, 1).finished()));
}

}  // namespace
}  // namespace hamel::test::stability_test
