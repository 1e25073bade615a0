// Systems of the gallery that are special cases of others move alike.
#include <array>
#include <cmath>

#include "gallery/files.hpp"
#include "systems/bodies.hpp"
#include "systems/models.hpp"

namespace hamel::test::consistency_test {
namespace {

const Vector3d e3 = Vector3d::UnitZ();
const Matrix3d inertia{{1.1, 0.1, -0.2}, {0.1, 1.4, 0.15}, {-0.2, 0.15, 1.7}};

void expect_alike(const Model& one, const Model& other) {
  SCOPED_TRACE(one.name() + " and " + other.name());
  const System a = derive(one), b = derive(other);
  expect_same_flow(a, b, random_samples(a, 20));
}

TEST(Consistency, ShortChains) {
  expect_alike(from_gallery("spherical-pendulum", {{"m", chain_mass(0)}, {"l", chain_length(0)}}), chain_pendulum(1));
  expect_alike(double_spherical_pendulum(), chain_pendulum(2));
  const Vector3d masses(1.3, 0.7, 0.5), lengths(0.9, 1.4, 0.6);
  expect_alike(from_gallery("triple-pendulum", {{"m", masses}, {"l", lengths}}), chain_pendulum(3));
  expect_alike(
      from_gallery("falling-rope", {{"n", 4}, {"m", 0.3}, {"l", 0.4}}),
      from_gallery("chain-pendulum", {{"n", 4}, {"m", VectorXd::Constant(4, 0.3)}, {"l", VectorXd::Constant(4, 0.4)}}));
}

// In the paper z points down; without gains nobody drives the cart.
TEST(Consistency, ChainOnCartWithoutControl) {
  const VectorXd none = VectorXd::Zero(5);
  expect_alike(
      from_gallery("chain-pendulum-on-cart-controlled", {{"kx", 0}, {"kv", 0}, {"kq", none}, {"kw", none}}),
      from_gallery(
          "chain-pendulum-on-cart",
          {{"n", 5}, {"M", 0.5}, {"m", VectorXd::Constant(5, 0.1)}, {"l", VectorXd::Constant(5, 0.1)}, {"g", -g}}));
}

// A cart that is much heavier than its chain stands still.
TEST(Consistency, ChainOnAHeavyCart) {
  const int n = 3;
  const System fixed = derive(chain_pendulum(n));
  const VectorXd masses = Vector3d(1.3, 0.7, 0.5), lengths = Vector3d(0.9, 1.4, 0.6);
  const System heavy =
      derive(from_gallery("chain-pendulum-on-cart", {{"n", n}, {"M", 1e12}, {"m", masses}, {"l", lengths}}));
  for (const State& s : random_samples(fixed, 20).states) {
    const State on_cart{0, stack({Vector2d(0.3, -0.4), s.q}), stack({Vector2d(0, 0), s.v})};
    EXPECT_LE(distance(acceleration(heavy, on_cart).tail(3 * n), acceleration(fixed, s)), 1e-9);
  }
}

TEST(Consistency, OneLinkOnACart) {
  const System link =
      derive(from_gallery("chain-pendulum-on-cart",
                          {{"n", 1}, {"M", m_cart}, {"m", VectorXd::Constant(1, m)}, {"l", VectorXd::Constant(1, L)}}));
  const System pendulum = derive(spherical_pendulum_on_cart());  // its cart comes last
  for (const State& s : random_samples(pendulum, 20).states) {
    const auto cart_first = [](const VectorXd& x) { return stack({x.tail<2>(), x.head<3>()}); };
    const State same{0, cart_first(s.q), cart_first(s.v)};
    EXPECT_LE(distance(acceleration(link, same), cart_first(acceleration(pendulum, s))), 1e-11);
  }
}

// In free fall the links do not feel their weight.
TEST(Consistency, FreeChainWithoutWeight) {
  const System heavy = derive(free_free_chain(3));
  const VectorXd masses = Vector3d(1.3, 0.7, 0.5), lengths = Vector3d(0.9, 1.4, 0.6);
  const System weightless =
      derive(from_gallery("free-free-chain", {{"n", 3}, {"m0", m_end}, {"m", masses}, {"l", lengths}, {"g", 0}}));
  for (const State& s : random_samples(heavy, 20).states) {
    const VectorXd a = acceleration(heavy, s), b = acceleration(weightless, s);
    EXPECT_LE(distance(a.tail(9), b.tail(9)), 1e-11);
    EXPECT_LE(distance(a.head<3>() + g * e3, b.head<3>()), 1e-11);
  }
}

// A motion that begins in a vertical plane, with the control of the cart in it, stays there.
TEST(Consistency, PlanarMotionsStayPlanar) {
  const System system = derive(from_gallery("chain-pendulum-on-cart-controlled"));
  const std::array goal = {-1, -1, -1, 1, 1};  // not far from it: far away the law does not balance the chain
  State start{0, VectorXd::Zero(17), VectorXd::Zero(17)};
  start.q(0) = 0.1;
  start.v(0) = -0.2;
  for (int i = 0; i < 5; ++i) {
    const double tilt = 0.02 * i - 0.03;
    start.q.segment<3>(2 + 3 * i) << std::sin(tilt), 0, goal[static_cast<std::size_t>(i)] * std::cos(tilt);
  }
  const State end = state_after(system, start, 0.5);
  EXPECT_GT((end.q - start.q).norm(), 0.05);
  EXPECT_EQ(end.q(1), 0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(end.q(3 + 3 * i), 0) << "link " << i;
}

TEST(Consistency, RigidBodies) {
  const Vector3d rho(0.1, 0.2, 0.3);
  expect_alike(from_gallery("rigid-body-gravity-se3", {{"J", inertia}, {"m", m}, {"g", 0}}),
               from_gallery("free-rigid-body-se3", {{"J", inertia}, {"m", m}}));
  expect_alike(from_gallery("rigid-body-se3-offset", {{"J", inertia}, {"m", m}, {"rho", Vector3d::Zero()}}),
               from_gallery("rigid-body-gravity-se3", {{"J", inertia}, {"m", m}}));
  expect_alike(from_gallery("heavy-top", {{"J", inertia}, {"m", m}, {"h", 0.4}}),
               from_gallery("pendulum-3d", {{"J", inertia}, {"m", m}, {"rho", Vector3d(0, 0, -0.4)}}));
  const MatrixXd at_origin = MatrixXd::Zero(1, 3);
  expect_alike(from_gallery("elastically-supported-rigid-body", {{"n", 1},
                                                                 {"J", inertia},
                                                                 {"m", m},
                                                                 {"kappa", VectorXd::Constant(1, 30)},
                                                                 {"l", VectorXd::Constant(1, 0.7)},
                                                                 {"rho", MatrixXd(rho.transpose())},
                                                                 {"z", at_origin}}),
               from_gallery("rigid-body-single-elastic-support",
                            {{"J", inertia}, {"m", m}, {"kappa", 30}, {"l", 0.7}, {"rho", rho}}));
}

}  // namespace
}  // namespace hamel::test::consistency_test
