// Ensembles on a device are those of the CPU, whatever is kept and whatever happens to members.
#include <gtest/gtest.h>

#include <algorithm>
#include <hamel/ensemble/device_run.hpp>

#include "ensemble/host_device.hpp"
#include "ensemble/pendulum.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel {
namespace {

using test::HostDevice;

Keep all_that_fits(const Pendulum& pendulum) {
  Keep keep{.final_state = true, .energy_drift = true, .momenta = conserved_momenta(pendulum.model).momenta};
  for (const Statistic statistic :
       {Statistic::end, Statistic::max, Statistic::min, Statistic::mean, Statistic::drift, Statistic::series})
    keep.formulas.push_back({"height", pendulum.height, statistic});
  return keep;
}

// All of it without series and momenta, which are watched on the CPU.
Keep all_that_is_gathered(const Pendulum& pendulum) {
  Keep keep = all_that_fits(pendulum);
  keep.momenta.clear();
  keep.formulas.pop_back();
  keep.formulas.push_back({"moved", pendulum.height * pendulum.model.time(), Statistic::mean});
  return keep;
}

// How many have failed.
std::size_t expect_same_as_on_cpu(const Pendulum& pendulum, const Members& members, const Vary& vary,
                                  const Keep& keep) {
  HostDevice device;
  const EnsembleTable cpu = ensemble(members, vary, keep, {.threads = 2});
  const EnsembleTable cuda = ensemble(members, vary, keep, {.on = Device::cuda, .threads = 2, .gpu = &device});
  EXPECT_GT(device.launches, 0);
  EXPECT_EQ(device.allocated, 0);
  EXPECT_EQ(cpu.size(), vary.members());
  EXPECT_TRUE(same_bits(cpu.varied, cuda.varied)) << pendulum.model.name();
  EXPECT_TRUE(same_bits(cpu.kept, cuda.kept)) << "off by " << (cpu.kept - cuda.kept).lpNorm<Eigen::Infinity>();
  EXPECT_EQ(cpu.failures.size(), cuda.failures.size());
  for (std::size_t k = 0; k < std::min(cpu.failures.size(), cuda.failures.size()); ++k) {
    EXPECT_EQ(cpu.failures[k].member, cuda.failures[k].member);
    EXPECT_EQ(cpu.failures[k].why, cuda.failures[k].why);
  }
  return cpu.failures.size();
}

TEST(EnsembleOnDevice, HasTheBitsOfTheCpuWhateverIsKept) {
  const Pendulum pendulum;
  const Vary vary = grid("l", 0.5, 2, 5) * grid("m", 1, 3, 2);
  for (const Method& method : {Method(Variational{.step = 0.01}), Method(Rk4{.step = 0.01})})
    for (const Until& until : {Until{.t = 0.23}, Until{.t = 0.23, .every = 0.05}, Until{.t = 0.25, .every = 0.05},
                               Until{.t = 0.253, .every = 0.01}}) {
      Members members = pendulum.members(vary, method);
      members.until = until;
      for (const Keep& keep : {all_that_fits(pendulum), all_that_is_gathered(pendulum)})
        EXPECT_EQ(expect_same_as_on_cpu(pendulum, members, vary, keep), 0U);
    }
}

// The end, the time of it, six numbers of the height and the drift of the energy, but no states on the way.
TEST(EnsembleOnDevice, GathersStatisticsThere) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 10);
  Members members = pendulum.members(vary, Rk4{.step = 0.01}, 2);
  HostDevice device;
  (void)ensemble(members, vary, all_that_is_gathered(pendulum), {.on = Device::cuda, .gpu = &device});
  EXPECT_EQ(device.downloaded, 10 * ((6 + 7) * sizeof(double) + 2 * sizeof(int)));
}

// Velocities of all spaces that have a text for them, and by states where one has none.
TEST(EnsembleOnDevice, HasTheEnergiesOfTheCpu) {
  for (const test::Case& each : test::all_cases()) {
    const test::Example example = each.make();
    for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Variational{.step = 0.01})}) {
      const Vary one;
      const Members members{example.system,
                            starts_from(example.start, example.system.model(), one),
                            method,
                            {.t = example.start.t + 0.2, .every = 0.05}};
      HostDevice device;
      const Where where{.on = Device::cuda, .gpu = &device};
      const Keep keep{.energy_drift = true};
      try {
        check_where(members, one, keep, where);
      } catch (const std::invalid_argument&) {  // does not fit
        continue;
      }
      const EnsembleTable cpu = ensemble(members, one, keep), cuda = ensemble(members, one, keep, where);
      EXPECT_TRUE(same_bits(cpu.kept, cuda.kept)) << each.name << ": " << cpu.kept << " and " << cuda.kept;
    }
  }
}

TEST(EnsembleOnDevice, NeedsNoOutputsOnTheWayForTheEnd) {
  Pendulum pendulum;
  pendulum.start.v.setZero();  // which is tangent wherever a member begins
  const Vary vary = samples({{"m", uniform(1, 2)}, {"start.q", cap(S2(), pendulum.start.q, 0.3)}}, 70);
  Keep keep{.final_state = true, .formulas = {{"height", pendulum.height, Statistic::end}}};
  Members members = pendulum.members(vary, Rk4{.step = 0.01});
  members.until = {.t = 0.333, .every = 0.0123};  // no multiple of the step, which does not matter then
  EXPECT_EQ(expect_same_as_on_cpu(pendulum, members, vary, keep), 0U);
}

