// What the methods of hamel promise for ever, over runs that are long enough to see a broken promise.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/systems.hpp"

namespace hamel::test::long_evidence_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Candidate {
  const char* name;
  std::function<Method(double)> with_step;
};
std::ostream& operator<<(std::ostream& out, const Candidate& c) { return out << c.name; }

Candidate variational(const char* name, int order) {
  return {name, [order](double h) { return Variational{.step = h, .order = order}; }};
}
Candidate gauss(const char* name, int order) {
  return {name, [order](double h) { return Gauss{.step = h, .order = order}; }};
}
std::string name_of(const testing::TestParamInfo<Candidate>& candidate) { return candidate.param.name; }

// In native code where that pays.
void observe(const Example& example, const Method& method, double step, int steps,
             const std::function<void(const State&)>& observer) {
  const auto stepper = make_stepper(example.system, method);
  stepper->start(example.start);
  stepper->prepare(step * steps);
  State state;
  for (int k = 0; k < steps; ++k) {
    stepper->step(INFINITY);
    stepper->current(state);
    observer(state);
  }
}

Example spherical_pendulum() {
  Model model("spherical pendulum");
  auto q = model.coordinate<S2>("q");
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(9.81 * q.z());
  Example example{model.name(), derive(model), {}};
  example.start = example.system.state(0, Vector3d(0.6, 0, -0.8), Vector3d(0, 1, -3));
  return example;
}

// As in examples/demo.cpp.
Example demo_pendulum() {
  Model model("double spherical pendulum");
  auto m = model.parameter("m", {1.0, 1.0}), l = model.parameter("l", {9.81, 9.81});
  auto g = model.parameter("g", 9.81);
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)));
  model.kinetic(m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-m[0] * g * x1.z());
  model.potential(-m[1] * g * x2.z());
  Example example{model.name(), derive(model), {}};
  const double s = std::sqrt(3.0);
  VectorXd start(6), omega(6);
  start << s / 2, 0, 0.5, 0, 0, 1;
  omega << -s / 4, 0, 0.75, 0, 1, 0;
  example.start = example.system.state(0, start, omega);
  return example;
}

// Three masses on four bars between two pivots.
Example loop_of_bars() {
  Model model("loop of bars");
  const auto x = model.coordinates("x", Rn{3}, 3);
  std::vector<Vec3> joints = {Formula(Vector3d(0, 0, 0))};
  for (const Formula& point : x) joints.emplace_back(point);
  joints.emplace_back(Formula(Vector3d(2, 0, 0)));
  for (std::size_t i = 1; i <= 3; ++i) {
    model.kinetic(squared_norm(rate(joints[i])) / 2);
    model.potential(9.81 * joints[i].z());
  }
  for (std::size_t i = 1; i <= 4; ++i)
    model.constraint("bar" + std::to_string(i), squared_norm(joints[i] - joints[i - 1]) - 1);
  Example example{model.name(), derive(model), {}};
  VectorXd q(9), v(9);
  q << 0, 0.6, -0.8, 1, 0.6, -0.8, 2, 0.6, -0.8;
  v << 0, 0.8, 0.6, 0, 0.8, 0.6, 0, 0.8, 0.6;  // all swing together
  example.start = {0, q, v};
  return example;
}

// A sphere whose centre is not the origin, so that its equation has a linear part.
Example sphere_elsewhere() {
  Model model("sphere elsewhere");
  const auto constraint = [](const VectorXe& p) -> VectorXe {
    return VectorXe::Constant(1, p.squaredNorm() - 2 * p(0) + 4 * p(1) + 4);  // |p - (1, -2, 0)|^2 = 1
  };
  auto x = model.coordinate("x", Embedded{3, constraint, "sphere"});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(9.81 * x.z());
  Example example{model.name(), derive(model), {}};
  example.start = {0, Vector3d(1.6, -2, -0.8), Vector3d(0.8, 1, 0.6)};
  return example;
}

struct Motion {
  const char* name;
  std::function<Example()> make;
  Method method;
  double step;
};
std::ostream& operator<<(std::ostream& out, const Motion& m) { return out << m.name; }
std::string name_of_motion(const testing::TestParamInfo<Motion>& motion) { return motion.param.name; }

Motion by_variational(const char* name, const std::function<Example()>& make, double h) {
  return {name, make, Variational{h}, h};
}
Motion by_gauss(int order, const char* name, const std::function<Example()>& make, double h) {
  return {name, make, Gauss{.step = h, .order = order}, h};
}
Example any_free_body() { return free_body({1, 2, 2.5}); }
Example chain_of_five() { return chain(5); }

