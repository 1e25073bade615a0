// The search for equilibria, on small models of each kind; those of the texts are in tests/gallery.
#include "hamel/analyze/equilibria.hpp"

#include <gtest/gtest.h>

#include "hamel/manifold/spaces.hpp"

namespace hamel::test {
namespace {

// In a field along z with a harder axis: six equilibria of each.
Model directions(int n) {
  Model model("directions");
  const auto q = model.coordinates<S2>("q", n);
  for (const auto& one : q) {
    model.kinetic(0.5 * squared_norm(rate(one)));
    model.potential(one.x() * one.x() + 2.0 * one.y() * one.y() + 3.0 * one.z() * one.z());
  }
  return model;
}

TEST(EquilibriaSearch, FindsTheAxesOfAQuadraticForm) {
  const Equilibria all = equilibria(derive(directions(1)));
  EXPECT_EQ(all.found.size(), 6u);
  EXPECT_NE(all.remark.find("add up to 2, as they must"), std::string::npos) << all.remark;
}

TEST(EquilibriaSearch, CountsOnMoreSpheresThanAnIntHasBits) {
  EquilibriaOptions options;
  options.starts = 1;
  const Equilibria all = equilibria(derive(directions(31)), options);
  EXPECT_NE(all.remark.find("in place of 2147483648: some are missing"), std::string::npos) << all.remark;
}

// One is all there is: a charge is pushed away from another one that the sphere holds.
TEST(EquilibriaSearch, ClaimsNoOthersWhereAForceIsSingular) {
  Model model("charge");
  const auto q = model.coordinate<S2>("q");
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(1 / norm(q - unit_vector(2)));
  const Equilibria all = equilibria(derive(model));
  ASSERT_EQ(all.found.size(), 1U);
  EXPECT_NE(all.remark.find("1 in place of 2: some are missing, or a force is singular somewhere"), std::string::npos)
      << all.remark;
}

TEST(EquilibriaSearch, FindsFamiliesOfABodyThatHangs) {
  Model model("body");
  const auto R = model.coordinate("R", SO3());
  model.kinetic(0.5 * dot(omega(R), Formula(Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal())) * omega(R)));
  model.potential(-2.0 * (R * Formula(Eigen::Vector3d(0, 0, 1))).z());
  const Equilibria all = equilibria(derive(model));
  ASSERT_EQ(all.found.size(), 2u);
  EXPECT_EQ(all.found[0].stability.verdict, Verdict::stable_modulo_symmetry);
  EXPECT_EQ(all.found[0].stability.family, 1);
  EXPECT_EQ(all.found[1].stability.verdict, Verdict::unstable);
}

TEST(EquilibriaSearch, ProvesThatABodyInFreeFallHasNone) {
  Model model("stone");
  const auto x = model.coordinate("x", Rn(3));
  model.kinetic(0.5 * squared_norm(rate(x)));
  model.potential(9.81 * x.z());
  const Equilibria all = equilibria(derive(model));
  EXPECT_TRUE(all.found.empty());
  EXPECT_TRUE(all.is_complete);
  EXPECT_NE(all.remark.find("there is none"), std::string::npos) << all.remark;
}

}  // namespace
}  // namespace hamel::test
