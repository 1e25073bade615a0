#include <gtest/gtest.h>

#include <hamel/hamel.hpp>
#include <hamel/model/lower.hpp>
#include <set>

#include "ensemble/compare.hpp"
#include "integrate/systems.hpp"

namespace hamel::test {
namespace {

constexpr double step_size = 0.01;

System spring_pendulum(Formula* height = nullptr) {
  Model model("pendulum on a spring");
  const auto m = model.parameter("m", 1.5), l = model.parameter("l", 0.8), k = model.parameter("k", 2.0);
  auto q = model.coordinate("q", S2());
  model.kinetic(m / 2 * squared_norm(l * rate(q)));
  model.potential(9.81 * m * l * q.z() + k / 2 * pow(q.x(), 2));
  if (height != nullptr) *height = l * q.z();
  return derive(model);
}

State spring_start(const System& system) {
  return system.state(0, Eigen::Vector3d(0.6, 0, -0.8), Eigen::Vector3d(0.4, 1, 0.3));
}

TEST(DeviceMembers, HaveParametersOfTheirOwn) {
  const System system = spring_pendulum();
  DeviceMembers members = members_near(system, spring_start(system), 4);
  members.varied = {"m", "l"};
  members.parameters = MatrixXd(4, 2);
  members.parameters << 1.5, 0.8, 1, 0.5, 2, 0.9, 0.3, 1.1;
  HostDevice device;
  for (const Method& method : {Method(Rk4{.step = step_size}), Method(Variational{.step = step_size})}) {
    DeviceRun run(system, method);
    const DeviceChunk ends = run_all(run, device, members, 0.5);
    for (Eigen::Index i = 0; i < 4; ++i) {
      const System own = system.with({{"m", members.parameters(i, 0)}, {"l", members.parameters(i, 1)}});
      const State expected = by_stepper(own, state_of(members, i), method, 0.5);
      expect_same_bits(ends.q.row(i), expected.q, "q");
      expect_same_bits(ends.v.row(i), expected.v, "v");
    }
  }
}

TEST(DeviceMembers, OfTheSameParametersShareTheirNumbers) {
  const System system = spring_pendulum();
  const DeviceRun run(system, Rk4{.step = step_size});
  EXPECT_NE(run.text(std::vector<bool>(20, false)).find("#define OWN 0\n"), std::string::npos);
  EXPECT_NE(run.text({true, false, true}).find("#define N2 own[1]\n"), std::string::npos);
  EXPECT_NE(run.text({true, false, true}).find("#define N1 hamel_uniform[0]\n"), std::string::npos);
}

TEST(DeviceMembers, WithoutProductsOfInertiaCostNothingForThem) {
  Model model("body");
  const Formula R = model.coordinate("R", SO3());
  model.body("body",
             {.attitude = R, .inertia = model.parameter("J", Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal()))});
  const System system = derive(model);
  const auto step = device_step(system, Rk4{.step = step_size});
  VectorXd numbers(step->numbers().rows());
  step->numbers().read(parameter_values(system.model()), VectorXd(), numbers);
  std::vector<bool> zeros;
  for (const double number : numbers) zeros.push_back(number == 0);
  const auto operations = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("const double v"); at != std::string::npos;
         at = text.find("const double v", at + 1))
      ++count;
    return count;
  };
  EXPECT_LE(operations(step->text(zeros)), 27u) << "18 of R', 9 of Omega'";
  EXPECT_GE(operations(step->text()), 40u);
}

TEST(DeviceMembers, HaveInputsOfTheirOwn) {
  const Example example = driven_pendulum();
  DeviceMembers members = members_near(example.system, example.start, 3);
  members.u = MatrixXd::Zero(3, example.system.inputs());
  for (int i = 0; i < 3; ++i) members.u.row(i).setConstant(0.3 * i - 0.2);
  HostDevice device;
  for (const Method& method : {Method(Rk4{.step = step_size}), Method(Variational{.step = step_size})}) {
    DeviceRun run(example.system, method);
    const DeviceChunk ends = run_all(run, device, members, 0.3);
    for (Eigen::Index i = 0; i < 3; ++i) {
      const State expected = by_stepper(example.system, state_of(members, i), method, 0.3, members.u.row(i));
      expect_same_bits(ends.q.row(i), expected.q, "q");
      expect_same_bits(ends.v.row(i), expected.v, "v");
    }
  }
}

TEST(DeviceMembers, ComeInChunksInOrder) {
  const Example example = double_pendulum();
  const DeviceMembers members = members_near(example.system, example.start, 11);
  HostDevice device;
  DeviceRun run(example.system, Variational{.step = step_size});
  const DeviceChunk whole = run_all(run, device, members, 0.2);
  EXPECT_EQ(device.launches, 2);
  const DeviceChunk parts = run_all(run, device, members, 0.2, 3);
  EXPECT_EQ(device.launches, 10);
  EXPECT_EQ(parts.count, 11);
  EXPECT_EQ(whole.q, parts.q);
  EXPECT_EQ(whole.v, parts.v);
  EXPECT_EQ(device.allocated, 0);
}