class ManifoldLong : public testing::TestWithParam<Motion> {};
INSTANTIATE_TEST_SUITE_P(
    Motions, ManifoldLong,
    testing::Values(
        by_variational("SphereVariational", spherical_pendulum, 0.02),
        by_gauss(8, "SphereGauss8", spherical_pendulum, 0.02), by_gauss(16, "SphereGauss16", spherical_pendulum, 0.1),
        by_gauss(8, "SphereElsewhereGauss8", sphere_elsewhere, 0.02),
        by_variational("SpheresVariational", demo_pendulum, 0.02), by_gauss(8, "SpheresGauss8", demo_pendulum, 0.02),
        by_gauss(16, "SpheresGauss16", demo_pendulum, 0.1), by_variational("ChainVariational", chain_of_five, 0.005),
        by_gauss(8, "ChainGauss8", chain_of_five, 0.005), by_variational("FreeBodyVariational", any_free_body, 0.02),
        by_gauss(8, "FreeBodyGauss8", any_free_body, 0.02), by_gauss(16, "FreeBodyGauss16", any_free_body, 0.1),
        by_variational("PendulumVariational", body_pendulum, 0.02), by_gauss(8, "PendulumGauss8", body_pendulum, 0.02)),
    name_of_motion);

TEST_P(ManifoldLong, IsKeptOverAMillionSteps) {
  const Example example = GetParam().make();
  double worst = 0;
  observe(example, GetParam().method, GetParam().step, 1000000,
          [&](const State& s) { worst = std::max(worst, example.system.space().defect(s.q)); });
  EXPECT_LT(worst, 1e-13);
}

// A start beside the manifold stays as far from it: steps keep what they find and reproject nothing. On spheres the
// variational step itself asks for c(q1) = 0.
class DefectLong : public testing::TestWithParam<Motion> {};
INSTANTIATE_TEST_SUITE_P(Motions, DefectLong,
                         testing::Values(by_gauss(2, "SphereGauss2", spherical_pendulum, 0.02),
                                         by_gauss(8, "SphereGauss8", spherical_pendulum, 0.02),
                                         by_gauss(16, "SphereGauss16", spherical_pendulum, 0.1),
                                         by_gauss(8, "SphereElsewhereGauss8", sphere_elsewhere, 0.02),
                                         by_gauss(8, "SpheresGauss8", demo_pendulum, 0.02),
                                         by_gauss(8, "ChainGauss8", chain_of_five, 0.005),
                                         by_variational("FreeBodyVariational", any_free_body, 0.02),
                                         by_gauss(8, "FreeBodyGauss8", any_free_body, 0.02),
                                         by_variational("PoseVariational", floating_body, 0.02),
                                         by_gauss(8, "PoseGauss8", floating_body, 0.02)),
                         name_of_motion);

TEST_P(DefectLong, OfTheStartStays) {
  Example example = GetParam().make();
  const Manifold& space = example.system.space();
  example.start.q *= 1 + 5e-11;
  const double initial = space.defect(example.start.q);
  ASSERT_NEAR(initial, 1.3e-10, 0.6e-10);
  double worst = 0;
  observe(example, GetParam().method, GetParam().step, 10000,
          [&](const State& s) { worst = std::max(worst, std::abs(space.defect(s.q) - initial)); });
  EXPECT_LT(worst, 0.01 * initial);
}

// The mean over whole periods has no slope: 100,000 periods in 100 blocks.
TEST(EnergyBandLong, OfASphericalPendulumDoesNotDrift) {
  const Example example = spherical_pendulum();
  const double h = 0.02;
  const Event turning{.name = "top", .value = [](const State& s) { return s.v.z(); }, .direction = Crossing::falling};
  const auto tops =
      integrate(example.system, example.start, Variational{h}, {.t = 500, .keep = false, .events = {turning}})
          .occurrences;
  const double period = (tops.back().state.t - tops.front().state.t) / static_cast<double>(tops.size() - 1);
  constexpr int blocks = 100, periods = 1000;
  const double block = periods * period, initial = energy(example.system, example.start).total;
  VectorXd sum = VectorXd::Zero(blocks), count = sum;
  double lowest = 0, highest = 0;
  Workspace work(example.system);
  observe(example, Variational{h}, h, static_cast<int>(blocks * block / h), [&](const State& s) {
    const double error = example.system.energy(work, s.t, s.q, s.v).total - initial;
    const auto k = std::min<Eigen::Index>(static_cast<Eigen::Index>(s.t / block), blocks - 1);
    sum(k) += error;
    ++count(k);
    lowest = std::min(lowest, error);
    highest = std::max(highest, error);
  });
  const VectorXd means = sum.cwiseQuotient(count);
  const VectorXd position = VectorXd::LinSpaced(blocks, -0.5, 0.5);
  const double change = position.dot(means) / position.squaredNorm();  // slope times T
  EXPECT_GT(highest - lowest, 1e-6);
  EXPECT_LT(std::abs(change), 0.01 * (highest - lowest));
}

