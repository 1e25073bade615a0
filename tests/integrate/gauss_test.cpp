// Gauss collocation: coefficients, orders up to 16 in quadruple precision, hard steps, adaptive steps, refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/canonical.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/program/evaluate.hpp"
#include "integrate/gauss_core.hpp"
#include "integrate/quad.hpp"
#include "integrate/systems.hpp"
#include "message.hpp"

namespace hamel::test::gauss_test {
namespace {

using Extended = long double;

class Tableau : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Stages, Tableau, testing::Range(1, most_gauss_stages + 1));

TEST_P(Tableau, IsSymplecticToMoreThanDoublePrecision) {
  const GaussTableau tableau = gauss_tableau(GetParam());
  const auto b = [&](int i) { return tableau.b[static_cast<std::size_t>(i)].value<Extended>(); };
  const auto a = [&](int i, int j) { return tableau.coefficient(i, j).value<Extended>(); };
  for (int i = 0; i < GetParam(); ++i)
    for (int j = 0; j < GetParam(); ++j)
      EXPECT_LT(std::fabs(b(i) * a(i, j) + b(j) * a(j, i) - b(i) * b(j)), 2e-19L) << i << " " << j;
}

// B(2 s) and C(s): quadrature and stages are exact for polynomials.
TEST_P(Tableau, IsCollocationOfFullOrder) {
  const int s = GetParam();
  const GaussTableau tableau = gauss_tableau(s);
  const auto c = [&](int i) { return tableau.c[static_cast<std::size_t>(i)].value<Extended>(); };
  for (int k = 1; k <= 2 * s; ++k) {
    Extended sum = 0;
    for (int i = 0; i < s; ++i)
      sum += tableau.b[static_cast<std::size_t>(i)].value<Extended>() * std::pow(c(i), Extended(k - 1));
    EXPECT_LT(std::fabs(sum - 1 / Extended(k)), 1e-18L) << k;
  }
  for (int k = 1; k <= s; ++k)
    for (int i = 0; i < s; ++i) {
      Extended sum = 0;
      for (int j = 0; j < s; ++j) sum += tableau.coefficient(i, j).value<Extended>() * std::pow(c(j), Extended(k - 1));
      EXPECT_LT(std::fabs(sum - std::pow(c(i), Extended(k)) / k), 1e-18L) << k;
    }
}

TEST(TableauSplit, HasShortLeadingParts) {
  for (int s = 1; s <= most_gauss_stages; ++s)
    for (const auto part : {gauss_tableau(s).b, gauss_tableau(s).a})
      for (const Coefficient& coefficient : part)
        EXPECT_EQ(coefficient.exact * 4096, std::round(coefficient.exact * 4096));
}

// Two unit pendulums, all numbers exact in binary: then rounding is that of the scalar throughout.
System exact_double_pendulum() {
  Model model("double pendulum");
  auto q = model.coordinates<S2>("q", 2);
  const Vec3 x1 = 1.0 * q[0], x2 = x1 + q[1];
  model.kinetic(0.5 * squared_norm(rate(x1)) + 0.5 * squared_norm(rate(x2)));
  model.potential(x1.z() + x2.z());
  return derive(model);
}

using QuadVector = Eigen::Matrix<Quad, Eigen::Dynamic, 1>;

QuadVector end_of(const System& system, int stages, int steps) {
  const Kernel& kernel = canonical(system).program();
  constexpr int a = 6;
  GaussCore<Quad> core(stages, 2 * a);
  const int lanes = core.lanes();
  core.y << 0.6, 0, -0.8, 0, 0.8, -0.6, 0.3, 1, 0.5, 1, 0.2, -0.4;
  const QuadVector scale = QuadVector::Ones(2 * a);
  const std::vector<Quad> constants(kernel.constants().begin(), kernel.constants().end());
  const auto flow = [&](const Quad* t, const Quad* Y, Quad* K) {
    QuadVector y(2 * a), rate(2 * a);
    for (int lane = 0; lane < lanes; ++lane) {
      for (int i = 0; i < 2 * a; ++i) y(i) = Y[i * lanes + lane];
      const std::array<const Quad*, 5> in = {y.data(), y.data() + a, t + lane, nullptr, constants.data()};
      const std::array<Quad*, 2> out = {rate.data(), rate.data() + a};
      evaluate<Quad>(kernel.program(), in.data(), out.data());
      for (int i = 0; i < 2 * a; ++i) K[i * lanes + lane] = rate(i);
    }
  };
  const Quad h = Quad(1) / steps;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(core.solve_stages(flow, k * h, h, scale, nullptr));
    core.accept(h);
  }
  return core.y.head(a);
}

