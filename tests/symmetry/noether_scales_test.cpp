// Whatever sizes the parts of a model have: what is said to be conserved is constant along a run.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/manifold/rn.hpp"
#include "symmetry/momenta.hpp"

namespace hamel::test {
namespace {

class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  Model particles() {
    Model model("particles");
    const int dimension = coin() ? 3 : 2;
    const auto x = model.coordinates("x", Rn(dimension), coin() ? 3 : 2);
    for (std::size_t i = 0; i < x.size(); ++i) {
      model.kinetic(mass() / 2 * squared_norm(rate(x[i])));
      for (std::size_t j = 0; j < i; ++j) {
        if (coin()) model.potential(-size() / norm(x[i] - x[j]));
        if (coin()) model.potential(size() / 2 * squared_norm(x[i] - x[j]));
      }
      if (rarely()) model.potential(size() * x[i][0]);
      if (rarely()) model.potential(size() / 2 * squared_norm(x[i]));
      if (rarely()) model.potential(size() * x[i][0] * x[i][1]);
      if (rarely()) model.force(x[i], size() * Formula(VectorXd::Unit(dimension, 1)));
      if (rarely()) model.lagrangian(size() * x[i][0] * rate(x[i])[1]);
    }
    return model;
  }

  // Such that each coordinate gets about as much momentum on the way as it has at the start.
  State start(const System& system, double& time) {
    Workspace w(system);
    State state{0, system.space().random_point(random_), VectorXd::Zero(system.ambient())};
    VectorXd a(system.ambient());
    system.acceleration(w, 0, state.q, state.v, a);
    const double fastest = a.lpNorm<Eigen::Infinity>();
    if (fastest == 0) a.setOnes();
    time = 0.05 / std::sqrt(fastest == 0 ? 1 : fastest);
    std::normal_distribution<double> normal;
    state.v = time * a.unaryExpr([&](double x) { return x * normal(random_); });
    system.acceleration(w, 0, state.q, state.v, a);  // magnetic fields turn velocities
    for (Eigen::Index i = 0; i < a.size(); ++i)
      if (state.v(i) != 0) time = std::min(time, 0.05 * std::abs(state.v(i) / a(i)));
    return state;
  }

 private:
  bool coin() { return std::bernoulli_distribution(0.5)(random_); }
  bool rarely() { return std::bernoulli_distribution(0.2)(random_); }
  double mass() { return std::pow(10, std::uniform_real_distribution<double>(-6, 6)(random_)); }
  double size() { return std::pow(10, std::uniform_real_distribution<double>(-14, 14)(random_)); }

  Random random_;
};

struct Along {
  VectorXd change, size;
};

// How much X.p - F changes along a run, and the largest that the sum of its terms without their signs is.
Along along_a_run(const System& system, const std::vector<ConservedMomentum>& momenta, State state, double time) {
  constexpr int steps = 200;
  Workspace w(system);
  const auto count = static_cast<Eigen::Index>(momenta.size());
  VectorXd p(system.ambient()), X(system.ambient()), first(count);
  Along result{VectorXd::Zero(count), VectorXd::Zero(count)};
  for (int step = 0; step <= steps; ++step) {
    system.momentum(w, state.t, state.q, state.v, p);
    for (Eigen::Index k = 0; k < count; ++k) {
      const ConservedMomentum& momentum = momenta[static_cast<std::size_t>(k)];
      momentum.field(state.q, X);
      const double gauge = momentum.gauge(state.q), J = X.dot(p) - gauge;
      if (step == 0) first(k) = J;
      result.change(k) = std::max(result.change(k), std::abs(J - first(k)));
      result.size(k) = std::max(result.size(k), X.cwiseAbs().dot(p.cwiseAbs()) + std::abs(gauge));
    }
    rk4_step(system, w, state, time / steps);
  }
  return result;
}

void expect_conserved_along_a_run(unsigned seed, const NoetherReport& report, const Along& along) {
  for (std::size_t k = 0; k < report.momenta.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    if (report.momenta[k].energy == 0) {
      EXPECT_LE(along.change(i), 1e-7 * along.size(i)) << seed << ": " << report.momenta[k].name;
    }
  }
}

TEST(NoetherAtAllSizes, WhatIsClaimedIsConserved) {
  int claimed = 0, undecided = 0, collisions = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    RandomModel random(seed);
    const Model model = random.particles();
    const NoetherReport report = conserved_momenta(model);
    claimed += static_cast<int>(report.momenta.size());
    undecided += static_cast<int>(report.undecided.size());
    const System system = derive(model);
    double time = 0;
    const State start = random.start(system, time);
    try {
      expect_conserved_along_a_run(seed, report, along_a_run(system, report.momenta, start, time));
    } catch (const std::runtime_error&) {
      ++collisions;
    }
  }
  EXPECT_GT(claimed, 150);
  EXPECT_LT(undecided, claimed / 10);
  EXPECT_LT(collisions, 10);
}

// The test above would see a false one: the momentum of one particle of several.
TEST(NoetherAtAllSizes, WhatIsNotConservedChanges) {
  int seen = 0, tried = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomModel random(seed);
    const System system = derive(random.particles());
    double time = 0;
    const State start = random.start(system, time);
    const auto n = system.model().coordinates()[0].space.ambient();
    const MatrixXd none = MatrixXd::Zero(n, n);
    ConservedMomentum of_one;
    of_one.blocks.push_back({0, 0, none, none, VectorXd::Unit(n, 0), VectorXd::Zero(n)});
    const auto [change, size] = along_a_run(system, {of_one}, start, time);
    ++tried;
    if (change(0) > 1e-4 * size(0)) ++seen;
  }
  EXPECT_GT(seen, tried / 2);
}

}  // namespace
}  // namespace hamel::test