// Relative to how much T + |U| varies. With longer steps the error is that of the method: 1.3e-14 at h = 0.125.
TEST(EnergyToRoundingLong, OfADoublePendulumByGauss16) {
  const Example example = demo_pendulum();
  const double h = 0.1, initial = energy(example.system, example.start).total;
  Workspace work(example.system);
  double worst = 0, least = INFINITY, most = 0;
  observe(example, Gauss{.step = h, .order = 16}, h, 10000, [&](const State& s) {
    const Energy now = example.system.energy(work, s.t, s.q, s.v);
    const double size = now.kinetic + std::abs(now.potential);
    worst = std::max(worst, std::abs(now.total - initial));
    least = std::min(least, size);
    most = std::max(most, size);
  });
  EXPECT_LT(worst, 1e-14 * (most - least));
}

// What of a momentum map is lost in 100,000 steps, relative to its size.
class MomentumMapLong : public testing::TestWithParam<Candidate> {
 protected:
  static constexpr double allowed = 1e-12;
  static double loss(const Example& example, double step, const std::function<Vector3d(const State&)>& momentum) {
    const Vector3d initial = momentum(example.start);
    double worst = 0;
    observe(example, GetParam().with_step(step), step, 100000,
            [&](const State& s) { worst = std::max(worst, (momentum(s) - initial).norm()); });
    return worst / initial.norm();
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, MomentumMapLong,
                         testing::Values(variational("Variational", 2), variational("Variational4", 4),
                                         variational("Variational6", 6), variational("Variational8", 8),
                                         gauss("Gauss8", 8)),
                         name_of);

TEST_P(MomentumMapLong, OfADoublePendulumAboutTheVertical) {
  const Example example = double_pendulum();
  EXPECT_LT(loss(example, 0.01,
                 [&](const State& s) -> Vector3d {
                   return {0, 0, angular_momentum(example.system, s).z()};
                 }),
            allowed);
}

TEST_P(MomentumMapLong, OfATopAboutTheVerticalAndItsAxis) {
  const Example example = heavy_top();
  EXPECT_LT(loss(example, 0.02,
                 [&](const State& s) -> Vector3d {
                   const Vector3d L = angular_momentum(example.system, s);
                   return {L.z(), L.dot(s.q.tail<3>()), 0};
                 }),
            allowed);
}

TEST_P(MomentumMapLong, OfAFreeBody) {
  const Example example = free_body({1, 2, 2.5});
  EXPECT_LT(loss(example, 0.05, [&](const State& s) { return angular_momentum(example.system, s); }), allowed);
}

class ConstraintsLong : public testing::TestWithParam<Candidate> {
 protected:
  static double violation(const Example& example, double step) {
    Workspace work(example.system);
    VectorXd c(example.system.constraints());
    double worst = 0;
    observe(example, GetParam().with_step(step), step, 100000, [&](const State& s) {
      example.system.constraint(work, s.q, c);
      worst = std::max(worst, c.lpNorm<Eigen::Infinity>());
    });
    return worst;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ConstraintsLong, testing::Values(variational("Variational", 2), gauss("Gauss8", 8)),
                         name_of);

TEST_P(ConstraintsLong, OfASliderCrank) {
  const double worst = violation(slider_crank(), 0.01);
  EXPECT_LT(worst, 1e-12);
}
TEST_P(ConstraintsLong, OfALoopOfBars) {
  const double worst = violation(loop_of_bars(), 0.01);
  EXPECT_LT(worst, 1e-12);
}

class ReturnLong : public testing::TestWithParam<Candidate> {};
INSTANTIATE_TEST_SUITE_P(
    Methods, ReturnLong,
    testing::Values(variational("Variational", 2), variational("Variational4", 4), variational("Variational6", 6),
                    variational("Variational8", 8),
                    Candidate{"Midpoint",
                              [](double h) { return Variational{.step = h, .rule = Quadrature::midpoint}; }},
                    gauss("Gauss2", 2), gauss("Gauss4", 4), gauss("Gauss6", 6), gauss("Gauss8", 8),
                    gauss("Gauss10", 10), gauss("Gauss12", 12), gauss("Gauss14", 14), gauss("Gauss16", 16)),
    name_of);

TEST_P(ReturnLong, ToTheStartOfARegularMotion) {
  const Example example = lagrangian_pendulum();
  const State there = advance(example, example.start, GetParam().with_step(0.02), 1000);
  EXPECT_GT(distance(there, example.start), 0.1);
  const double d = distance(advance(example, there, GetParam().with_step(-0.02), 1000), example.start);
  EXPECT_LT(d, 1e-11);
}

}  // namespace
}  // namespace hamel::test::long_evidence_test
