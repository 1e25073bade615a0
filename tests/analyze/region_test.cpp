// Regions of attraction that are known in closed form, or by an energy.
#include "hamel/analyze/region.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/hamel.hpp"

namespace hamel::region_test {
namespace {

RegionAxis point_axis(int k, int n, double low, double high) {
  return {.name = "x", .point = VectorXd::Unit(n, k), .rate = {}, .low = low, .high = high};
}
RegionAxis rate_axis(int k, int n, double low, double high) {
  return {.name = "x'", .point = {}, .rate = VectorXd::Unit(n, k), .low = low, .high = high};
}

// x' = -x + x^3: |x| < 1
TEST(Region, OfACubicFieldIsAnInterval) {
  Model model("cubic");
  const Formula x = model.coordinate("x", Rn(1));
  model.field(x, -x + x * x * x);
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, VectorXd::Zero(1)));
  const Region region =
      region_of_attraction(linearization, linear, {.axes = {point_axis(0, 1, -1.95, 1.95)}, .points = 40});
  ASSERT_EQ(region.starts.size(), 40u);
  for (const Region::Start& start : region.starts)
    EXPECT_EQ(start.fate == Fate::home, std::abs(start.at(0)) < 1) << start.at(0) << " " << name(start.fate);
  EXPECT_EQ(region.count(Fate::home), 20u);
  // ln of what is left: near 0 the time of x' = -x; x(t) = x0 e^-t / sqrt(1 - x0^2 (1 - e^-2t))
  const Region::Start& one = region.starts[24];
  const double x0 = one.at(0),
               arrived = std::log(x0 * std::sqrt(1 / (region.ball * region.ball) - 1) / std::sqrt(1 - x0 * x0));
  EXPECT_NEAR(one.time, arrived, region.stay / 8);
}

TEST(Region, HasTheSameBitsForAnyNumberOfThreads) {
  Model model("pendulum");
  const Formula q = model.coordinate<S1>("q");
  model.kinetic(0.5 * squared_norm(rate(q)));
  model.potential(-9.81 * q.x());
  model.dissipation(0.4 * squared_norm(rate(q)));
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at({0, Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 0)});
  const auto with = [&](unsigned threads) {
    return region_of_attraction(
        linearization, linear,
        {.axes = {point_axis(0, 1, -3, 3), rate_axis(0, 1, -9, 9)}, .points = 9, .threads = threads});
  };
  const Region one = with(1);
  EXPECT_GT(one.count(Fate::home), 40U);
  for (const unsigned threads : {2U, 7U}) {
    const Region many = with(threads);
    for (std::size_t k = 0; k < one.starts.size(); ++k) {
      EXPECT_EQ(many.starts[k].fate, one.starts[k].fate);
      EXPECT_EQ(many.starts[k].time, one.starts[k].time);
    }
  }
}

// Van der Pol's equation backwards: inside of its limit cycle, which crosses x' = 0 at 2.00861986...
TEST(Region, OfVanDerPolBackwardsIsInsideItsCycle) {
  Model model("van der Pol");
  const Formula y = model.coordinate("y", Rn(2));
  model.field(y, Formula::vector({-y[1], y[0] - (1.0 - y[0] * y[0]) * y[1]}));
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, VectorXd::Zero(2)));
  ASSERT_TRUE(linear.basis.isIdentity(1e-14));
  const Region narrow =
      region_of_attraction(linearization, linear, {.axes = {point_axis(0, 2, 1.9986, 2.0186)}, .points = 20});
  for (const Region::Start& start : narrow.starts)
    EXPECT_EQ(start.fate == Fate::home, start.at(0) < 2.00861986) << start.at(0);
  const Region region = region_of_attraction(
      linearization, linear, {.axes = {point_axis(0, 2, -3, 3), point_axis(1, 2, -3, 3)}, .points = 25});
  EXPECT_EQ(region.starts.size(), 625u);
  EXPECT_NEAR(static_cast<double>(region.count(Fate::home)) * 36 / 576, 13.7222, 0.4);
  EXPECT_EQ(region.count(Fate::not_tried), 0u);
}

// A pendulum, unrolled onto a line: without damping the separatrix E = 1 is the border; a little of it moves the border
// by less than what one turn costs, c times the integral of the velocity.
TEST(Region, OfAWeaklyDampedPendulumEndsAtTheSeparatrix) {
  constexpr double c = 0.02;
  Model model("pendulum");
  const Formula a = model.coordinate("a", Rn(1));
  model.kinetic(rate(a) * rate(a) / 2);
  model.potential(-cos(a));
  model.dissipation(c / 2 * rate(a) * rate(a));
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, VectorXd::Zero(1), VectorXd::Zero(1)));
  const Region region = region_of_attraction(
      linearization, linear, {.axes = {point_axis(0, 1, -3, 3), rate_axis(0, 1, -2.9, 2.9)}, .points = 15});
  int inside = 0, outside = 0;
  for (const Region::Start& start : region.starts) {
    const double E = start.at(1) * start.at(1) / 2 - std::cos(start.at(0));
    if (E < 1) {
      EXPECT_EQ(start.fate, Fate::home) << start.at.transpose();
      ++inside;
    } else if (E > 1 + 10 * c) {
      EXPECT_EQ(start.fate, Fate::away) << start.at.transpose();
      ++outside;
    }
  }
  EXPECT_GT(inside, 80);
  EXPECT_GT(outside, 80);
}

