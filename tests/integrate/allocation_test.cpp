// Nothing allocates in a step.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "hamel/integrate/lane_runs.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/count_allocations.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::allocation_test {
namespace {

long allocations_of_steps(const Example& example, const Method& method, bool interpolates = true) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  State state = example.start;
  const auto take = [&](int steps) {
    for (int k = 0; k < steps; ++k) {
      stepper->mark();
      const double begin = state.t, t = stepper->step(INFINITY);
      if (interpolates) stepper->interpolate((begin + t) / 2, state);
      stepper->within((begin + t) / 2, state);
      stepper->current(state);
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
    for (const Method& method :
         {Method(Variational{0.01}), Method(Variational{0.01, 8}), Method(Gauss{.step = 0.01, .order = 2}),
          Method(Gauss{.step = 0.01}), Method(Gauss{.step = 0.01, .order = 16}), Method(Gauss{.tolerance = 1e-9}),
          Method(Variational{.step = 0.01, .rule = Quadrature::simpson}), Method(LieRk{0.01}),
          Method(LieRk{0.01, LieScheme::commutator_free4})})
      EXPECT_EQ(allocations_of_steps(example, method), 0) << example.name << " " << describe(method).name;
    for (Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
      for (bool reproject : {false, true}) {
        const int which = static_cast<int>(form);
        EXPECT_EQ(allocations_of_steps(example, Rk2{.step = 0.01, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
        EXPECT_EQ(allocations_of_steps(example, Rk4{.step = 0.01, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
        EXPECT_EQ(allocations_of_steps(example, Rk45{.relative = 1e-6, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
        EXPECT_EQ(allocations_of_steps(example, Dop853{.relative = 1e-6, .form = form, .reproject = reproject}), 0)
            << example.name << " " << which;
      }
  }
}

struct Nobody : LaneObserver {
  bool output(std::size_t, const State&) override { return true; }
  void ended(std::size_t, const std::vector<Occurrence>&) override {}
  void is_unusual(std::size_t) override { ADD_FAILURE(); }
};

// The start of a motion, and all that is checked of it.
TEST(Allocation, NoneForAMotionInALane) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const Example& example : {double_pendulum(), body_pendulum(), floating_body()})
    for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Dop853{.relative = 1e-6})}) {
      LaneRuns runs(example.system, method, {.t = 0.1, .every = 0.1}, LaneParameters::own);
      ASSERT_TRUE(runs.exist());
      const auto allocations_of = [&](std::size_t motions) {
        const std::vector<LaneMotion> all(motions, {&example.system, &example.start});
        Nobody nobody;
        const long before = allocations();
        runs.run(all, nobody);
        return allocations() - before;
      };
      allocations_of(8);
      EXPECT_EQ(allocations_of(100), allocations_of(8)) << example.name << " " << describe(method).name;
    }
}

// First-order systems: a turn that depends on time, alone and with a constraint that its field does not respect.
Example led_pose(bool constrained) {
  Model model(constrained ? "a pose that is led on a sphere" : "a pose that is led");
  const Formula G = model.coordinate<SE3>("G"), n = Formula(Eigen::Vector3d(0.3, 1, -0.5));
  model.angular_field(G, n * cos(model.time()));
  model.position_field(G, rotation(G) * n);
  if (constrained) model.constraint("sphere", squared_norm(position(G)) - 1);
  const System system = derive(model);
  VectorXd q(12);
  q << Eigen::Matrix3d::Identity().reshaped(), 0, 0, 1;
  return {model.name(), system, system.state(0, q)};
}

TEST(Allocation, NoneInAStepOfAField) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const bool constrained : {false, true}) {
    const Example example = led_pose(constrained);
    EXPECT_EQ(allocations_of_steps(example, LieRk{.step = 0.01}), 0) << example.name;
    EXPECT_EQ(allocations_of_steps(example, Rk4{.step = 0.01, .reproject = true}), 0) << example.name;
    EXPECT_EQ(allocations_of_steps(example, Rk45{.relative = 1e-6, .reproject = true}), 0) << example.name;
  }
}

// On a quartic a Gauss step has its own projection; that of the manifold, for interpolation, allocates.
TEST(Allocation, NoneInAProjectedStep) {
  if (!counts_allocations()) GTEST_SKIP();
  EXPECT_EQ(allocations_of_steps(torus(), Gauss{.step = 0.01}, false), 0);
  EXPECT_EQ(allocations_of_steps(torus(), Gauss{.tolerance = 1e-9}, false), 0);
}

// Steps so long that each looks for a fold of the discrete Legendre transform.
TEST(Allocation, NoneWhereAFoldIsLookedFor) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const Path path : {Path::constant_mass, Path::reduced})
    EXPECT_EQ(allocations_of_steps(lagrangian_pendulum(path), Variational{0.3}), 0);
}

}  // namespace
}  // namespace hamel::test::allocation_test
