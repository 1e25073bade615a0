#include "symmetry/momenta.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hamel::test {

void rk4_step(const System& system, Workspace& w, State& state, double h) {
  const VectorXd q = state.q, v = state.v;
  VectorXd a1(q.size()), a2 = a1, a3 = a1, a4 = a1;
  system.acceleration(w, state.t, q, v, a1);
  const VectorXd v2 = v + h / 2 * a1;
  system.acceleration(w, state.t + h / 2, q + h / 2 * v, v2, a2);
  const VectorXd v3 = v + h / 2 * a2;
  system.acceleration(w, state.t + h / 2, q + h / 2 * v2, v3, a3);
  const VectorXd v4 = v + h * a3;
  system.acceleration(w, state.t + h, q + h * v3, v4, a4);
  state.q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4);
  state.v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  state.t += h;
}

MatrixXd diagonal(double a, double b, double c) { return Eigen::Vector3d(a, b, c).asDiagonal(); }

std::vector<std::string> names(const NoetherReport& report) {
  std::vector<std::string> result;
  for (const auto& momentum : report.momenta) result.push_back(momentum.name);
  return result;
}

bool all_exact(const NoetherReport& report) {
  return std::all_of(report.momenta.begin(), report.momenta.end(),
                     [](const auto& m) { return m.exact_for_variational; });
}

double largest_change(const Model& model, const NoetherReport& report, State state) {
  const System system = derive(model);
  Workspace w(system);
  VectorXd start(static_cast<Eigen::Index>(report.momenta.size())), now = start, p(system.ambient());
  const auto values = [&](VectorXd& out) {
    for (Eigen::Index i = 0; i < out.size(); ++i)
      out(i) = report.momenta[static_cast<std::size_t>(i)].value(system, w, state);
  };
  values(start);
  system.momentum(w, state.t, state.q, state.v, p);
  const double scale = 1 + p.norm();
  double change = 0;
  for (int step = 0; step < 400; ++step) {
    rk4_step(system, w, state, 0.001);
    values(now);
    change = std::max(change, (now - start).lpNorm<Eigen::Infinity>() / scale);
  }
  return change;
}

State random_state(const Model& model) {
  Random random(3);
  const System system = derive(model);
  State state{0.1, system.space().random_point(random), {}};
  state.v = system.space().random_tangent(state.q, random);
  return state;
}

void expect_conserved(const Model& model, const NoetherReport& report) {
  EXPECT_LT(largest_change(model, report, random_state(model)), 1e-9);
  EXPECT_TRUE(report.undecided.empty()) << report.undecided.front();
  EXPECT_GT(report.gap, 1e4);
}

}  // namespace hamel::test
