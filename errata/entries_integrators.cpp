// "Lagrangian mechanics and variational integrators on two-spheres": the settings of its examples.
#include <cmath>
#include <hamel/integrate/integrate.hpp>

#include "evidence.hpp"

namespace hamel::errata {
namespace {

// Of the variational integrator, with the settings of the gallery.
double mean_energy_error(const std::string& id, double step, const Overrides& settings = {}) {
  const ModelFile file = read_model(HAMEL_SOURCE_DIR "/models/" + id + ".toml", settings);
  const System system = derive(file.model);
  Workspace work(system);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const double first = system.energy(work, start.t, start.q, start.v).total;
  const Trajectory run = integrate(system, start, Variational{.step = step}, Until{file.run.until.t});
  double sum = 0;
  for (const State& state : run.states) sum += std::abs(system.energy(work, state.t, state.q, state.v).total - first);
  return sum / static_cast<double>(run.states.size());
}

double relative(double value, double printed) {  // 0 where they agree to three digits: the motions are chaotic
  const double difference = value / printed - 1;
  return std::abs(difference) < 5e-4 ? 0 : difference;
}

Evidence energy_of_double_pendulum() {
  const double error = mean_energy_error("double-spherical-pendulum", 0.01), unit = 9.81 * 9.81;
  return remainders(relative(error, 2.1641e-5), relative(error / unit, 2.1641e-5));
}

Evidence steps_of_three_bodies() {
  return remainders(relative(mean_energy_error("three-bodies-on-sphere", 1e-3), 1.1717e-4),
                    relative(mean_energy_error("three-bodies-on-sphere", 5e-3), 1.1717e-4) +
                        relative(mean_energy_error("three-bodies-on-sphere", 5e-4), 1.1986e-6));
}

Evidence springs_of_four_pendula() {  // printed: one spring with four values; the last one is taken
  const auto run = [](const Overrides& springs) {
    return relative(mean_energy_error("four-coupled-spherical-pendula", 0.005, springs), 3.6171e-5);
  };
  return remainders(run({{"kappa", "[40, 0, 0, 0]"}}), run({}));
}

Evidence inertia_of_elements() {  // three equal, uniform elements; over m l^2
  const Motion m("fixed-free-elastic-rod", {{"n", "3"}, {"c", "[0, 0, 0]"}});
  const double mass = 0.1, length = 1.0 / 3;
  Workspace work(m.system);
  const double T = m.system.energy(work, 0, m.q, m.v).kinetic;
  const auto kinetic = [&](const std::function<double(int beyond)>& coupling) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int beyond = 2 - std::max(i, j);
        const double M = mass * length * length * (i == j ? 1.0 / 3 + beyond : coupling(beyond));
        sum += M / 2 * m.v.segment<3>(3 * i).dot(m.v.segment<3>(3 * j));
      }
    return sum;
  };
  const double unit = mass * length * length;
  return remainders((T - kinetic([](int beyond) { return (beyond + 1) / 2.0; })) / unit,
                    (T - kinetic([](int beyond) { return beyond + 0.5; })) / unit);
}

Evidence start_of_dipoles() {  // omega must be normal to q
  const Vector3d q(std::sqrt(2.0) / 4, std::sqrt(2.0) / 4, -std::sqrt(3.0) / 2), omega(0, 0.5, 0);
  return remainders(q.dot(omega), Vector3d::UnitX().dot(omega));
}

}  // namespace

Chapter integrators_paper() {
  return {
      "[V]",
      "Variational Integrators on Two-Spheres, section 3.5",
      {
          {slip, "example 1", R"(mean variation of the energy $2.1641\times10^{-5}$ Nm)",
           R"($2.1641\times10^{-5}$ in units of $ml^2/s^2=96.2$ Nm)", "",
           example("the run of the example, with both units", energy_of_double_pendulum)},
          {slip, "example 2",
           R"(variations $1.1717\times10^{-4}$, $1.1986\times10^{-6}$ for steps of $10^{-3}$, $10^{-4}$)",
           R"(for steps of $5\times10^{-3}$, $5\times10^{-4}$)", "",
           example("the run of the example, with these steps", steps_of_three_bodies)},
          {slip, "example 3, springs", R"($\kappa_{12}=10$, $\kappa_{12}=20$, $\kappa_{12}=30$, $\kappa_{12}=40$ N/m)",
           R"($\kappa_{12}=10$, $\kappa_{23}=20$, $\kappa_{34}=30$, $\kappa_{41}=40$ N/m)", "",
           example(R"(the run so repaired has the printed variation $3.6171\times10^{-5}$)", springs_of_four_pendula)},
          {slip, "examples 3 and 4, axes", R"($e_1=[0,0,1]$ besides $e_3=[0,0,1]$)", R"($e_1=[1,0,0]$)", ""},
          {result, "example 4, inertia, and (3.24)",
           R"($M_{ij}=\sum_{k=\max\{i,j\}}^n\frac12m_kl_i^2$ for $i\ne j$; evaluated for three equal elements)",
           R"($M_{ij}=\big(\frac12m_{\max\{i,j\}}+\sum_{k=\max\{i,j\}+1}^nm_k\big)l_il_j$)",
           "the kinetic energy is not that of rods: the coupling of all but the last elements is too weak",
           inertia_of_elements},
          {glyph, "example 4, bending energy", R"($\frac12\kappa_i(1-q_{i-1}\cdot q_i)$)",
           R"($\frac12\kappa_i(1-q_{i-1}\cdot q_i)^2$ reproduces the figure)", "exponent"},
          {glyph, "example 5, start",
           R"($q_1=[0.3536,0.3536,-0.8660]$, $\omega_1=[0,0.5,0]$; evaluated: $q_1\cdot\omega_1$)",
           R"($\omega_{16}=[0,0.5,0]$, or another one with $q=e_1$)", "index: an $\\omega$ must be normal to its $q$",
           start_of_dipoles},
      }};
}

}  // namespace hamel::errata
