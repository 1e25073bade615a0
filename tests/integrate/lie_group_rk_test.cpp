#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/count_allocations.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::lie_group_rk_test {
namespace {

MatrixXd unit(int n, int i, int j) { return MatrixXd(VectorXd::Unit(n, i) * VectorXd::Unit(n, j).transpose()); }

Example started(const Model& model, unsigned seed) {
  Example example{model.name(), derive(model), {}};
  const Manifold& space = example.system.space();
  Random random(seed);
  example.start.q = space.random_point(random);
  example.start.v = space.random_tangent(example.start.q, random);
  return example;
}

// S^3 in R^4, in a potential without symmetry.
Example on_three_sphere() {
  Model model("particle on S3");
  auto q = model.coordinate("q", Sphere{3});
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(q[0] * q[1] + 2 * q[2] + pow(q[3], 3));
  return started(model, 3);
}

// SL(2): neither compact nor solvable.
Example on_sl2() {
  Model model("motion on SL(2)");
  auto g = model.coordinate("g", LieGroup{{unit(2, 0, 0) - unit(2, 1, 1), unit(2, 0, 1), unit(2, 1, 0)}, "SL(2)"});
  model.kinetic(squared_norm(rate(g).column(0)) / 2 + squared_norm(rate(g).column(1)));
  model.potential(squared_norm(g.column(0)) + 2 * squared_norm(g.column(1)) + g(0, 1));
  Example example{model.name(), derive(model), {}};
  const Manifold& space = example.system.space();
  Random random(5);
  example.start.q = space.reference_point();
  example.start.v = space.random_tangent(example.start.q, random);
  return example;
}

// SO(3) x S^2 x S^1 x R^3, all coupled: a body on a string, with a wheel's direction and a bob.
Example on_product() {
  Model model("body, bob and needle");
  auto R = model.coordinate<SO3>("R");
  auto q = model.coordinate<S2>("q");
  auto p = model.coordinate<S1>("p");
  auto x = model.coordinate("x", Rn{3});
  const Formula corner = x + R * Formula(Eigen::Vector3d(0.3, -0.2, 0.4)), bob = corner + 0.8 * q;
  model.body(
      "body",
      {.attitude = R, .position = x, .mass = 2.0, .inertia = Eigen::Matrix3d(Eigen::Vector3d(1, 1.5, 2).asDiagonal())});
  model.kinetic(0.4 * squared_norm(rate(bob)) + 0.3 * squared_norm(rate(p)));
  model.potential(2 * squared_norm(x) + bob.z() + dot(Formula::vector({p.x(), p.y(), 0.0}), q + R.column(0)));
  return started(model, 7);
}

struct Case {
  std::string label;
  std::function<Example()> example;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.label; }

class LieGroupRk : public testing::TestWithParam<std::tuple<Case, LieScheme>> {};
INSTANTIATE_TEST_SUITE_P(
    Systems, LieGroupRk,
    testing::Combine(testing::Values(Case{"TwoSpheres", [] { return double_pendulum(); }},
                                     Case{"Circles", [] { return coupled_planar(); }}, Case{"HeavyTop", heavy_top},
                                     Case{"Body", body_pendulum}, Case{"FloatingBody", floating_body},
                                     Case{"ThreeSphere", on_three_sphere}, Case{"MatrixGroupSE2", group_se2},
                                     Case{"MatrixGroupSL2", on_sl2}, Case{"Orbit", orbit_of_rotations},
                                     Case{"Product", on_product}, Case{"Damped", [] { return damped_pendulum(); }},
                                     Case{"Constrained", [] { return slider_crank(); }}),
                     testing::Values(LieScheme::rkmk4, LieScheme::commutator_free4)),
    [](const testing::TestParamInfo<LieGroupRk::ParamType>& p) {
      return std::get<0>(p.param).label + (std::get<1>(p.param) == LieScheme::rkmk4 ? "MuntheKaas" : "CommutatorFree");
    });

State end_of(const Example& example, const LieRk& method, double duration) {
  return integrate(example.system, example.start, method, {.t = duration, .keep = false}).back();
}

TEST_P(LieGroupRk, IsOfOrderFour) {
  const auto& [system, scheme] = GetParam();
  const Example example = system.example();
  const State exact = reference(example, 0.8);
  const auto error = [&](int steps) { return distance(end_of(example, {0.8 / steps, scheme}, 0.8), exact); };
  const double coarse = error(40), fine = error(160);
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 4, 0.15) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-6);
}

TEST_P(LieGroupRk, KeepsTheManifold) {
  const auto& [system, scheme] = GetParam();
  const Example example = system.example();
  const Manifold& space = example.system.space();
  double defect = 0;
  integrate(example.system, example.start, LieRk{0.01, scheme}, {.t = 10, .every = 0.995, .keep = false},
            [&](const State& state) {
              VectorXd tangent(state.v.size());
              space.tangent_project(state.q, state.v, tangent);
              defect = std::max({defect, space.defect(state.q), (state.v - tangent).norm()});
              return true;
            });
  EXPECT_LT(defect, 1e-13);
}

TEST_P(LieGroupRk, InterpolatesWithOrderThree) {
  const auto& [system, scheme] = GetParam();
  const Example example = system.example();
  const auto error = [&](double h) {
    const auto stepper = make_stepper(example.system, LieRk{h, scheme});
    stepper->start(example.start);
    stepper->step(1);
    State between;
    stepper->interpolate(0.4 * h, between);
    return distance(between, reference(example, 0.4 * h));
  };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 4, 0.4);
}

TEST_P(LieGroupRk, AllocatesNothingInAStep) {
  const auto& [system, scheme] = GetParam();
  if (!counts_allocations()) GTEST_SKIP();
  if (system.label.find("Matrix") == 0 || system.label == "Orbit") GTEST_SKIP();  // no factors of fixed size
  const Example example = system.example();
  const auto stepper = make_stepper(example.system, LieRk{0.01, scheme});
  stepper->start(example.start);
  for (int k = 0; k < 3; ++k) stepper->step(10);
  const long before = allocations();
  for (int k = 0; k < 20; ++k) stepper->step(10);
  EXPECT_EQ(allocations() - before, 0);
}

TEST(LieGroupRkMethod, RefusesFactorsWithoutAGroup) {
  try {
    make_stepper(torus().system, LieRk{0.01});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("no group is known to act on its factor 1 (torus)"), std::string::npos)
        << error.what();
  }
}

TEST(LieGroupRkMethod, IsDescribed) {
  EXPECT_EQ(describe(LieRk{0.1}).name, "rkmk4");
  const MethodInfo method = describe(LieRk{0.1, LieScheme::commutator_free4});
  EXPECT_EQ(method.name, "commutator_free4");
  EXPECT_EQ(method.order, 4);
  EXPECT_TRUE(method.keeps_manifold && method.is_explicit);
  EXPECT_FALSE(method.symplectic || method.symmetric || method.adaptive);
  EXPECT_THROW(check(LieRk{0.0}), std::invalid_argument);
}

}  // namespace
}  // namespace hamel::test::lie_group_rk_test
