// The settings of the papers, as their files have them, give the numbers of the papers.
#include <gtest/gtest.h>

#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method_name.hpp>

#include "gallery/files.hpp"

namespace hamel::test {
namespace {

// Runs a file with its own settings; every step is an output.
Trajectory run_of(const ModelFile& file, const System& system, const Observer& observer) {
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const Method method = method_named(file.run.integrator, file.run.step, file.run.tolerance);
  return integrate(system, start, method, {.t = file.run.until, .keep = false}, observer);
}

double mean_energy_error(const std::string& id) {
  const ModelFile file = gallery_model(id);
  const System system = derive(file.model);
  Workspace work(system);
  double first = NAN, sum = 0;
  int outputs = 0;
  run_of(file, system, [&](const State& state) {
    const double energy = system.energy(work, state.t, state.q, state.v).total;
    if (outputs++ == 0) first = energy;
    sum += std::abs(energy - first);
    return true;
  });
  return sum / outputs;
}

// Lee, Leok, McClamroch: Lagrangian mechanics and variational integrators on two-spheres, section 5. The energies of
// the first example are printed in units of m l^2.
TEST(PaperOnTwoSpheres, MeanEnergyErrors) {
  EXPECT_NEAR(mean_energy_error("double-spherical-pendulum") / (9.81 * 9.81), 2.1641e-5, 1e-8);
  EXPECT_NEAR(mean_energy_error("three-bodies-on-sphere"), 1.1717e-4, 1e-8);
  EXPECT_NEAR(mean_energy_error("four-coupled-spherical-pendula"), 3.6171e-5, 1e-9);
}

// Lee, Leok, McClamroch: Dynamics and Control of a Chain Pendulum on a Cart, section V, third experiment.
TEST(PaperOnTheChain, IsBalancedPartlyFolded) {
  const ModelFile file = gallery_model("chain-pendulum-on-cart-controlled");
  const System system = derive(file.model);
  const State end = run_of(file, system, {}).back();
  ASSERT_EQ(end.t, 10);
  const Eigen::Matrix<double, 5, 1> goal(-1, -1, -1, 1, 1);
  double error = 0;
  for (int k = 0; k < 5; ++k) error += (end.q.segment<3>(2 + 3 * k) - goal(k) * Eigen::Vector3d::UnitZ()).norm();
  EXPECT_NEAR(error, 6.55e-4, 1e-6);
}

}  // namespace
}  // namespace hamel::test
