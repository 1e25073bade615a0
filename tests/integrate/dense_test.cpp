// Interpolation, which raises the suspicion of events: on the manifold, if the method keeps it, and as accurate as the
// steps of methods up to order 5.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "integrate/systems.hpp"

namespace hamel::test::dense_test {
namespace {

struct Dense {
  const char* name;
  std::function<Method(double)> with_step;
  double order;
  int steps = 32;  // that show it
};

std::ostream& operator<<(std::ostream& out, const Dense& dense) { return out << dense.name; }

// Steps of one size, whatever the error.
Method steady_rk45(double h, Form form, bool reproject) {
  return Rk45{.relative = 1, .absolute = 1, .form = form, .first_step = h, .largest_step = h, .reproject = reproject};
}

Method steady_dop853(double h, bool reproject) {
  return Dop853{.relative = 1, .absolute = 1, .first_step = h, .largest_step = h, .reproject = reproject};
}

const std::vector<Dense> methods = {
    {"Variational", [](double h) { return Variational{h}; }, 2},
    {"Rk4", [](double h) { return Rk4{h}; }, 4},
    {"Rk4Reprojected", [](double h) { return Rk4{.step = h, .reproject = true}; }, 4},
    {"Rk4ReprojectedInPi", [](double h) { return Rk4{.step = h, .form = Form::pi, .reproject = true}; }, 4},
    {"Rk45", [](double h) { return steady_rk45(h, Form::omega, false); }, 5},
    {"Rk45Reprojected", [](double h) { return steady_rk45(h, Form::omega, true); }, 5},
    {"Rk45ReprojectedInMu", [](double h) { return steady_rk45(h, Form::mu, true); }, 5},
    {"Dop853", [](double h) { return steady_dop853(h, false); }, 7.5, 5},
    {"Dop853Reprojected", [](double h) { return steady_dop853(h, true); }, 7.5, 5},
};

// S^2, S^1 x S^1 x R^2, SO(3), SE(3), embedded, a matrix group, a homogeneous space, S^1 x S^1 with a mass that varies.
const std::vector<Example>& examples() {
  static const std::vector<Example> all = {rotating_sphere(),    coupled_planar(), body_pendulum(),
                                           floating_body(),      torus(),          group_se2(),
                                           orbit_of_rotations(), torus_of_angles()};
  return all;
}

class DenseOutput : public testing::TestWithParam<Dense> {};
INSTANTIATE_TEST_SUITE_P(Methods, DenseOutput, testing::ValuesIn(methods),
                         [](const auto& dense) { return std::string(dense.param.name); });

// Every state that a method has inside its steps, up to the time 0.8.
void for_each_inside(const Example& example, const Method& method, const std::function<void(const State&)>& look) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  State state;
  for (double t = 0, end = 0; t < 0.8; t = end) {
    end = stepper->step(0.8);
    for (double s : {0.2, 0.5, 0.9}) {
      stepper->interpolate(t + s * (end - t), state);
      ASSERT_EQ(state.t, t + s * (end - t));
      look(state);
    }
  }
}

double error_inside(const Example& example, const Method& method) {
  const auto exact = make_stepper(example.system, Rk45{.relative = 1e-13, .absolute = 1e-14, .form = Form::velocity});
  exact->start(example.start);
  State there;
  double error = 0;
  for_each_inside(example, method, [&](const State& state) {
    while (exact->step(state.t) < state.t) {
    }
    exact->current(there);
    error = std::max(error, distance(state, there));
  });
  return error;
}

TEST_P(DenseOutput, HasTheOrderOfTheMethod) {
  const auto& [name, with_step, order, steps] = GetParam();
  for (const Example& example : examples()) {
    const double coarse = error_inside(example, with_step(0.8 / steps));
    const double fine = error_inside(example, with_step(0.8 / (2 * steps)));
    EXPECT_GT(std::log2(coarse / fine), order - 0.3) << example.name << " " << coarse << " " << fine;
    EXPECT_LT(fine, 1e-2) << example.name;
  }
}

TEST_P(DenseOutput, IsOnTheManifold) {
  const Method method = GetParam().with_step(0.05);
  if (!describe(method).keeps_manifold) return;
  for (const Example& example : examples()) {
    const Manifold& space = example.system.space();
    VectorXd tangent(space.ambient());
    for_each_inside(example, method, [&](const State& state) {
      EXPECT_LT(space.defect(state.q), 1e-13) << example.name;
      space.tangent_project(state.q, state.v, tangent);
      EXPECT_LT((state.v - tangent).norm(), 1e-13 * std::max(1.0, state.v.norm())) << example.name;
    });
  }
}

// At both ends of a step there is nothing to interpolate.
TEST_P(DenseOutput, MeetsTheSteps) {
  for (const Example& example : examples()) {
    const auto stepper = make_stepper(example.system, GetParam().with_step(0.05));
    stepper->start(example.start);
    State before, now, state;
    stepper->step(0.3);
    for (int k = 0; k < 3; ++k) {
      stepper->current(before);
      const double t = stepper->step(0.12);  // the last one is shorter
      stepper->current(now);
      stepper->interpolate(before.t, state);
      EXPECT_LT(distance(state, before), 1e-13) << example.name;
      stepper->interpolate(t, state);
      EXPECT_LT(distance(state, now), 1e-13) << example.name;
      if (t == 0.12) break;
    }
  }
}

}  // namespace
}  // namespace hamel::test::dense_test
