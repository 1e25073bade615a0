// Whether a quantity is constant along every motion.
#include "hamel/analyze/conserved.hpp"

#include <gtest/gtest.h>

#include "hamel/analyze/balance.hpp"
#include "hamel/manifold/factors.hpp"
#include "message.hpp"

namespace hamel::test {
namespace {

struct Pendulum {
  Model model{"pendulum"};
  Formula q = model.coordinate<S2>("q"), down = Formula(Eigen::Vector3d(0, 0, -9.81));
  Formula energy = 0.5 * dot(rate(q), rate(q)) - dot(down, q);
  Formula spin = dot(Formula(Eigen::Vector3d(0, 0, 1)), cross(q, rate(q)));

  Pendulum() {
    model.kinetic(0.5 * dot(rate(q), rate(q)));
    model.potential(-dot(down, q));
  }
};

TEST(Conservation, IsWhatAPendulumKeeps) {
  const Pendulum pendulum;
  const Conservation conservation(derive(pendulum.model), std::nullopt);
  EXPECT_LT(conservation.relative_rate(pendulum.energy), 1e-12);
  EXPECT_LT(conservation.relative_rate(pendulum.spin), 1e-12);
  EXPECT_GT(conservation.relative_rate(pendulum.q.z()), 1e-2);
  EXPECT_GT(conservation.relative_rate(pendulum.energy * pendulum.q.z()), 1e-2);
}

TEST(Conservation, EndsWithFriction) {
  Pendulum pendulum;
  pendulum.model.dissipation(0.05 * dot(rate(pendulum.q), rate(pendulum.q)));
  const Conservation conservation(derive(pendulum.model), std::nullopt);
  EXPECT_GT(conservation.relative_rate(pendulum.energy), 1e-4);
  EXPECT_GT(conservation.relative_rate(pendulum.spin), 1e-4);
}

TEST(Conservation, IsAskedAlongAMotionWhereThereAreConstraints) {
  Model model("bead");
  const Formula x = model.coordinate("x", Rn(3));
  model.kinetic(0.5 * dot(rate(x), rate(x)));
  model.potential(9.81 * x.z());
  model.constraint("wire", x.z() - 0.5 * dot(x, x));
  const System system = derive(model);
  EXPECT_EQ(message_of([&] { Conservation(system, std::nullopt); }),
            "bead has constraints: whether something is conserved is asked along a motion, which needs a start");
  const State start{0, Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, 0.5, 0)};
  const Conservation conservation(system, start);
  EXPECT_LT(conservation.relative_rate(0.5 * dot(rate(x), rate(x)) + 9.81 * x.z()), 1e-10);
  EXPECT_GT(conservation.relative_rate(x.z()), 1e-2);
}

// L = -c^2 sqrt(1 - v^2/c^2) - U with a U that ends at |x| = r: most random states are faster than light, or outside.
TEST(Conservation, IsAskedWhereTheMotionIsDefined) {
  const double c = 0.3, r = 0.2;
  Model model("fast particle");
  const Formula x = model.coordinate("x", Rn(3));
  const Formula slowness = sqrt(1 - dot(rate(x), rate(x)) / (c * c)), potential = -log(1 - dot(x, x) / (r * r));
  model.lagrangian(-c * c * slowness);
  model.potential(potential);
  const System system = derive(model);
  const State start{0, Eigen::Vector3d(0.1, 0, 0), Eigen::Vector3d(0, 0.2, 0.1)};
  const Conservation conservation(system, start);
  EXPECT_LT(conservation.relative_rate(c * c / slowness + potential), 1e-12);
  EXPECT_GT(conservation.relative_rate(dot(x, x)), 1e-2);
  model.potential(log(-1 - dot(x, x)));
  EXPECT_EQ(message_of([&] { Conservation(derive(model), std::nullopt); }),
            "whether something is conserved is asked at random states, and fast particle has no accelerations at any "
            "of them: give a start");
}

TEST(Conservation, IsAskedWhereAFieldIsDefined) {
  Model model("half a plane");
  const Formula x = model.coordinate("x", Rn(1)), y = model.coordinate("y", Rn(1));
  model.field(x, -y * log(x));
  model.field(y, x * log(x));
  const System system = derive(model);
  const Conservation conservation(system, system.state(0, Eigen::Vector2d(2, 0.1)));
  EXPECT_LT(conservation.relative_rate(x * x + y * y), 1e-12);
  EXPECT_GT(conservation.relative_rate(x * y), 1e-2);
}

TEST(Balance, IsWherePendulumsRest) {
  const Pendulum pendulum;
  const System system = derive(pendulum.model);
  const Balance balance(system);
  const VectorXd rest = VectorXd::Zero(3);
  EXPECT_LT(balance.at({0, Eigen::Vector3d(0, 0, -1), rest}).imbalance, 1e-15);
  EXPECT_LT(balance.at({0, Eigen::Vector3d(0, 0, 1), rest}).imbalance, 1e-15);
  const Balance::Finding beside = balance.at({0, Eigen::Vector3d(1, 0, 0), rest});
  EXPECT_NEAR(beside.unrest, 9.81, 1e-12);
  EXPECT_GT(beside.imbalance, 0.1);
}

}  // namespace
}  // namespace hamel::test
