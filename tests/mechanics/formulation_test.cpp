// A model is lowered once, and what is derived from it does not depend on what else was asked for.
#include <gtest/gtest.h>

#include "hamel/derive/equations.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/model/lower.hpp"
#include "program/tape.hpp"

namespace hamel::test::formulation_test {
namespace {

// A pendulum on a body that turns about a fixed point.
Model body_with_pendulum() {
  Model model("body");
  const auto m = model.parameter("m", 0.7), l = model.parameter("l", 0.4), g = model.parameter("g", 9.81);
  const auto J = model.parameter("J", Eigen::Vector3d(1, 1.2, 0.9).asDiagonal().toDenseMatrix());
  const auto R = model.coordinate<SO3>("R");
  const auto q = model.coordinate<S2>("q");
  model.body("b", {.attitude = R, .inertia = J});
  const Vec3 x = R * Formula(Eigen::Vector3d(0.3, 0, 0.1)) + l * q;
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.z());
  return model;
}

void expect_same(const Kernel& a, const Kernel& b) {
  const Code &first = a.program().tape().code, &second = b.program().tape().code;
  EXPECT_EQ(a.constants(), b.constants());
  EXPECT_EQ(first.constants, second.constants);
  EXPECT_EQ(first.outputs, second.outputs);
  ASSERT_EQ(first.operations.size(), second.operations.size());
  for (std::size_t i = 0; i < first.operations.size(); ++i) {
    EXPECT_EQ(first.operations[i].op, second.operations[i].op);
    EXPECT_EQ(first.operations[i].argument, second.operations[i].argument);
  }
}

TEST(Formulation, GivesTheSameProgramsInEveryOrder) {
  const Model model = body_with_pendulum();
  const System one = derive(model), other = derive(body_with_pendulum());
  const auto pivots = Quadrature::trapezoidal, midpoint = Quadrature::midpoint;
  canonical(one);
  step(one, midpoint);
  step_pivots(one, pivots);
  static_cast<void>(equations(other.model(), Form::omega));
  step_pivots(other, pivots);
  step(other, midpoint);
  canonical(other);
  expect_same(canonical(one).program(), canonical(other).program());
  expect_same(step(one, midpoint).newton, step(other, midpoint).newton);
  expect_same(step_pivots(one, pivots), step_pivots(other, pivots));
  expect_same(constant_mass(one).acceleration, constant_mass(derive(model)).acceleration);
}

TEST(Formulation, IsMadeOnce) {
  const Model model = body_with_pendulum();
  const std::size_t before = lowered_models();
  const System system = derive(model);
  canonical(system);
  step(system, Quadrature::midpoint);
  discrete_map(system, Quadrature::midpoint);
  canonical(system.with({{"m", 0.8}}));
  static_cast<void>(derive(model.with({{"l", 0.5}})));
  static_cast<void>(equations(model, Form::pi));
  EXPECT_EQ(lowered_models(), before + 1);
}

TEST(Formulation, IsMadeAnewWhenTheModelGrows) {
  Model model = body_with_pendulum();
  const Model copy = model;
  const System first = derive(model);
  model.potential(0.5 * squared_norm(model.coordinate(1)[0]));
  const std::size_t before = lowered_models();
  const System second = derive(model);
  EXPECT_EQ(lowered_models(), before + 1);
  Random random(1);
  const VectorXd q = first.space().random_point(random), v = first.space().random_tangent(q, random);
  const auto potential = [&](const System& system) {
    Workspace w(system);
    return system.energy(w, 0, q, v).potential;
  };
  EXPECT_NEAR(potential(second), potential(first) + 0.5 * q(9) * q(9), 1e-12);
  EXPECT_EQ(potential(derive(copy)), potential(first));
}

}  // namespace
}  // namespace hamel::test::formulation_test
