// The double spherical pendulum of T. Lee, M. Leok, N. H. McClamroch, "Lagrangian mechanics and variational
// integrators on two-spheres" (example 1), integrated by three methods for 100 seconds.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <hamel/hamel.hpp>
#include <string>

using namespace hamel;

namespace {

// The energies are all that is said about the pendulum.
Model double_pendulum() {
  Model model("double spherical pendulum");
  auto m = model.parameter("m", {1.0, 1.0}), l = model.parameter("l", {9.81, 9.81});
  auto g = model.parameter("g", 9.81);
  auto q = model.coordinates<S2>("q", 2);        // two directions; z points down
  Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];  // the two bobs
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)));
  model.kinetic(m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-m[0] * g * x1.z());
  model.potential(-m[1] * g * x2.z());
  return model;
}

State start_of(const System& system) {
  const double s = std::sqrt(3.0);
  VectorXd q(6), omega(6);
  q << s / 2, 0, 0.5, 0, 0, 1;
  omega << -s / 4, 0, 0.75, 0, 1, 0;
  return system.state(0, q, omega);
}

// Angular momentum about the vertical: the pendulum does not care which way is north.
double vertical_momentum(const System& system, Workspace& work, const State& state) {
  VectorXd p(6);
  system.momentum(work, state.t, state.q, state.v, p);
  double sum = 0;
  for (int i : {0, 3}) sum += state.q(i) * p(i + 1) - state.q(i + 1) * p(i);
  return sum;
}

// The largest errors along a run, relative to the start.
struct Errors {
  double energy_early = 0, energy = 0, manifold = 0, momentum = 0;  // early: in the first tenth of the run
};

Errors errors_of(const System& system, const Trajectory& run) {
  Workspace work(system);
  const auto energy = [&](const State& state) { return system.energy(work, state.t, state.q, state.v).total; };
  const double initial_energy = energy(run.front()), initial_momentum = vertical_momentum(system, work, run.front());
  Errors errors;
  for (const State& state : run.states) {
    errors.energy = std::max(errors.energy, std::abs(energy(state) / initial_energy - 1));
    errors.manifold = std::max(errors.manifold, system.space().defect(state.q));
    errors.momentum =
        std::max(errors.momentum, std::abs(vertical_momentum(system, work, state) / initial_momentum - 1));
    if (state.t <= run.back().t / 10) errors.energy_early = errors.energy;
  }
  return errors;
}

void row(const System& system, const std::string& name, const Method& method) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const Trajectory run = integrate(system, start_of(system), method, Until{100.0});
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const Errors errors = errors_of(system, run);
  fmt::print("  {:<32} {:>6} {:>9.0e} {:>9.0e} {:>10.0e} {:>10.0e} {:>11.1f}\n", name, run.steps, errors.energy_early,
             errors.energy, errors.manifold, errors.momentum, 1e6 * seconds / static_cast<double>(run.steps));
}

}  // namespace

int main() {
  const System system = derive(double_pendulum());

  fmt::print("\n  A double spherical pendulum, from its energies alone: 100 seconds of chaotic motion\n\n");
  fmt::print("  {:<32} {:>6} {:>19} {:>10} {:>10} {:>11}\n", "", "", "energy error in", "off the", "momentum",
             "microsec.");
  fmt::print("  {:<32} {:>6} {:>9} {:>9} {:>10} {:>10} {:>11}\n", "method", "steps", "10 s", "100 s", "spheres",
             "error", "per step");
  fmt::print("  {:-<93}\n", "");
  row(system, "variational, h = 0.01", Variational{.step = 0.01});
  row(system, "variational, h = 0.1", Variational{.step = 0.1});
  row(system, "Runge-Kutta 4, h = 0.1", Rk4{.step = 0.1});
  row(system, "Runge-Kutta 4(5), tolerance 1e-4", Rk45{.relative = 1e-4, .absolute = 1e-6});
  fmt::print(
      "\n  What to see: the variational integrator never leaves the spheres, keeps the momentum to the last\n"
      "  digits, and its energy error stays of one size; the errors of Runge-Kutta methods grow and grow.\n\n");
}
