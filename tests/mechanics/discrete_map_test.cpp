// The two ends of a discrete Lagrangian, against differences of L_d itself.
#include "hamel/mechanics/discrete_map.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/mechanics/parts.hpp"
#include "mechanics/differences.hpp"

namespace hamel::discrete_map_test {
namespace {

using Function = std::function<double(const VectorXd&)>;

constexpr double m = 1.3, g = 9.81, c = 0.2;

// Its mass depends on the place.
Model heavy_at_the_side(bool with_friction) {
  Model model("bead");
  const auto mass = model.parameter("m", m), weight = model.parameter("g", g);
  const auto q = model.coordinate<S2>("q");
  model.kinetic(mass / 2 * (1 + 0.3 * q.x()) * squared_norm(rate(q)));
  model.potential(mass * weight * q.z() * (1 + q.y()));
  if (with_friction) model.dissipation(c / 2 * squared_norm(rate(q)));
  return model;
}

Model by_hamiltonian() {
  Model model("bead by H");
  const auto q = model.coordinate<S2>("q");
  model.hamiltonian(squared_norm(model.momentum(q)) / (2 * m * (1 + 0.3 * q.x())) + m * g * q.z() * (1 + q.y()));
  return model;
}

double lagrangian(const VectorXd& q, const VectorXd& v) {
  return m / 2 * (1 + 0.3 * q(0)) * v.squaredNorm() - m * g * q(2) * (1 + q(1));
}

struct Step {
  double t = 0.4, h = 0.1;
  VectorXd q0 = VectorXd{{0.6, 0.48, 0.64}}, q1 = VectorXd{{0.62, 0.45, 0.66}}, u = VectorXd(0);

  double L_d(const Quadrature& rule, const VectorXd& from, const VectorXd& to) const {
    double sum = 0;
    for (const auto& [at, weight] : rule.nodes())
      sum += weight * lagrangian((1 - at) * from + at * to, (to - from) / h);
    return h * sum;
  }
  VectorXd minus_D1(const Quadrature& rule) const {
    return -test::gradient_of([&](const VectorXd& q) { return L_d(rule, q, q1); }, q0);
  }
  VectorXd D2(const Quadrature& rule) const {
    return test::gradient_of([&](const VectorXd& q) { return L_d(rule, q0, q); }, q1);
  }
};

void expect_ends(const DiscreteMap& map, const Step& step, const VectorXd& begin, const VectorXd& end) {
  DiscreteMap::Workspace w = map.workspace();
  VectorXd p1(3);
  map.begin(w, step.t, step.h, step.q0, step.q1, step.u);
  map.end(w, step.t, step.h, step.q0, step.q1, step.u, p1);
  EXPECT_LT((w.residual - begin).norm(), 1e-9 * (1 + begin.norm()));
  EXPECT_LT((p1 - end).norm(), 1e-9 * (1 + end.norm()));
  const MatrixXd jacobian = w.jacobian;
  for (int i = 0; i < 3; ++i) {
    const VectorXd row = test::gradient_of(
        [&](const VectorXd& q) {
          map.begin(w, step.t, step.h, step.q0, q, step.u);
          return w.residual(i);
        },
        step.q1);
    EXPECT_LT((jacobian.row(i).transpose() - row).norm(), 1e-8 * (1 + row.norm())) << "row " << i;
  }
}

TEST(DiscreteMap, HasTheDerivativesOfTheDiscreteLagrangian) {
  const System system = derive(heavy_at_the_side(false));
  ASSERT_EQ(system.path(), Path::reduced);
  for (const Quadrature& rule : quadratures) {
    SCOPED_TRACE(rule.name);
    const Step step;
    expect_ends(discrete_map(system, rule), step, step.minus_D1(rule), step.D2(rule));
  }
}

// f_d^- = h sum w (1 - s) f,  f_d^+ = h sum w s f
TEST(DiscreteMap, SharesForcesBetweenItsEnds) {
  const System system = derive(heavy_at_the_side(true));
  for (const Quadrature& rule : quadratures) {
    SCOPED_TRACE(rule.name);
    const Step step;
    const VectorXd friction = -c * (step.q1 - step.q0) / step.h;
    double before = 0, after = 0;
    for (const auto& [at, weight] : rule.nodes()) {
      before += step.h * weight * (1 - at);
      after += step.h * weight * at;
    }
    expect_ends(discrete_map(system, rule), step, step.minus_D1(rule) - before * friction,
                step.D2(rule) + after * friction);
  }
}

TEST(DiscreteMap, OfAHamiltonianIsThatOfItsLagrangian) {
  const System system = derive(by_hamiltonian());
  const Step step;
  const DiscreteMap& map = discrete_map(system, Quadrature::trapezoidal);
  DiscreteMap::Workspace w = map.workspace();
  EXPECT_TRUE(map.exists(w, step.t, step.q0, VectorXd{{1, 0, 0}}));
  expect_ends(map, step, step.minus_D1(Quadrature::trapezoidal), step.D2(Quadrature::trapezoidal));
}

TEST(DiscreteMap, FollowsParameters) {
  const System system = derive(heavy_at_the_side(false)), weightless = system.with({{"g", 0}});
  const Step step;
  DiscreteMap::Workspace w = discrete_map(weightless, Quadrature::midpoint).workspace();
  const VectorXd middle = (step.q0 + step.q1) / 2, v = (step.q1 - step.q0) / step.h;
  VectorXd momentum = m * (1 + 0.3 * middle(0)) * v, end(3);
  momentum(0) += step.h / 2 * m / 2 * 0.3 * v.squaredNorm();  // half of the force of the inertia
  discrete_map(weightless, Quadrature::midpoint).end(w, step.t, step.h, step.q0, step.q1, step.u, end);
  EXPECT_LT((end - momentum).norm(), 1e-12 * momentum.norm());
}

}  // namespace
}  // namespace hamel::discrete_map_test