TEST(DeviceMembers, AreSummedUpOnTheWay) {
  Formula height(0.0);
  const System system = spring_pendulum(&height);
  const DeviceMembers members = members_near(system, spring_start(system), 2);
  for (const Method& method : {Method(Rk4{.step = step_size}), Method(Variational{.step = step_size})}) {
    HostDevice device;
    DeviceRun run(system, method, {.scalars = {height}, .energy = true, .every = 5});
    const DeviceChunk ends = run_all(run, device, members, 0.23);
    ASSERT_EQ(ends.path_q.size(), 4u);
    ASSERT_EQ(ends.times, (std::vector<double>{0.05, 0.1, 15 * step_size, 0.2}));
    for (Eigen::Index i = 0; i < 2; ++i) {
      const auto stepper = make_stepper(system, method);
      State state = state_of(members, i);
      stepper->start(state);
      double least = energy(system, state).total, largest = least, sum = least, lowest = 0.8 * state.q(2);
      for (int n = 1; n <= 23; ++n) {
        stepper->step(0.23);
        stepper->current(state);
        const double now = energy(system, state).total;
        least = std::min(least, now), largest = std::max(largest, now), sum += now;
        lowest = std::min(lowest, 0.8 * state.q(2));
        if (n % 5 != 0) continue;
        expect_same_bits(ends.path_q[static_cast<std::size_t>(n / 5 - 1)].row(i), state.q, "q on the way");
        EXPECT_LT((ends.path_v[static_cast<std::size_t>(n / 5 - 1)].row(i).transpose() - state.v).norm(), 1e-14);
      }
      EXPECT_DOUBLE_EQ(ends.least(i, 0), lowest);
      EXPECT_NEAR(ends.least(i, 1), least, 1e-13);
      EXPECT_NEAR(ends.largest(i, 1), largest, 1e-13);
      EXPECT_NEAR(ends.mean(i, 1), sum / 24, 1e-13);
    }
  }
}

StepFailure kind_of(const std::string& message) {
  for (const auto& [words, kind] :
       {std::pair("has no solution", StepFailure::no_solution),
        std::pair("did not converge", StepFailure::not_converged), std::pair("too far for one step", StepFailure::fold),
        std::pair("finite", StepFailure::not_finite)})
    if (message.find(words) != std::string::npos) return kind;
  return StepFailure::none;
}

// A member that fails says where and why, as its stepper does, and does not stop the others. The failures.
std::set<StepFailure> failures_as_of_stepper(const System& system, const DeviceMembers& members, const Method& method) {
  std::set<StepFailure> seen;
  HostDevice device;
  DeviceRun run(system, method, {.every = 1});
  const double until = 200 * fixed_step(method);
  const DeviceChunk ends = run_all(run, device, members, until);
  for (Eigen::Index i = 0; i < ends.count; ++i) {
    const auto stepper = make_stepper(system, method);
    stepper->start(state_of(members, i));
    int steps = 0;
    State last = state_of(members, i);
    StepFailure expected = StepFailure::none;
    try {
      while (stepper->step(until) != until) {
        ++steps;
        stepper->current(last);
      }
      ++steps;
      stepper->current(last);
    } catch (const std::runtime_error& error) {
      expected = kind_of(error.what());
    }
    seen.insert(expected);
    EXPECT_EQ(ends.steps[static_cast<std::size_t>(i)], steps);
    EXPECT_EQ(ends.failure[static_cast<std::size_t>(i)], expected);
    EXPECT_TRUE(ends.q.row(i).allFinite());
    EXPECT_TRUE(ends.path_q.back().row(i).allFinite());
    expect_same_bits(ends.q.row(i), last.q, "q before the failure");
  }
  return seen;
}

TEST(DeviceMembers, ThatLeaveTheFiniteNumbersSaySo) {
  Model model("falls over");
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(-pow(x.x(), 4));
  const System system = derive(model);
  DeviceMembers members = members_near(system, {0, VectorXd::Constant(1, 0.0), VectorXd::Zero(1)}, 2);
  members.q(1, 0) = 1;
  EXPECT_EQ(failures_as_of_stepper(system, members, Rk4{.step = 0.05}),
            (std::set{StepFailure::none, StepFailure::not_finite}));
}

TEST(DeviceMembers, ThatTurnTooFarSaySo) {
  const System system = spring_pendulum();
  DeviceMembers members = members_near(system, spring_start(system), 2);
  members.v.row(1) *= 40;
  EXPECT_EQ(failures_as_of_stepper(system, members, Variational{.step = 0.05}),
            (std::set{StepFailure::none, StepFailure::no_solution}));
  std::set<StepFailure> seen;
  for (const Example& example : {double_pendulum(), body_pendulum(), rotating_sphere()}) {
    DeviceMembers faster = members_near(example.system, example.start, 12);
    for (int i = 1; i < 12; ++i) faster.v.row(i) *= 3 * i;
    seen.merge(failures_as_of_stepper(example.system, faster, Variational{.step = 0.05}));
  }
  const Example two = double_pendulum();
  DeviceMembers slow = members_near(two.system, two.start, 6);
  for (int i = 0; i < 6; ++i) slow.v.row(i) *= 0.3 + 0.1 * i;
  seen.merge(failures_as_of_stepper(two.system, slow, Variational{.step = 0.2, .order = 4}));
  EXPECT_EQ(seen, (std::set{StepFailure::none, StepFailure::not_converged, StepFailure::fold}));
}

TEST(DeviceMembers, ThatWereHandedOverAreSafe) {
  const Example example = double_pendulum();
  const DeviceMembers members = members_near(example.system, example.start, 10);
  HostDevice device;
  device.fails_after = 3;
  DeviceRun run(example.system, Rk4{.step = step_size});
  Eigen::Index safe = 0;
  EXPECT_THROW(run(
                   device, members, 0.1, [&](const DeviceChunk& chunk) { safe += chunk.count; }, 2),
               DeviceError);
  EXPECT_EQ(safe, 4);
  EXPECT_EQ(device.allocated, 0);
}

TEST(DeviceMembers, NeedMemory) {
  const Example example = double_pendulum();
  HostDevice device;
  device.memory = 100;
  DeviceRun run(example.system, Rk4{.step = step_size}, {.every = 1});
  try {
    run_all(run, device, members_near(example.system, example.start, 2), 1);
    FAIL() << "ran in 100 bytes";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("100 bytes of free memory"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hamel::test