// On a circle and on a sphere a damped pendulum comes home from everywhere but from its highest point.
TEST(Region, StartsOnTheManifoldWithTheGivenAngleAndRate) {
  Model model("spherical");
  const Formula q = model.coordinate<S2>("q");
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(q.z());
  model.dissipation(0.5 * squared_norm(rate(q)));
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, -VectorXd::Unit(3, 2), VectorXd::Zero(3)));
  const Region region = region_of_attraction(linearization, linear,
                                             {.axes = {point_axis(0, 2, -3, 3), rate_axis(1, 2, -4, 4)}, .points = 7});
  EXPECT_EQ(region.count(Fate::home), 49u);
  const std::vector<RegionAxis> along = {point_axis(0, 2, -3, 3), rate_axis(0, 2, -4, 4)};
  const State start = region_start(system, linear, along, Eigen::Vector2d(2.5, -1.5));
  system.check(start, 1e-9);
  EXPECT_NEAR(start.q.z(), -std::cos(2.5), 1e-14);
  EXPECT_NEAR(start.v.norm(), 1.5, 1e-9);
  EXPECT_NEAR(start.v.z(), -1.5 * std::sin(2.5), 1e-9);
}

TEST(Region, IsTheSameForTheSameSeedAndSaysWhatWasNotTried) {
  Model model("decay");
  const Formula x = model.coordinate("x", Rn(2));
  model.field(x, -x);
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, VectorXd::Zero(2)));
  RegionOptions options{.axes = {point_axis(0, 2, -1, 1), point_axis(1, 2, -1, 1)}, .sample = 30, .seed = 7};
  const Region first = region_of_attraction(linearization, linear, options);
  const Region again = region_of_attraction(linearization, linear, options);
  options.seed = 8;
  const Region other = region_of_attraction(linearization, linear, options);
  EXPECT_EQ(first.count(Fate::home), 30u);
  for (std::size_t k = 0; k < 30; ++k) EXPECT_EQ(first.starts[k].at, again.starts[k].at);
  EXPECT_NE(first.starts[0].at, other.starts[0].at);
  int asked = 0;
  options.go_on = [&](double) { return ++asked < 10; };
  options.threads = 1;  // others would finish what they have begun
  const Region some = region_of_attraction(linearization, linear, options);
  EXPECT_EQ(some.count(Fate::not_tried), 20u);
}

// Starts that are pushed and not moved go somewhere, too.
TEST(Region, OfADampedOscillatorIsEverything) {
  Model model("oscillator");
  const Formula x = model.coordinate("x", Rn(1));
  model.kinetic(rate(x) * rate(x) / 2);
  model.potential(x * x / 2);
  model.dissipation(0.3 * rate(x) * rate(x));
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, VectorXd::Zero(1), VectorXd::Zero(1)));
  const Region region = region_of_attraction(linearization, linear, {.axes = {rate_axis(0, 1, -3, 3)}, .points = 7});
  EXPECT_EQ(region.count(Fate::home), 7u);
}

// On a circle nothing is ever far away, not even at the top: these four starts are there when one looks.
TEST(Region, OfAPendulumThatTurnsOverIsEverything) {
  Model model("pendulum");
  const Formula q = model.coordinate("q", S1{});
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(9.81 * q.y());
  model.dissipation(0.25 * squared_norm(rate(q)));
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, Eigen::Vector2d(0, -1), VectorXd::Zero(1)));
  const Region region = region_of_attraction(linearization, linear,
                                             {.axes = {point_axis(0, 1, 1.5393804002589984, 2.924822760492097),
                                                       rate_axis(0, 1, -7.047206893514622, 7.517020686415595)},
                                              .points = 2});
  EXPECT_EQ(region.count(Fate::home), 4u);
}

TEST(Region, RefusesWhatAttractsNothing) {
  Model model("oscillator");
  const Formula x = model.coordinate("x", Rn(1));
  model.kinetic(rate(x) * rate(x) / 2);
  model.potential(x * x / 2);
  const System system = derive(model);
  const Linearization linearization(system);
  const LinearModel linear = linearization.at(system.state(0, VectorXd::Zero(1), VectorXd::Zero(1)));
  EXPECT_THROW(region_of_attraction(linearization, linear, {.axes = {point_axis(0, 1, -1, 1)}}), std::domain_error);
  EXPECT_THROW(region_of_attraction(linearization, linear, {.axes = {}}), std::invalid_argument);
  EXPECT_THROW(region_of_attraction(linearization, linear, {.axes = {point_axis(0, 1, 1, -1)}}), std::invalid_argument);
  EXPECT_THROW(region_of_attraction(linearization, linear, {.axes = {point_axis(1, 2, -1, 1)}}), std::invalid_argument);
}

}  // namespace
}  // namespace hamel::region_test
