// Examples 1 to 3 of Lee, Leok, McClamroch, "Lagrangian mechanics and variational integrators on two-spheres", to three
// digits; `make paper` runs all six.
#include <gtest/gtest.h>

#include <cmath>

#include "measure.hpp"

namespace hamel::two_spheres::paper_test {
namespace {

void expect_three_digits(double ours, double paper) { EXPECT_NEAR(ours / paper, 1, 1e-3) << ours; }

TEST(TwoSpheresPaperLong, DoublePendulum) {
  const Errors errors = measure(double_pendulum(), Variational{0.01});
  EXPECT_EQ(errors.steps, 10000U);
  expect_three_digits(errors.energy, 2.1641e-5);
  EXPECT_LT(errors.length, 1e-14);
}

TEST(TwoSpheresPaperLong, DoublePendulumByRungeKutta45) {
  const Errors errors = measure_double_pendulum_as_printed();
  expect_three_digits(errors.energy, 7.8586e-4);
  expect_three_digits(errors.length, 6.2742e-5);
}

// Our own equations differ from those of the paper off the spheres.
TEST(TwoSpheresPaperLong, DoublePendulumByRungeKutta45OfOurs) {
  for (Rk45Code code : {Rk45Code::dopri5, Rk45Code::ode45}) {
    const Errors errors = measure(double_pendulum(), Rk45{.relative = 1e-4, .absolute = 1e-6, .code = code}, 0.01);
    EXPECT_NEAR(std::log10(errors.energy / 7.8586e-4), 0, 0.5) << errors.energy;
    EXPECT_NEAR(std::log10(errors.length / 6.2742e-5), 0, 0.5) << errors.length;
  }
}

TEST(TwoSpheresPaperLong, ThreeBodies) {
  const Example example = three_bodies();
  const Errors coarse = measure(example, Variational{5e-3}), fine = measure(example, Variational{5e-4});
  expect_three_digits(coarse.energy, 1.1717e-4);
  expect_three_digits(fine.energy, 1.1986e-6);
  EXPECT_LT(fine.length, 1e-14);
}

// The Runge-Kutta figures are those of another program; the paper draws them.
TEST(TwoSpheresPaperLong, CoupledPendula) {
  const Example example = coupled_pendula();
  const Errors variational = measure(example, Variational{0.005}), rk2 = measure(example, Rk2{.step = 0.005}),
               reprojected = measure(example, Rk2{.step = 0.005, .reproject = true});
  expect_three_digits(variational.energy, 3.6171e-5);
  EXPECT_LT(variational.length, 1e-14);
  expect_three_digits(rk2.energy, 1.007e-3);
  expect_three_digits(rk2.length, 1.77e-3);
  expect_three_digits(reprojected.energy, 1.273e-3);
  EXPECT_LT(reprojected.length, 1e-14);
}

}  // namespace
}  // namespace hamel::two_spheres::paper_test
