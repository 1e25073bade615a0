// Equilibria with inputs, book 9.12: two quadrotors that hold a payload by cables; which thrusts keep it there?
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "hamel/analyze/control.hpp"
#include "hamel/manifold/factors.hpp"

namespace hamel::test::trim_test {
namespace {

TEST(Trim, OfTwoQuadrotorsWithAPayload) {
  constexpr double g = 9.81, m0 = 0.5, m = 1.3, l = 0.8, J = 0.02;
  Model model("two quadrotors");
  const auto x = model.coordinate("x", Rn(3));
  const auto q = model.coordinates<S2>("q", 2);
  const auto R = model.coordinates<SO3>("R", 2);
  const auto thrust = model.input("thrust", 2);
  model.kinetic(m0 / 2 * squared_norm(rate(x)));
  model.potential(m0 * g * x.z());
  for (std::size_t k = 0; k < 2; ++k) {
    const Formula place = x - l * q[k];
    model.kinetic(m / 2 * squared_norm(rate(place)) + J / 2 * squared_norm(omega(R[k])));
    model.potential(m * g * place.z());
    model.force(place, (k == 0 ? thrust.x() : thrust.y()) * (R[k] * unit_vector(2)));
  }
  const System system = derive(model);
  VectorXd point = VectorXd::Zero(system.ambient());
  for (const int k : {0, 1}) {
    point(3 + 3 * k + 2) = -1;  // below
    point.segment(9 + 9 * k, 9) = Eigen::Matrix3d::Identity().reshaped();
  }
  const State hover{0, point, VectorXd::Zero(point.size())};
  const LinearModel linear = trimmed(Linearization(system), hover);
  EXPECT_NEAR(linear.inputs(0), (m + m0 / 2) * g, 1e-10);
  EXPECT_NEAR(linear.inputs(1), (m + m0 / 2) * g, 1e-10);
  EXPECT_LE(linear.imbalance, 1e-12);
  // One that is tilted pushes no more, and the other carries it all; if both are, nothing holds it.
  State tilted = hover;
  const VectorXd turned = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()).toRotationMatrix().reshaped();
  tilted.q.segment(9, 9) = turned;
  EXPECT_NEAR(trimmed(Linearization(system), tilted).inputs(1), (2 * m + m0) * g, 1e-10);
  tilted.q.segment(18, 9) = turned;
  EXPECT_THROW(trimmed(Linearization(system), tilted), std::domain_error);
}

}  // namespace
}  // namespace hamel::test::trim_test
