#include "hamel/record/monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hamel/integrate/integrate.hpp"
#include "integrate/count_allocations.hpp"
#include "integrate/systems.hpp"

namespace hamel::test {
namespace {

double mean(const VectorXd& values) { return values.sum() / static_cast<double>(values.size()); }

TEST(Monitor, AgreesWithTheWholeTrajectory) {
  const Example example = double_pendulum();
  const auto momenta = conserved_momenta(example.system.model()).momenta;
  ASSERT_EQ(momenta.size(), 1U);
  Monitor monitor(example.system, momenta);
  const Trajectory run = integrate(example.system, example.start, Rk4{0.02}, {.t = 4}, [&](const State& state) {
    monitor(state);
    return true;
  });
  const auto n = static_cast<Eigen::Index>(run.size());
  VectorXd t = run.times(), error(n), off(n), J(n);
  Workspace work(example.system);
  for (Eigen::Index k = 0; k < n; ++k) {
    const State& state = run.states[static_cast<std::size_t>(k)];
    error(k) = energy(example.system, state) - energy(example.system, run.front());
    off(k) = std::max(std::abs(1 - state.q.head<3>().squaredNorm()), std::abs(1 - state.q.tail<3>().squaredNorm()));
    J(k) = momenta[0].value(example.system, work, state);
  }
  const VectorXd centred = t.array() - mean(t);

  const RunSummary summary = monitor.summary();
  EXPECT_EQ(summary.outputs, run.size());
  EXPECT_EQ(summary.time, 4);
  EXPECT_EQ(summary.energy.initial, energy(example.system, run.front()));
  EXPECT_NEAR(summary.energy.mean_error, mean(error.cwiseAbs()), 1e-12 * error.cwiseAbs().maxCoeff());
  EXPECT_EQ(summary.energy.max_error, error.cwiseAbs().maxCoeff());
  const double slope = centred.dot(error) / centred.squaredNorm();
  EXPECT_NEAR(summary.energy.slope, slope, 1e-10 * std::abs(slope));
  EXPECT_TRUE(summary.energy.conserved);
  EXPECT_NEAR(summary.manifold.mean_error, mean(off), 1e-12 * off.maxCoeff());
  EXPECT_EQ(summary.manifold.max_error, off.maxCoeff());
  EXPECT_EQ(summary.momenta[0].initial, J(0));
  EXPECT_NEAR(summary.momenta[0].max_error, (J.array() - J(0)).abs().maxCoeff(), 1e-15);
  EXPECT_NEAR(*summary.momenta[0].max_relative_error, summary.momenta[0].max_error / std::abs(J(0)), 1e-15);
  EXPECT_EQ(summary.final.q, run.back().q);
}

TEST(Monitor, HasNoRelativeErrorOfAMomentumThatIsZero) {
  const Example example = double_pendulum();
  State rest = example.start;
  rest.v.setZero();
  Monitor monitor(example.system, conserved_momenta(example.system.model()).momenta);
  monitor(rest);
  EXPECT_FALSE(monitor.summary().momenta[0].max_relative_error.has_value());
}

TEST(Monitor, FindsTheSlopeOfADriftFarFromTheOrigin) {
  Statistics statistics;
  Sample sample;
  sample.state = {0, VectorXd(0), VectorXd(0)};
  for (int k = 0; k < 100000; ++k) {
    sample.state.t = 1e6 + k;
    sample.energy.total = 3 + 1e-9 * k + (k % 2 == 0 ? 1e-6 : -1e-6);
    statistics.add(sample, {});
  }
  RunSummary summary;
  statistics.fill(summary);
  EXPECT_NEAR(summary.energy.slope, 1e-9, 1e-14);
}

TEST(Monitor, GoesOnFromWhatItRemembers) {
  const Example example = slider_crank();
  const auto momenta = conserved_momenta(example.system.model()).momenta;
  Monitor whole(example.system, momenta), first(example.system, momenta), second(example.system, momenta);
  int count = 0;
  integrate(example.system, example.start, Rk4{0.02}, {.t = 1}, [&](const State& state) {
    whole(state);
    if (++count == 20) {
      std::vector<double> numbers;
      Memory in(numbers);
      first.remember(in);
      Memory out{std::span<const double>(numbers)};
      second.remember(out);
    }
    (count < 20 ? first : second)(state);
    return true;
  });
  EXPECT_EQ(second.summary().outputs, whole.summary().outputs);
  EXPECT_EQ(second.summary().energy.slope, whole.summary().energy.slope);
  EXPECT_EQ(second.summary().energy.mean_error, whole.summary().energy.mean_error);
  EXPECT_EQ(second.summary().constraints.max_error, whole.summary().constraints.max_error);
  EXPECT_GT(second.summary().constraints.max_error, 0);
}

// Those whose defect is computed without allocation, manifold.hpp.
bool has_fixed_factors(const System& system) {
  const auto factors = system.space().factors();
  return std::all_of(factors.begin(), factors.end(), [](const Manifold& factor) {
    return std::set<std::string>{"R1", "R2", "R3", "S1", "S2", "SO3", "SE3"}.contains(factor.name());
  });
}

TEST(Monitor, DoesNotAllocate) {
  if (!counts_allocations()) GTEST_SKIP() << "the sanitizer has a malloc of its own";
  int count = 0;
  for (const Case& c : all_cases()) {
    const Example example = c.make();
    if (!has_fixed_factors(example.system) || example.system.has_hamiltonian()) continue;
    Monitor monitor(example.system, conserved_momenta(example.system.model()).momenta);
    monitor(example.start);
    const long before = allocations();
    for (int k = 0; k < 10; ++k) monitor(example.start);
    EXPECT_EQ(allocations(), before) << c.name;
    ++count;
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace hamel::test
