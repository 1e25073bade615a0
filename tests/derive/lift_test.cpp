// Points as coordinates of their own: which there are, whose place they take, and the map from their rates.
#include "hamel/derive/lift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/so3.hpp"

namespace hamel::lift_test {
namespace {

using Ints = std::vector<int>;
using Numbers = std::vector<double>;

// x_k = x_{k-1} + l_k q_k; its end may be held by a constraint, and its pivot may be elsewhere.
Model chain(int links, bool closed = false, bool moved = false) {
  Model model("chain");
  const auto l = model.parameter("l", VectorXd::LinSpaced(links, 0.5, 1.1).eval());
  const auto m = model.parameter("m", VectorXd::LinSpaced(links, 1.3, 0.4).eval());
  const auto q = model.coordinates<S2>("q", links);
  Formula x = moved ? Formula(VectorXd{{1, 2, 3}}) + l[0] * q[0] : l[0] * q[0];
  for (int k = 0; k < links; ++k) {
    if (k > 0) x = x + l[k] * q[static_cast<std::size_t>(k)];
    model.kinetic(m[k] / 2 * squared_norm(rate(x)));
  }
  model.potential(9.81 * x.z());
  if (closed) model.constraint("loop", x - Formula(VectorXd{{0.4, 0.1, 0.2}}));
  return model;
}

// A direction with inertia J about its pivot on a cart.
Model cart(double inertia) {
  Model model("cart");
  const auto M = model.parameter("M", 2.0), m = model.parameter("m", 1.0), J = model.parameter("J", inertia);
  const auto x = model.coordinate("x", Rn(3));
  const auto q = model.coordinate<S2>("q");
  model.kinetic(M / 2 * squared_norm(rate(x)) + m / 2 * squared_norm(rate(x + q)) + J / 2 * squared_norm(rate(q)));
  return model;
}

// A bob on a thread from a point of a body.
Model body_with_pendulum() {
  Model model("body with a pendulum");
  const auto R = model.coordinate<SO3>("R");
  const auto q = model.coordinate<S2>("q");
  model.body("body", {.attitude = R, .inertia = MatrixXd(Eigen::Vector3d(1, 1.2, 0.9).asDiagonal())});
  model.kinetic(0.35 * squared_norm(rate(R * Formula(VectorXd{{0.3, 0, 0.1}}) + 0.4 * q)));
  return model;
}

Numbers random_numbers(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  Numbers result(size);
  for (double& x : result) x = std::normal_distribution<double>()(random);
  return result;
}

Numbers joined(Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Lifting {
  explicit Lifting(const Model& m) : model(m), sheet(model), lifted(lift(model, sheet.lowered)) {}

  std::size_t ambient() const { return sheet.lowered.q.size(); }
  std::size_t points() const { return lifted.point_values.size(); }

  // Formulas of q and v.
  Numbers at(const Exprs& f, const Numbers& q, const Numbers& v) const {
    Exprs variables = sheet.lowered.q;
    for (const Exprs* more : {&sheet.lowered.v, &sheet.lowered.parameters})
      variables.insert(variables.end(), more->begin(), more->end());
    const VectorXd values = parameter_values(model);
    return evaluate(f, variables, joined(joined(q, v), {values.begin(), values.end()}));
  }
  Numbers times(const std::vector<Lifted::Row>& rows, const Numbers& x, const Numbers& q) const {
    Numbers result;
    for (const Lifted::Row& row : rows) {
      double sum = 0;
      for (const auto& [index, coefficient] : row)
        sum += at({coefficient}, q, Numbers(ambient(), 0.0)).front() * x[hamel::at(index)];
      result.push_back(sum);
    }
    return result;
  }

  Model model;
  Sheet sheet;
  Lifted lifted;
};

void expect_near(const Numbers& a, const Numbers& b, double tolerance = 1e-12) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "number " << i;
}

TEST(Lift, PointsOfAChainTakeThePlaceOfCoordinates) {
  const Lifting chain_of_three(chain(3));
  EXPECT_EQ(chain_of_three.points(), 6U) << "l q of the first link is no sum";
  EXPECT_EQ(chain_of_three.lifted.places.chosen(), (Ints{-1, -1, -1, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(chain_of_three.lifted.z.size(), 9U);
  // The mass is diagonal: m l^2 of the first direction, m of the points.
  const Lifted& lifted = chain_of_three.lifted;
  for (const auto& [row, col, value] : jacobian(gradient(sum(lifted.kinetic), lifted.V), lifted.V)) {
    EXPECT_EQ(row, col);
    const double mass = chain_of_three.at({value}, Numbers(9, 0.0), Numbers(9, 0.0)).front();
    EXPECT_NEAR(mass, row < 3 ? 1.3 * 0.25 : row < 12 ? 0.85 : 0.4, 1e-15) << row;
  }
}

// V = A z' is a velocity of coordinates and points that belong together, and z' are some of its numbers.
void expect_velocities(const Model& model) {
  const Lifting all(model);
  const Manifold& space = model.coordinates().front().space;
  const bool has_body = is_by_basis(space);
  Random random(3);
  Numbers q = random_numbers(all.ambient(), 1);
  if (has_body) {
    const VectorXd attitude = space.random_point(random);
    std::copy(attitude.begin(), attitude.end(), q.begin());
  }
  const Numbers rates = random_numbers(all.lifted.z.size(), 2), V = all.times(all.lifted.A, rates, q);
  const auto end = V.begin() + static_cast<std::ptrdiff_t>(all.ambient());
  expect_near(all.at(all.lifted.point_rates, q, Numbers(V.begin(), end)), Numbers(end, V.end()));
  const Ints places = all.lifted.places.chosen();
  std::size_t z = 0, i = 0;
  if (has_body) {
    VectorXd velocity(space.ambient());
    space.velocity(Eigen::Map<const VectorXd>(q.data(), space.ambient()),
                   Eigen::Map<const VectorXd>(rates.data(), space.rates()), velocity);
    for (; i < static_cast<std::size_t>(space.ambient()); ++i)
      EXPECT_NEAR(V[i], velocity(static_cast<Eigen::Index>(i)), 1e-14);
    z = static_cast<std::size_t>(space.rates());
  }
  for (; i < all.ambient(); ++i, ++z)
    EXPECT_NEAR(V[places[i] < 0 ? i : all.ambient() + hamel::at(places[i])], rates[z], 1e-14) << i;
  EXPECT_EQ(z, rates.size());
}

TEST(Lift, MapsIncrementsToVelocities) {
  expect_velocities(chain(4));
  expect_velocities(chain(3, true, true));
  expect_velocities(cart(0.1));
  expect_velocities(body_with_pendulum());
}

// E holds for finite increments, also of attitudes, where A does not.
TEST(Lift, MapsFiniteIncrements) {
  for (const Model& model : {chain(4), cart(0.1), body_with_pendulum()}) {
    const Lifting all(model);
    const std::size_t n = all.ambient();
    const Numbers q0 = random_numbers(n, 1), q1 = random_numbers(n, 2), rest(n, 0.0);
    const Numbers x0 = all.at(all.lifted.point_values, q0, rest), x1 = all.at(all.lifted.point_values, q1, rest);
    Numbers change;  // of Q
    for (std::size_t i = 0; i < n; ++i) change.push_back(q1[i] - q0[i]);
    for (std::size_t k = 0; k < x0.size(); ++k) change.push_back(x1[k] - x0[k]);
    const Ints places = all.lifted.places.chosen();
    Numbers increments;
    for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
      const Manifold& space = model.coordinates()[f].space;
      if (is_by_basis(space)) increments.resize(increments.size() + hamel::at(space.rates()));  // not looked at
      for (std::size_t i = hamel::at(all.sheet.lowered.offsets[f]); i < hamel::at(all.sheet.lowered.offsets[f + 1]);
           ++i)
        if (!is_by_basis(space)) increments.push_back(change[places[i] < 0 ? i : n + hamel::at(places[i])]);
    }
    ASSERT_EQ(increments.size(), all.lifted.z.size());
    increments.insert(increments.end(), change.begin(), change.begin() + static_cast<std::ptrdiff_t>(n));
    expect_near(all.times(all.lifted.E, increments, q0), change);
  }
}

// V' = A z'' + offset: a body that turns uniformly has R'' = R hat(Omega)^2, and carries its points along.
TEST(Lift, OffsetIsTheAccelerationOfUniformTurns) {
  const Lifting all(body_with_pendulum());
  const Manifold& space = all.model.coordinates().front().space;
  const Eigen::Vector3d Omega(0.3, -0.7, 0.5), rho(0.3, 0, 0.1);
  Random random(4);
  const VectorXd R = space.random_point(random);
  VectorXd v(9);
  space.velocity(R, Omega, v);
  const Eigen::Matrix3d attitude = Eigen::Map<const Eigen::Matrix3d>(R.data());
  const Eigen::Matrix3d turn{{0, -Omega.z(), Omega.y()}, {Omega.z(), 0, -Omega.x()}, {-Omega.y(), Omega.x(), 0}};
  const Eigen::Matrix3d acceleration = attitude * turn * turn;
  const Eigen::Vector3d of_point = acceleration * rho;
  // The bob takes the place of q, and its own z'' is zero: q'' = -R'' rho/l.
  const Eigen::Vector3d of_thread = -of_point / 0.4;
  ASSERT_EQ(all.lifted.places.chosen(), (Ints{-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2}));
  Numbers expected(acceleration.data(), acceleration.data() + 9);
  expected.insert(expected.end(), of_thread.begin(), of_thread.end());
  expected.insert(expected.end(), 3, 0.0);
  const Numbers q = joined({R.begin(), R.end()}, {0.6, 0, 0.8});
  expect_near(all.at(all.lifted.offset, q, joined({v.begin(), v.end()}, {0, 0, 0})), expected);
}

TEST(Lift, ALoopIsAConstraintOnThePoint) {
  const Lifting loop(chain(3, true));
  EXPECT_EQ(loop.points(), 6U) << "a loop adds none";
  ASSERT_EQ(loop.lifted.constraints.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const Exprs variables = dependencies(Exprs{loop.lifted.constraints[k]});
    EXPECT_EQ(variables, Exprs{loop.lifted.Q[loop.ambient() + 3 + k]}) << "the last point alone";
  }
}

TEST(Lift, AFixedPivotIsNoPoint) {
  EXPECT_EQ(Lifting(chain(1, false, true)).points(), 0U) << "[1, 2, 3] + l q has one moving part";
  EXPECT_EQ(Lifting(chain(3, false, true)).lifted.places.chosen(), Lifting(chain(3)).lifted.places.chosen());
}

TEST(Lift, PlacesAreThoseOfTheInertias) {
  const Ints taken{-1, -1, -1, 0, 1, 2}, of_cart{0, 1, 2, -1, -1, -1};
  EXPECT_EQ(Lifting(cart(0)).lifted.places.chosen(), taken);
  PointPlaces places = Lifting(cart(0.1)).lifted.places;
  const Ints before = places.chosen();
  places.set_parameters(VectorXd{{2, 1, 1000}});  // far more than the bob's: M, m, J
  EXPECT_NE(places.chosen(), before) << "what the bob does would be lost in the rounding of the wheel";
  EXPECT_EQ(places.chosen(), of_cart);
  places.set_parameters(VectorXd{{2, 1, 0.1}});
  EXPECT_EQ(places.chosen(), before);
}

}  // namespace
}  // namespace hamel::lift_test
