#include "hamel/record/monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hamel/integrate/integrate.hpp"
#include "hamel/manifold/factors.hpp"
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
    error(k) = energy(example.system, state).total - energy(example.system, run.front()).total;
    off(k) = std::max(std::abs(1 - state.q.head<3>().squaredNorm()), std::abs(1 - state.q.tail<3>().squaredNorm()));
    J(k) = momenta[0].value(example.system, work, state);
  }
  const VectorXd centred = t.array() - mean(t);

  const RunSummary summary = monitor.summary();
  EXPECT_EQ(summary.outputs, run.size());
  EXPECT_EQ(summary.time, 4);
  EXPECT_EQ(summary.energy.initial, energy(example.system, run.front()).total);
  EXPECT_NEAR(summary.energy.mean_error, mean(error.cwiseAbs()), 1e-12 * error.cwiseAbs().maxCoeff());
  EXPECT_EQ(summary.energy.max_error, error.cwiseAbs().maxCoeff());
  const double slope = centred.dot(error) / centred.squaredNorm();
  EXPECT_NEAR(summary.energy.slope, slope, 1e-10 * std::abs(slope));
  EXPECT_TRUE(summary.energy.conserved);
  EXPECT_NEAR(summary.manifold.mean_error, mean(off), 1e-12 * off.maxCoeff());
  EXPECT_EQ(summary.manifold.max_error, off.maxCoeff());
  EXPECT_EQ(summary.momenta[0].initial, J(0));
  EXPECT_NEAR(summary.momenta[0].max_error, (J.array() - J(0)).abs().maxCoeff(), 1e-15);
  EXPECT_EQ(summary.final.q, run.back().q);
}

// At rest the momentum is zero and its terms too.
TEST(Monitor, KeepsAMomentumThatIsZero) {
  const Example example = double_pendulum();
  State rest = example.start;
  rest.v.setZero();
  Monitor monitor(example.system, conserved_momenta(example.system.model()).momenta);
  monitor(rest);
  EXPECT_EQ(monitor.summary().momenta[0].kept(), Kept::to_rounding);
}

RunSummary watched(const System& system, const State& start, const Method& method, double until) {
  Monitor monitor(system, conserved_momenta(system.model()).momenta);
  integrate(system, start, method, {.t = until}, [&](const State& state) {
    monitor(state);
    return true;
  });
  return monitor.summary();
}

// A cart and a pendulum that start at rest: the momentum of the cart is the sum of two that are not zero, in one
// number.
TEST(Monitor, KeepsAMomentumWhoseTermsCancel) {
  Model model("cart");
  const Formula x = model.coordinate("x", Rn(1)), q = model.coordinate<S2>("q");
  const Formula e1 = unit_vector(0), place = e1 * x[0] + q;
  model.kinetic(0.5 * squared_norm(rate(x)) + 0.5 * squared_norm(rate(place)));
  model.potential(9.81 * q.z());
  const System system = derive(model);
  const State start = system.state(0, Eigen::Vector4d(0, 0.8, 0, 0.6), Eigen::Vector4d(0, 0, 0, 0));
  const RunSummary summary = watched(system, start, Variational{0.01}, 10);
  ASSERT_EQ(summary.momenta.size(), 1U);
  EXPECT_EQ(summary.momenta[0].initial, 0);
  Followed momentum = summary.momenta[0];
  EXPECT_LT(momentum.max_error, 1e-14);
  momentum.max_error = 1e-14;  // it may have none at all
  EXPECT_EQ(momentum.kept(), Kept::to_rounding) << momentum.size;
}

System falling_pendulum(double offset) {
  Model model("pendulum");
  const Formula q = model.coordinate<S2>("q");
  model.kinetic(0.5 * squared_norm(rate(q)));
  model.potential(q.z() + offset);
  return derive(model);
}

// A constant in the potential energy makes rounding larger, and an error no smaller.
TEST(Monitor, ComparesTheEnergyWithWhatItsTermsChangeBy) {
  const State start = falling_pendulum(0).state(0, Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 0, 0));
  const Followed plain = watched(falling_pendulum(0), start, Rk4{0.1}, 50).energy;
  const Followed offset = watched(falling_pendulum(1e6), start, Rk4{0.1}, 50).energy;
  EXPECT_NEAR(plain.size, 2, 0.02);  // T from 0 to 1, U from 0 to -1
  EXPECT_NEAR(offset.size, plain.size, 1e-6);
  EXPECT_NEAR(offset.relative_error(), plain.relative_error(), 1e-6);
  EXPECT_EQ(plain.kept(), Kept::drifting) << plain.relative_error();
  EXPECT_EQ(offset.kept(), Kept::drifting);
  EXPECT_LT(plain.slope, 0);
}