// Those that cannot be started, that turn too far or whose values are not finite, among others.
TEST(EnsembleOnDevice, LeavesWhatIsUnusualToTheCpu) {
  const Pendulum pendulum;
  const Vary vary = grid("m", -1, 2, 4) * grid("l", 0.001, 0.9, 10);
  for (Keep keep : {all_that_fits(pendulum), all_that_is_gathered(pendulum)}) {
    keep.formulas.push_back({"root", sqrt(pendulum.height + 0.75), Statistic::min});
    const std::size_t failed =
        expect_same_as_on_cpu(pendulum, pendulum.members(vary, Variational{.step = 0.05}), vary, keep);
    EXPECT_GT(failed, 20U);  // of which the masses that are not positive are 20
    EXPECT_LT(failed, 40U);
  }
}

// Stiff members, whose stages are found by Newton's method, among others.
TEST(EnsembleOnDevice, LeavesNewtonsMethodToTheCpu) {
  Model model("spring");
  const auto k = model.parameter("k", 1.0);
  auto x = model.coordinate("x", Rn{1});
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(k / 2 * pow(x.x(), 2) + pow(x.x(), 4) / 4);
  const System system = derive(model);
  const State start = system.state(0, VectorXd::Constant(1, 1.0), VectorXd::Zero(1));
  const Vary vary = grid("k", 1, 1e5, 5);
  const Members members{system, starts_from(start, model, vary), Gauss{.step = 0.1, .order = 6}, {.t = 2}};
  HostDevice device;
  DeviceRun run(system, members.method);
  DeviceMembers alone{.q = MatrixXd::Ones(2, 1), .v = MatrixXd::Zero(2, 1), .varied = {"k"}};
  alone.parameters = Eigen::Vector2d(1, 1e5);
  run(device, alone, 2, [](const DeviceChunk& chunk) {
    EXPECT_EQ(chunk.failure, (std::vector{StepFailure::none, StepFailure::not_converged}));
    EXPECT_EQ(chunk.steps, (std::vector{20, 0}));
    EXPECT_EQ(chunk.q(1, 0), 1);
  });
  const Keep keep{.final_state = true, .energy_drift = true};
  const EnsembleTable cpu = ensemble(members, vary, keep);
  const EnsembleTable cuda = ensemble(members, vary, keep, {.on = Device::cuda, .gpu = &device});
  EXPECT_TRUE(cpu.failures.empty() && cuda.failures.empty());
  EXPECT_TRUE(same_bits(cpu.kept, cuda.kept)) << cpu.kept - cuda.kept;
}

TEST(EnsembleOnDevice, HandsOverWhatWasDoneBeforeItIsLost) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 3000);
  const Members members = pendulum.members(vary, Rk4{.step = 0.01}, 0.02);
  HostDevice device;
  device.fails_after = 2;  // a launch for each of two streams
  EnsembleTable done;
  EXPECT_THROW(ensemble(members, vary, {.final_state = true}, {.on = Device::cuda, .gpu = &device},
                        [&](const EnsembleChunk& chunk) {
                          EXPECT_EQ(chunk.first, 0U);
                          done.kept = chunk.kept;
                        }),
               DeviceError);
  EXPECT_EQ(device.allocated, 0);
  ASSERT_EQ(done.size(), 1024U);
  const EnsembleTable cpu = ensemble(members, vary, {.final_state = true}, {.last = 1024});
  EXPECT_TRUE(same_bits(done.kept, cpu.kept));
  device.fails_after = -1;
  const EnsembleTable rest =
      ensemble(members, vary, {.final_state = true}, {.on = Device::cuda, .first = 1024, .gpu = &device});
  EXPECT_EQ(rest.size(), 3000U - 1024U);
}

TEST(EnsembleOnDevice, StopsWhenAsked) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 3000);
  HostDevice device;
  std::atomic<bool> stop = false;
  EXPECT_FALSE(ensemble(pendulum.members(vary, Rk4{.step = 0.01}, 0.02), vary, {.final_state = true},
                        {.on = Device::cuda, .stop = &stop, .gpu = &device},
                        [&](const EnsembleChunk&) { stop = true; }));
  EXPECT_EQ(device.launches, 2);
  EXPECT_EQ(device.allocated, 0);
}

TEST(EnsembleOnDevice, RefusesWhatDoesNotFit) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 3);
  const Where where{.on = Device::cuda};
  const Members members = pendulum.members(vary, Rk4{.step = 0.01});
  const auto refusal = [&](const Members& those, const Vary& varied, const Keep& keep) {
    return test::message_of([&] { check_where(those, varied, keep, where); });
  };
  EXPECT_NO_THROW(check_where(members, vary, {.energy_drift = true}, where));
  EXPECT_NE(refusal(members, vary, {.events = {{.name = "low", .formula = pendulum.height}}})
                .find("the event low would be looked for between steps"),
            std::string::npos);
  EXPECT_NE(refusal(pendulum.members(vary, Rk45{}), vary, {}).find("the method rk45 has no step there"),
            std::string::npos);
  EXPECT_NE(refusal(pendulum.members(vary, Rk4{.step = 0.03}), vary, {.energy_drift = true})
                .find("0.1 (--every), is no multiple of the step, 0.03 (--step)"),
            std::string::npos);
  const Vary times = grid("start.t", 0, 0.5, 3);
  EXPECT_NE(refusal(pendulum.members(times, Rk4{.step = 0.01}), times, {}).find("start.t varies"), std::string::npos);
}

}  // namespace
}  // namespace hamel
