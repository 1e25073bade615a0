// Which systems take the constant-mass path, and how the size of their equations grows: linearly.
#include <hamel/manifold/rn.hpp>
#include <hamel/manifold/s2.hpp>

#include "hamel/mechanics/parts.hpp"
#include "systems/models.hpp"
#include "systems/support.hpp"

namespace hamel::test::growth_test {
namespace {

void add_particle(Model& model, const Vec3& x) {
  model.kinetic(squared_norm(rate(x)) / 2);
  model.potential(g * x.z());
}

Model binary_tree(int n) {
  Model model("binary tree");
  auto q = model.coordinates<S2>("q", n);
  std::vector<Vec3> x;
  for (std::size_t i = 0; i < q.size(); ++i) {
    x.push_back(i == 0 ? q[0] : x[(i - 1) / 2] + q[i]);
    add_particle(model, x.back());
  }
  return model;
}

Model star(int n) {
  Model model("star");
  auto hub = model.coordinate("hub", Rn(3));
  add_particle(model, hub);
  for (const Vec3& q : model.coordinates<S2>("q", n)) add_particle(model, hub + q);
  return model;
}

// Each with the point at its centre of mass.
Model uniform_rods(int n) {
  Model model("uniform rods");
  auto q = model.coordinates<S2>("q", n);
  Vec3 joint = VectorXd::Zero(3);
  for (std::size_t i = 0; i < q.size(); ++i) {
    add_particle(model, model.point("c" + std::to_string(i), joint + q[i] / 2));
    model.kinetic(squared_norm(rate(q[i])) / 24);
    joint = joint + q[i];
  }
  return model;
}

// Bodies that know of one another through the potential only.
Model coupled_pendulums(int n) {
  Model model("coupled pendulums");
  auto q = model.coordinates<S2>("q", n);
  for (std::size_t i = 0; i < q.size(); ++i) {
    add_particle(model, q[i]);
    if (i > 0) model.potential(kappa * (1 - dot(q[i - 1], q[i])));
  }
  return model;
}

std::size_t operations(const System& system) { return constant_mass(system).acceleration.program().operations(); }

void expect_linear_growth(Model (*model)(int)) {
  std::vector<std::size_t> sizes;
  for (const int n : {100, 200, 400}) {
    const System system = derive(model(n));
    SCOPED_TRACE(system.name());
    ASSERT_EQ(system.path(), Path::constant_mass) << system.path_reason();
    sizes.push_back(operations(system));
    ::testing::Test::RecordProperty("operations_" + std::to_string(n), static_cast<int>(sizes.back()));
    ASSERT_GT(sizes.back(), 0U);
  }
  EXPECT_LT(static_cast<double>(sizes[1]), 2.2 * static_cast<double>(sizes[0]));
  EXPECT_LT(static_cast<double>(sizes[2]), 2.2 * static_cast<double>(sizes[1]));
}

TEST(GrowthLong, Chain) { expect_linear_growth(chain_pendulum); }
TEST(GrowthLong, BinaryTree) { expect_linear_growth(binary_tree); }
TEST(GrowthLong, UniformRods) { expect_linear_growth(uniform_rods); }
TEST(GrowthLong, ChainOnCart) { expect_linear_growth(chain_pendulum_on_cart); }
TEST(GrowthLong, Star) { expect_linear_growth(star); }

// Bodies with a diagonal mass matrix: one scalar per sphere, far less than a chain.
TEST(Growth, DiagonalMassIsCheap) {
  const System coupled = derive(coupled_pendulums(20)), chain = derive(chain_pendulum(20));
  ASSERT_EQ(coupled.path(), Path::constant_mass) << coupled.path_reason();
  EXPECT_LE(operations(coupled), 20U * 35U);
  EXPECT_LT(4 * operations(coupled), 3 * operations(chain));
}

// The equations of these structures are right, too: against the reduced path.
TEST(Growth, PathsAgree) {
  for (Model (*model)(int) : {binary_tree, star, uniform_rods, coupled_pendulums})
    expect_paths_agree(model(7), random_samples(derive(model(7)), 20));
}

}  // namespace
}  // namespace hamel::test::growth_test
