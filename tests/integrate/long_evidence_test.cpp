// What the methods of hamel promise for ever, over runs that are long enough to see a broken promise.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
#include "integrate/systems.hpp"

namespace hamel::test {
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

class ManifoldLong : public testing::TestWithParam<Candidate> {};
INSTANTIATE_TEST_SUITE_P(Methods, ManifoldLong, testing::Values(variational("Variational", 2), gauss("Gauss8", 8)),
                         name_of);

TEST_P(ManifoldLong, UnitVectorsAfterAMillionSteps) {
  double worst = 0;
  observe(spherical_pendulum(), GetParam().with_step(0.02), 0.02, 1000000,
          [&](const State& s) { worst = std::max(worst, std::abs(s.q.squaredNorm() - 1)); });
  EXPECT_LT(worst, 1e-13);
}

TEST_P(ManifoldLong, RotationsAfterAMillionSteps) {
  double worst = 0;
  observe(body_pendulum(), GetParam().with_step(0.02), 0.02, 1000000, [&](const State& s) {
    const Eigen::Map<const Matrix3d> R(s.q.data());
    worst = std::max(worst, (R.transpose() * R - Matrix3d::Identity()).norm());
  });
  EXPECT_LT(worst, 1e-13);
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
  const double block = periods * period, initial = energy(example.system, example.start);
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
  const double h = 0.1, initial = energy(example.system, example.start);
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
}  // namespace hamel::test
