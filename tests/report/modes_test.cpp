// Modes: their shapes, their causes, and pictures of them that stay on the manifold.
#include "hamel/analyze/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gallery/files.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"

namespace hamel::modes_test {
namespace {

struct Near {
  System system;
  LinearModel linear;
  std::vector<ConservedMomentum> symmetries;
  std::vector<Mode> all;
};

Near near(const std::string& id, const std::string& at) {
  const ModelFile file = test::gallery_model(id);
  const System system = derive(file.model.open());
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& one : examine_equilibria(file, system, remarks))
    if (one.name == at) {
      const LinearModel linear = linearize(system, one.state);
      const std::vector<ConservedMomentum> symmetries = conserved_momenta(file.model).momenta;
      return {system, linear, symmetries, modes(linear, spectrum(linear), symmetries)};
    }
  throw std::invalid_argument(id + " has no equilibrium " + at);
}

double off_equations(const LinearModel& linear, const Mode& mode) {
  const std::complex<double> lambda = mode.eigenvalue.value;
  const Eigen::VectorXcd x = linear.basis.transpose() * mode.shape;
  const Eigen::VectorXcd rest = lambda * lambda * (linear.M * x) + lambda * ((linear.D + linear.G) * x) + linear.K * x;
  return rest.norm() / ((linear.K * x).norm() + (linear.M * x).norm());
}

TEST(Modes, SolveTheLinearEquations) {
  for (const auto& [id, at] : {std::pair{"furuta-pendulum", "hanging"}, std::pair{"furuta-pendulum", "inverted"},
                               std::pair{"chain-pendulum-on-cart", "hanging"}}) {
    const Near found = near(id, at);
    int states = 0;
    for (const Mode& mode : found.all) {
      EXPECT_LT(off_equations(found.linear, mode), 1e-9) << id << " " << mode.eigenvalue.value;
      EXPECT_NEAR(mode.shape.cwiseAbs().maxCoeff(), 1, 1e-12);
      states += mode.turns() || mode.course == Course::drifts ? 2 : 1;
    }
    EXPECT_EQ(states, 2 * found.linear.size()) << id << " " << at;
  }
}

TEST(Modes, OfAChainOnACartDriftAlongItsTranslations) {
  const Near found = near("chain-pendulum-on-cart", "hanging");
  ASSERT_EQ(found.all.size(), 12u);
  EXPECT_EQ(found.all[0].symmetry, "translation along e1 of x");
  EXPECT_EQ(found.all[1].symmetry, "translation along e2 of x");
  EXPECT_EQ(name(found.all[0].course), std::string("drifts"));
  EXPECT_EQ(participation(found.linear, found.all[0])[0], 1);
  EXPECT_LT(participation(found.linear, found.all[0])[1], 1e-12);
  for (std::size_t k = 2; k < found.all.size(); ++k) EXPECT_EQ(found.all[k].course, Course::oscillates);
  EXPECT_LT(found.all[2].eigenvalue.frequency(), found.all.back().eigenvalue.frequency());
}

TEST(Modes, OfAPendulumHaveItsPeriod) {
  const Near found = near("spherical-pendulum", "hanging");
  ASSERT_EQ(found.all.size(), 2u);
  const double period = 2 * std::numbers::pi * std::sqrt(0.9 / 9.81);
  for (const Mode& mode : found.all) {
    EXPECT_NEAR(mode.period(), period, 1e-12);
    // In a plane, through the lowest point twice, a quarter of a period after the ends.
    EXPECT_NEAR(mode.shape.cwiseAbs().sum(), 1, 1e-12);
    const std::vector<State> film =
        along(found.system, found.linear, mode, {.amplitude = 0.3, .begin = 0, .end = period, .intervals = 4});
    EXPECT_LT((film[0].q - film[4].q).norm(), 1e-12);
    EXPECT_LT((film[1].q - found.linear.at.q).norm(), 1e-12);
    EXPECT_LT((film[3].q - found.linear.at.q).norm(), 1e-12);
    EXPECT_GT((film[0].q - film[2].q).norm(), 0.5);
    EXPECT_LT(film[2].q.head(2).norm(), 0.3);
  }
}

TEST(Modes, OfADampedFieldDecayAsTheirEigenvaluesSay) {
  Model model("damped");
  const Formula x = model.coordinate("x", Rn(1)), k = model.parameter("k", 4.0), c = model.parameter("c", 0.4);
  model.kinetic(rate(x) * rate(x) / 2);
  model.potential(k / 2 * x * x);
  model.dissipation(c / 2 * rate(x) * rate(x));
  const System system = derive(model);
  const LinearModel linear = linearize(system, system.state(0, VectorXd::Zero(1), VectorXd::Zero(1)));
  const std::vector<Mode> all = modes(linear, spectrum(linear));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].course, Course::decays);
  const double omega = std::sqrt(4 - 0.04);
  const std::vector<State> film =
      along(system, linear, all[0], {.amplitude = 0.5, .begin = 0, .end = 3, .intervals = 30});
  for (const State& state : film)
    EXPECT_NEAR(state.q(0), 0.5 * std::exp(-0.2 * state.t) * std::cos(omega * state.t), 1e-12);
}

TEST(Modes, StayOnTheManifoldAndOnConstraints) {
  for (const auto& [id, at] :
       {std::pair{"double-spherical-pendulum", "hanging"}, std::pair{"heavy-top", "hanging"},
        std::pair{"planar-slider-crank", "crank up"}, std::pair{"furuta-pendulum", "inverted"}}) {
    const Near found = near(id, at);
    for (const Mode& mode : found.all) {
      const double end = mode.turns() ? mode.period() : 1 / (1e-9 + mode.eigenvalue.frequency());
      for (const State& state : along(found.system, found.linear, mode, {.amplitude = 0.2, .end = std::min(end, 1.0)}))
        EXPECT_NO_THROW(found.system.check(state, 1e-12)) << id;
    }
  }
}

TEST(Modes, OfTheClosedLoopAreThoseOfTheRegulator) {
  const Near found = near("chain-pendulum-on-cart-controlled", "the goal of the control");
  const Regulator regulator = lqr(found.linear, {.states = {{"q", 8.0}, {"q'", 8.0}}, .inputs = {}});
  const LinearModel closed = with_feedback(found.linear, regulator.gain);
  double farthest = 0;
  for (const std::complex<double> z : spectrum(closed).all()) {
    double nearest = 1e9;
    for (const std::complex<double> w : regulator.closed_loop) nearest = std::min(nearest, std::abs(z - w));
    farthest = std::max(farthest, nearest / std::abs(z));
  }
  EXPECT_LT(farthest, 1e-6);
  for (const Mode& mode : modes(closed, spectrum(closed))) {
    EXPECT_EQ(mode.course, Course::decays);
    EXPECT_LT(off_equations(closed, mode), 1e-6);
  }
}

TEST(Modes, RefuseAGainOfTheWrongSize) {
  const Near found = near("spherical-pendulum", "hanging");
  EXPECT_THROW(with_feedback(found.linear, MatrixXd::Zero(1, 4)), std::invalid_argument);
}

}  // namespace
}  // namespace hamel::modes_test
