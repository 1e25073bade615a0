// Example 1 of Lee, Leok, McClamroch, "Lagrangian mechanics and variational integrators on two-spheres".
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/s2.hpp"

namespace hamel {
namespace {

System double_pendulum() {
  Model model("double spherical pendulum");
  auto m = model.parameter("m", {1.0, 1.0}), l = model.parameter("l", {9.81, 9.81});
  auto g = model.parameter("g", 9.81);
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)));
  model.kinetic(m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-m[0] * g * x1.z());
  model.potential(-m[1] * g * x2.z());
  return derive(model);
}

struct Errors {
  double energy, length;  // means over the outputs; the energy divided by m l^2, as in the paper
};

Errors errors(const Method& method) {
  const System system = double_pendulum();
  const double s = std::sqrt(3.0);
  VectorXd q(6), omega(6);
  q << s / 2, 0, 0.5, 0, 0, 1;
  omega << -s / 4, 0, 0.75, 0, 1, 0;
  const Trajectory run = integrate(system, system.state(0, q, omega), method, {.t = 100, .every = 0.01});
  EXPECT_EQ(run.size(), 10001U);
  Workspace work(system);
  const double initial = system.energy(work, 0, run.front().q, run.front().v).total;
  Errors sum{0, 0};
  for (const State& state : run.states) {
    sum.energy += std::abs(system.energy(work, state.t, state.q, state.v).total - initial);
    for (int i : {0, 3}) sum.length += std::abs(1 - state.q.segment<3>(i).squaredNorm()) / 2;
  }
  const auto count = static_cast<double>(run.size());
  return {sum.energy / count / 96.2361, sum.length / count};
}

TEST(TwoSpheresPaperLong, VariationalIntegrator) {
  const auto [energy, length] = errors(Variational{0.01});
  EXPECT_NEAR(energy, 2.1647e-5, 0.0005e-5);
  EXPECT_LT(length, 1e-14);
}

// The paper used a code with another step control: 7.8586e-4 and 6.2742e-5; ours gives 7.87e-4 and 5.20e-5.
TEST(TwoSpheresPaperLong, RungeKutta45) {
  const auto [energy, length] = errors(Rk45{.relative = 1e-4, .absolute = 1e-6});
  EXPECT_NEAR(std::log2(energy / 7.8586e-4), 0, 1);
  EXPECT_NEAR(std::log2(length / 6.2742e-5), 0, 1);
}

}  // namespace
}  // namespace hamel
