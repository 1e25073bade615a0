// Nothing allocates in a step.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "integrate/count_allocations.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::allocation_test {
namespace {

long allocations_of_steps(const Example& example, const Method& method) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  State state = example.start;
  const auto take = [&](int steps) {
    for (int k = 0; k < steps; ++k) {
      const double t = stepper->step(INFINITY);
      stepper->current(state);
      stepper->interpolate(t, state);
    }
  };
  take(3);
  const long before = allocations();
  take(100);
  return allocations() - before;
}

TEST(Allocation, IsCounted) {
  if (!counts_allocations()) GTEST_SKIP();
  const long before = allocations();
  const auto x = std::make_unique<MatrixXd>(30, 30);  // by operator new, and by Eigen
  EXPECT_EQ(allocations() - before, 2) << x->size();
}

TEST(Allocation, NoneInAStep) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const Example& example : {double_pendulum(), double_pendulum(Path::reduced), body_pendulum(), coupled_planar(),
                                 slider_crank(), slider_crank(Path::reduced), floating_body(), torus_of_angles()}) {
    EXPECT_EQ(allocations_of_steps(example, Variational{0.01}), 0) << example.name;
    for (Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
      for (bool reproject : {false, true}) {
        const int which = static_cast<int>(form);
        EXPECT_EQ(allocations_of_steps(example, Rk2{.step = 0.01, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
        EXPECT_EQ(allocations_of_steps(example, Rk4{.step = 0.01, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
        EXPECT_EQ(allocations_of_steps(example, Rk45{.relative = 1e-6, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
      }
  }
}

// Steps so long that each looks for a fold of the discrete Legendre transform.
TEST(Allocation, NoneWhereAFoldIsLookedFor) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const Path path : {Path::constant_mass, Path::reduced})
    EXPECT_EQ(allocations_of_steps(lagrangian_pendulum(path), Variational{0.3}), 0);
}

}  // namespace
}  // namespace hamel::test::allocation_test