TEST(Monitor, TellsWhatMethodsKeep) {
  const Example example = double_pendulum();
  const RunSummary variational = watched(example.system, example.start, Variational{0.02}, 100);
  EXPECT_EQ(variational.energy.kept(), Kept::bounded);
  EXPECT_EQ(variational.momenta[0].kept(), Kept::to_rounding);
  EXPECT_EQ(variational.manifold.kept(), Kept::to_rounding);
  const RunSummary fine = watched(example.system, example.start, Rk4{0.01}, 100);
  EXPECT_EQ(fine.energy.kept(), Kept::drifting);
  EXPECT_EQ(fine.manifold.kept(), Kept::drifting);
  const RunSummary coarse = watched(example.system, example.start, Rk4{0.05}, 100);
  EXPECT_EQ(coarse.energy.kept(), Kept::lost);
  EXPECT_EQ(coarse.momenta[0].kept(), Kept::lost);
  EXPECT_EQ(coarse.manifold.kept(), Kept::lost);
}

// Of a particle in a rotating frame T + U varies; what is followed is v.L_v - L = T2 - T0 + U.
TEST(Monitor, FollowsTheJacobiIntegral) {
  const Example example = rotating_sphere();
  Monitor monitor(example.system);
  double lowest = 1e9, highest = -1e9;
  integrate(example.system, example.start, Gauss{.step = 0.05, .order = 8}, {.t = 20}, [&](const State& state) {
    const Energy energy = monitor(state).energy;
    lowest = std::min(lowest, energy.kinetic + energy.potential);
    highest = std::max(highest, energy.kinetic + energy.potential);
    return true;
  });
  const Followed energy = monitor.summary().energy;
  EXPECT_EQ(energy.name, "Jacobi integral");
  EXPECT_GT(highest - lowest, 0.01 * energy.size);
  EXPECT_LT(energy.relative_error(), 1e-8);
  for (const Example& natural : {double_pendulum(), torus_of_angles(), free_body({1, 2, 3}), relativistic()})
    EXPECT_EQ(Monitor(natural.system).summary().energy.name, "energy") << natural.name;
}

// A constraint of many metres is not lost when it is off by a micrometre, and one of a micrometre is.
TEST(Monitor, ComparesEveryConstraintWithItsTerms) {
  Model model("two rods");
  const Formula x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(3));
  model.kinetic(0.5 * (squared_norm(rate(x)) + squared_norm(rate(y))));
  model.constraint("long", squared_norm(x) - 1e6);
  model.constraint("short", squared_norm(y) - 1e-6);
  const System system = derive(model);
  State state{0, VectorXd::Zero(6), VectorXd::Zero(6)};
  state.q << 1000, 0, 0, 1e-3, 0, 0;
  const auto of = [&](double off_x, double off_y) {
    Monitor monitor(system);
    monitor(state);
    State moved = state;
    moved.q(0) += off_x, moved.q(3) += off_y;
    monitor(moved);
    return monitor.summary().constraints;
  };
  EXPECT_EQ(of(0, 0).kept(), Kept::to_rounding);
  EXPECT_EQ(of(1e-3, 0).kept(), Kept::bounded);
  EXPECT_NEAR(of(1e-3, 0).relative_error(), 1e-6, 1e-8);
  EXPECT_EQ(of(0, 1e-4).kept(), Kept::lost);
  EXPECT_EQ(of(1e-3, 1e-4).kept(), Kept::lost);
}

TEST(Monitor, FindsTheSlopeOfADriftFarFromTheOrigin) {
  Statistics statistics;
  Sample sample;
  sample.state = {0, VectorXd(0), VectorXd(0)};
  for (int k = 0; k < 100000; ++k) {
    sample.state.t = 1e6 + k;
    sample.energy.total = 3 + 1e-9 * k + (k % 2 == 0 ? 1e-6 : -1e-6);
    statistics.add(sample);
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