class HighOrder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, HighOrder, testing::Range(2, 17, 2));

TEST_P(HighOrder, IsFittedInQuadruplePrecision) {
  const int order = GetParam(), stages = order / 2;
  const System system = exact_double_pendulum();
  static const QuadVector exact = end_of(system, 8, 90);
  const int steps = order <= 4 ? 60 : 30;
  const auto error = [&](int n) { return static_cast<double>((end_of(system, stages, n) - exact).norm()); };
  const double coarse = error(steps), fine = error(3 * steps / 2);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(1.5), order, 0.15) << coarse << " " << fine;
}

TEST(GaussNewtonIteration, TakesOverWhereFixedPointsDoNotContract) {
  // A stiff spring between two particles: h omega = 20.
  Model model("stiff");
  auto x = model.coordinate("x", Rn{2});
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(2000.0 * pow(x[0] - x[1], 2) + 0.5 * x[0] * x[0] + 0.25 * pow(x[0], 4));
  const System system = derive(model);
  Workspace work(system);
  const auto worst_energy = [&](const State& start, int order) {
    const double initial = system.energy(work, 0, start.q, start.v).total;
    double worst = 0;
    integrate(system, start, Gauss{.step = 0.3, .order = order}, {.t = 30}, [&](const State& s) {
      worst = std::max(worst, std::abs(system.energy(work, s.t, s.q, s.v).total - initial));
      return true;
    });
    return worst;
  };
  const State start{0, Eigen::Vector2d(1, 1.001), Eigen::Vector2d(0.1, -0.2)};
  for (int order = 2; order <= 16; order += 2) EXPECT_LT(worst_energy(start, order), 0.05) << order;
  // Rounding must not decide whether a step is taken: once, one start in four failed.
  for (int k = 0; k < 40; ++k) {
    State other = start;
    other.v(0) += 1e-3 * k;
    EXPECT_LT(worst_energy(other, 2), 0.05) << k;
  }
}

// The mass matrix of a long arm in relative angles takes digits, and the iteration ends above a thousand epsilon.
TEST(GaussRounding, OfAnIllConditionedMassIsNoStepThatIsTooLong) {
  constexpr int links = 24;
  Model model("arm");
  const auto a = model.coordinates("a", Rn{1}, links);
  Formula angle = a[0].x(), x = sin(angle), y = -cos(angle);
  for (int i = 0; i < links; ++i) {
    if (i > 0) {
      angle = angle + a[static_cast<std::size_t>(i)].x();
      x = x + sin(angle);
      y = y - cos(angle);
    }
    model.kinetic((rate(x) * rate(x) + rate(y) * rate(y)) / 2);
    model.potential(9.81 * y);
  }
  const System system = derive(model);
  Workspace work(system);
  VectorXd q = VectorXd::Constant(links, 0.1);
  const VectorXd rest = VectorXd::Zero(links);
  for (const double first : {0.0, 0.5, 1.0}) {
    q(0) = first;
    const State start = system.state(0, q, rest);
    const double energy = system.energy(work, 0, q, rest).total;
    const State end = integrate(system, start, Gauss{.step = 0.005, .order = 8}, {.t = 2.5, .every = 1}).back();
    EXPECT_NEAR(system.energy(work, end.t, end.q, end.v).total, energy, 1e-7) << first;
    const Until soon{.t = 0.5, .every = 1};
    const State near = integrate(system, start, Gauss{.step = 0.005, .order = 8}, soon).back();
    const State other = integrate(system, start, Dop853{.relative = 1e-12, .absolute = 1e-12}, soon).back();
    EXPECT_LT((near.q - other.q).lpNorm<Eigen::Infinity>(), 1e-7) << first;
  }
}

// What rounding changed of R^T R is taken back where the body is, not where it was a step before: turns of more than 60
// degrees per step would make it grow.
TEST(LongTurns, StayRotations) {
  const Example example = free_body({1, 2, 3});
  const State start = example.system.state(0, example.start.q, Eigen::Vector3d(1e-3, 1, 1e-3));
  for (const Method& method :
       {Method(Gauss{.step = 1.4, .order = 16}), Method(Gauss{.step = 1.4, .order = 8}), Method(Variational{0.9})}) {
    const State end = advance(example, start, method, 300);
    EXPECT_LT(example.system.space().defect(end.q), 1e-14) << describe(method).name;
    EXPECT_NEAR(energy(example.system, end).total / energy(example.system, start).total, 1, 1e-4)
        << describe(method).name;
  }
}

