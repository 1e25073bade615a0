// Laws that are sampled: the map from sample to sample beside closed forms and beside differences of the motion itself.
#include "hamel/analyze/sampled.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "hamel/analyze/modes.hpp"
#include "hamel/analyze/region.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test::sampled_test {
namespace {

// x' = u, u = -k x held for h: x -> (1 - k h) x
Model decay(double k, double h) {
  Model model("decay");
  const Formula x = model.coordinate("x", Rn(1)), u = model.input("u");
  model.field(x, u);
  model.law(u, -k * x, h);
  return model;
}

Examined at_zero(const Model& model) {
  const System system = derive(model);
  return examined(Linearization(system), system.state(0, VectorXd::Zero(1)));
}

TEST(SampledLaws, DecayAsTheirStepDoes) {
  const double h = 0.1;
  for (const double k : {3.0, 10.0, 15.0, 19.0, 21.0}) {
    const auto [linear, found] = at_zero(decay(k, h));
    ASSERT_TRUE(found.sampled) << k;
    EXPECT_NEAR(found.sampled->step(0, 0), 1 - k * h, 1e-14) << k;
    EXPECT_EQ(found.verdict, k * h < 2 ? Verdict::asymptotically_stable : Verdict::unstable) << k << found.reason;
    if (k == 10) {  // gone after one sample
      EXPECT_TRUE(found.spectrum.values.empty());
      continue;
    }
    ASSERT_EQ(found.spectrum.values.size(), 1U) << k;
    const std::complex<double> rate = found.spectrum.values[0].value;
    EXPECT_NEAR(rate.real(), std::log(std::abs(1 - k * h)) / h, 1e-12) << k;
    EXPECT_NEAR(rate.imag(), k * h < 1 ? 0 : std::numbers::pi / h, 1e-12) << k;
  }
}

TEST(SampledLaws, WithoutAnEffectLeaveThePointUndecided) {
  EXPECT_EQ(at_zero(decay(0, 0.1)).stability.verdict, Verdict::asymptotically_stable_modulo_family);
  EXPECT_EQ(at_zero(decay(20, 0.1)).stability.verdict, Verdict::inconclusive);  // z = -1
}

// A pole on a cart with a regulator that was made for samples.
struct Pole {
  Model model = Model("pole");
  LinearModel open;
  Regulator regulator;

  Pole(double interval, bool limited = false) {
    const Formula x = model.coordinate("x", Rn(1)), q = model.coordinate<S1>("q"), u = model.input("u");
    model.kinetic(0.5 * squared_norm(rate(x)) +
                  0.05 * squared_norm(Formula::vector({rate(x) + 0.5 * rate(q).x(), 0.5 * rate(q).y()})));
    model.potential(0.4905 * q.y());
    model.force_on(x, u);
    open = linearize(derive(model), {0, upright(), VectorXd::Zero(3)});
    regulator = lqr(open, {.states = {{"q", 8.0}}, .inputs = {{"u", 0.5}}}, {.sample = interval});
    const Formula law = feedback(model, open, regulator);
    model.law(u, limited ? max(-20.0, min(20.0, law)) : law, interval);
  }
  static VectorXd upright() { return Eigen::Vector3d(0, 0, 1); }
};

TEST(SampledLaws, OfARegulatorHaveItsClosedLoop) {
  const Pole pole(0.05, true);
  const auto [linear, found] = examined(Linearization(derive(pole.model)), {0, Pole::upright(), VectorXd::Zero(3)});
  EXPECT_EQ(found.verdict, Verdict::asymptotically_stable) << found.reason;
  ASSERT_TRUE(found.sampled);
  EXPECT_LE((found.sampled->gain - pole.regulator.gain).norm(), 1e-10 * pole.regulator.gain.norm());
  const std::vector<std::complex<double>> steps = found.sampled->steps.all();
  ASSERT_EQ(steps.size(), 4U);
  for (const std::complex<double> z : pole.regulator.closed_loop)
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [&](auto w) { return std::abs(w - z) < 1e-10; })) << z;
}

// The motion of the model over one sample, by central differences.
TEST(SampledLaws, StepAsTheMotionDoes) {
  const double h = 0.05, d = 1e-5;
  const Pole pole(h);
  const System system = derive(pole.model);
  const LinearModel& linear = pole.open;
  const SampledLoop loop = sampled_loop(linear, pole.regulator.gain, h);
  for (int k = 0; k < 4; ++k) {
    VectorXd ends[2];
    for (const int side : {0, 1}) {
      const VectorXd x = (side == 0 ? -d : d) * VectorXd::Unit(4, k), change = linear.basis * x.head(2);
      VectorXd q = linear.at.q + change, v = linear.basis * x.tail(2);
      q.tail(2).normalize();
      system.space().tangent_project(q, v, v);
      const State end =
          integrate(system, {0, q, v}, Rk45{.relative = 1e-12, .absolute = 1e-14}, {.t = h, .keep = false}).back();
      ends[side].resize(4);
      ends[side] << linear.basis.transpose() * (end.q - linear.at.q), linear.basis.transpose() * end.v;
    }
    const VectorXd slope = (ends[1] - ends[0]) / (2 * d);
    EXPECT_LE((slope - loop.step.col(k)).norm(), 1e-6 * loop.step.norm()) << k;
  }
}

// Along a mode each sample multiplies by z.
TEST(SampledLaws, HaveModesThatTheirStepMultiplies) {
  const Pole pole(0.05);
  const SampledLoop loop = sampled_loop(pole.open, pole.regulator.gain, 0.05);
  const std::vector<Mode> all = modes(pole.open, loop);
  int count = 0;
  for (const Mode& mode : all) {
    EXPECT_EQ(mode.course, Course::decays);
    count += mode.turns() ? 2 : 1;
    // What follows from x alone: (x, x') is an eigenvector, so x' is fixed by the upper rows.
    const Eigen::VectorXcd x = pole.open.basis.transpose() * mode.shape;
    const std::complex<double> z = std::exp(mode.eigenvalue.value * 0.05);
    const Eigen::MatrixXcd S = loop.step.cast<std::complex<double>>();
    const Eigen::VectorXcd rate = S.topRightCorner(2, 2).fullPivLu().solve(z * x - S.topLeftCorner(2, 2) * x);
    EXPECT_LE((S.bottomLeftCorner(2, 2) * x + S.bottomRightCorner(2, 2) * rate - z * rate).norm(), 1e-9 * rate.norm());
  }
  EXPECT_EQ(count, 4);
}

// The same points as with laws that hold at all times, judged by what samples do.
TEST(SampledLaws, KeepTheEquilibriaOfTheirLaws) {
  const Pole pole(0.02);
  const Equilibria found = equilibria(derive(pole.model));
  ASSERT_EQ(found.found.size(), 2U);
  EXPECT_EQ(found.found[0].stability.verdict, Verdict::unstable);
  EXPECT_EQ(found.found[1].stability.verdict, Verdict::asymptotically_stable) << found.found[1].stability.reason;
  EXPECT_NEAR(found.found[1].linear.at.q(0), 0, 1e-9);
}

TEST(SampledLaws, BringStartsHome) {
  const System system = derive(decay(3, 0.1));
  const Linearization linearization(system);
  const Region region = region_of_attraction(
      linearization, examined(linearization, system.state(0, VectorXd::Zero(1))).linear,
      {.axes = {{.name = "x", .point = VectorXd::Ones(1), .rate = {}, .low = -2, .high = 2}}, .points = 5});
  EXPECT_EQ(region.count(Fate::home), 5U);
}

}  // namespace
}  // namespace hamel::test::sampled_test
