// The two ways to take a variational step, and its limit. What it promises as a method: battery_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hamel/integrate/stepper.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::variational_test {
namespace {

struct Pair {
  const char* name;
  std::function<Example(Path)> make;
};
std::ostream& operator<<(std::ostream& out, const Pair& p) { return out << p.name; }

class BothSteppers : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Systems, BothSteppers,
                         testing::Values(Pair{"DoublePendulum", [](Path p) { return double_pendulum(p); }},
                                         Pair{"Chain", [](Path p) { return chain(5, p); }},
                                         Pair{"CoupledPlanar", [](Path p) { return coupled_planar(p); }},
                                         Pair{"RotatingSphere", [](Path p) { return rotating_sphere(p); }},
                                         Pair{"SliderCrank", [](Path p) { return slider_crank(p); }},
                                         Pair{"Damped", [](Path p) { return damped_pendulum(p); }},
                                         Pair{"Driven", [](Path p) { return driven_pendulum(p); }}),
                         [](const auto& pair) { return std::string(pair.param.name); });

TEST_P(BothSteppers, AgreeOnEveryStep) {
  const Example fast = GetParam().make(Path::constant_mass), slow = GetParam().make(Path::reduced);
  State state = fast.start;
  for (int k = 0; k < 50; ++k) {
    const State one = advance(fast, state, 0.01, 1), other = advance(slow, state, 0.01, 1);
    ASSERT_LT((one.q - other.q).lpNorm<Eigen::Infinity>(), 1e-14) << "step " << k;
    ASSERT_LT((one.v - other.v).lpNorm<Eigen::Infinity>(), 1e-13 * std::max(1.0, state.v.norm())) << "step " << k;
    state = one;
  }
}

// Found from the pattern of the mass, not from the name of the system (Corollary 3 of the paper on two-spheres).
TEST(ClosedForm, IsFoundWhereBodiesAreCoupledOnlyByForces) {
  Model model("three bodies on a sphere");
  auto q = model.coordinates<S2>("q", 3);
  for (int i = 0; i < 3; ++i) {
    model.kinetic((0.5 + 0.1 * i) * squared_norm(rate(q[i])));
    for (int j = 0; j < i; ++j) model.potential(0.3 * dot(q[i], q[j]) + 0.1 * pow(dot(q[i], q[j]), 3));
  }
  const System system = derive(model);
  EXPECT_FALSE(constant_mass(system).step.closed.empty());
  EXPECT_TRUE(constant_mass(double_pendulum().system).step.closed.empty()) << "the masses couple";
  EXPECT_TRUE(constant_mass(rotating_sphere().system).step.closed.empty()) << "gyroscopic forces are implicit";
  EXPECT_TRUE(constant_mass(slider_crank().system).step.closed.empty()) << "a loop";
  EXPECT_TRUE(constant_mass(body_pendulum().system).step.closed.empty()) << "rotations";

  // The same step as by Newton's method on the manifold.
  Random random(3);
  State state{0, system.space().random_point(random), {}};
  state.v = system.space().random_tangent(state.q, random);
  const System reduced = derive(model, {.path = Path::reduced});
  const State one = advance({"", system, state}, state, 0.05, 20),
              other = advance({"", reduced, state}, state, 0.05, 20);
  EXPECT_LT(distance(one, other), 1e-12);
  EXPECT_LT(system.space().defect(one.q), 1e-15);
}

class ShortSteps : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Systems, ShortSteps, testing::ValuesIn(all_cases()),
                         [](const auto& c) { return std::string(c.param.name); });

// The chord of a step of 1e-12 has four digits; the velocity must not.
TEST_P(ShortSteps, KeepTheVelocity) {
  const Example example = GetParam().make();
  for (double h : {1e-6, 1e-9, 1e-12})
    EXPECT_LT((advance(example, example.start, h, 1).v - example.start.v).lpNorm<Eigen::Infinity>(), 100 * h + 1e-13)
        << h;
}

// The quarter turn per step, where the discrete Legendre transform folds: sin(angle) = h omega.
TEST(StepLimit, IsTheFold) {
  const Example example = free_body({1, 1, 1});
  const auto turned = [&](double h_omega) {
    State start = example.system.state(0, example.start.q, Eigen::Vector3d(0, 0, h_omega));
    return advance(example, start, 1.0, 1);
  };
  const State end = turned(0.95);
  const Eigen::Matrix3d R0 = example.start.q.reshaped(3, 3), R1 = end.q.reshaped(3, 3);
  EXPECT_NEAR(std::acos(((R0.transpose() * R1).trace() - 1) / 2), std::asin(0.95), 1e-12);
  EXPECT_THROW(turned(1.05), std::runtime_error);
  EXPECT_THROW(turned(2.5), std::runtime_error);
}

TEST(StepLimit, OfASphere) {
  const Example example = rotating_sphere();
  State start = example.start;
  start.v *= 2.5 / start.v.norm();
  EXPECT_THROW(advance(example, start, 1.0, 1), std::runtime_error);
}

// Where forces of inputs depend on the place, so does Newton's matrix on the inputs.
TEST(VariationalMidpoint, TakesInputsWhoseForcesDependOnThePlace) {
  const auto towed = [](bool with_input) {
    Model model("towed particle");
    const Formula x = model.coordinate("x", Rn(3));
    model.kinetic(squared_norm(rate(x)) / 2);
    model.potential(9.81 * x.z());
    model.constraint("length", squared_norm(x) - 1);
    model.force_on(x, (with_input ? model.input("u") : Formula(0.5)) * cross(unit_vector(2), x));
    return derive(model);
  };
  const System constant = towed(false), by_input = towed(true);
  const State start{0, Eigen::Vector3d(0.6, 0, -0.8), Eigen::Vector3d(0, 1, 0)};
  const Variational method{.step = 0.01, .rule = Quadrature::midpoint};
  const auto one = make_stepper(constant, method), other = make_stepper(by_input, method);
  one->start(start);
  other->start(start);
  other->set_inputs(VectorXd::Constant(1, 0.5));
  State a, b;
  for (int k = 0; k < 100; ++k) {
    one->step(10);
    other->step(10);
    one->current(a);
    other->current(b);
    ASSERT_LT((a.q - b.q).lpNorm<Eigen::Infinity>() + (a.v - b.v).lpNorm<Eigen::Infinity>(), 1e-12) << k;
  }
  EXPECT_GT((a.q - start.q).norm(), 0.1);
}

}  // namespace
}  // namespace hamel::test::variational_test