TEST(GaussAdaptive, FollowsItsTolerance) {
  const Example example = double_pendulum();
  const State exact = reference(example, 3);
  std::size_t steps = 0;
  for (double tolerance : {1e-5, 1e-8, 1e-11}) {
    const Trajectory run =
        integrate(example.system, example.start, Gauss{.order = 8, .tolerance = tolerance}, {.t = 3});
    EXPECT_LT(distance(run.back(), exact), 1e3 * tolerance);
    EXPECT_GT(run.steps, steps);
    steps = run.steps;
  }
}

TEST(GaussAdaptive, ShortensItsStepInACloseEncounter) {
  Model model("Kepler");
  auto x = model.coordinate("x", Rn{2});
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(-1.0 / norm(x));
  const System system = derive(model);
  const State start{0, Eigen::Vector2d(1.9, 0), Eigen::Vector2d(0, std::sqrt(0.1 / 1.9))};  // eccentricity 0.9
  double shortest = 1e9, longest = 0, last = 0;
  const double period = 2 * std::acos(-1.0);
  const Trajectory run =
      integrate(system, start, Gauss{.order = 12, .tolerance = 1e-10}, {.t = period}, [&](const State& s) {
        if (s.t > 0 && s.t < period) shortest = std::min(shortest, s.t - last), longest = std::max(longest, s.t - last);
        last = s.t;
        return true;
      });
  EXPECT_LT(distance(run.back(), start), 1e-7);
  EXPECT_GT(longest / shortest, 10);
}

// Of more than three constraints there are no formulas for what is normal to them: it is found in numbers.
TEST(GaussProjection, NeedsNoFormulas) {
  Model model("frame");
  const Formula X = model.coordinate("X", Stiefel(4, 3));
  MatrixXd stiffness = MatrixXd::Zero(4, 3);
  stiffness << 1, 0.3, 0, 0.2, 2, 0, 0, 0.1, 1.5, 0.4, 0, 0.6;
  model.kinetic(trace(transpose(rate(X)) * rate(X)) / 2);
  model.potential(trace(transpose(X) * Formula(stiffness)));
  const System system = derive(model);
  Random random(1);
  const VectorXd q = system.space().random_point(random);
  const State start{0, q, system.space().random_tangent(q, random)};
  const Trajectory run = integrate(system, start, Gauss{.step = 0.02, .order = 8}, {.t = 2, .every = 2});
  EXPECT_LT(system.space().defect(run.back().q), 1e-13);
  EXPECT_NEAR(energy(system, run.back()).total, energy(system, start).total, 1e-11);
  const State other = integrate(system, start, Rk4{.step = 1e-3}, {.t = 2, .every = 2}).back();
  EXPECT_LT((run.back().q - other.q).norm(), 1e-9);
}

TEST(GaussRefuses, WhatItCannotKeep) {
  Model model("volume");
  std::vector<MatrixXd> basis;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      MatrixXd E = MatrixXd::Zero(3, 3);
      if (i == j && i == 2) continue;
      E(i, j) = 1;
      if (i == j) E(2, 2) = -1;
      basis.push_back(E);
    }
  auto g = model.coordinate("g", LieGroup(basis, "SL3"));
  model.kinetic(0.5 * trace(transpose(rate(g)) * rate(g)));
  const System system = derive(model);
  try {
    make_stepper(system, Gauss{.step = 0.1});
    FAIL() << "SL(3) is cubic";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "g is on SL3, which is not given by quadratic equations: the canonical equations leave it; use "
                 "variational or a Lie-group method");
  }
}

TEST(GaussRefuses, OrdersAndStepsThatAreNone) {
  const auto message = [](const Gauss& method) { return message_of<std::invalid_argument>([&] { check(method); }); };
  EXPECT_EQ(message({.step = 0.1, .order = 7}), "Gauss methods have the orders 2, 4, ..., 16; 7 is none of them");
  EXPECT_EQ(message({.step = 0.1, .order = 18}), "Gauss methods have the orders 2, 4, ..., 16; 18 is none of them");
  EXPECT_EQ(message({.order = 8}), "the step of gauss8 must be a positive number, not 0");
  EXPECT_EQ(message({.step = NAN}), "the step of gauss8 must be a positive number, not nan");
  EXPECT_EQ(message({.step = 0.1, .tolerance = 1e-6}), "gauss8 has a fixed step or a tolerance, not both");
  EXPECT_EQ(message({.tolerance = -1e-6}), "the tolerance of gauss8 must be a positive number, not -1e-06");
}

}  // namespace
}  // namespace hamel::test::gauss_test
