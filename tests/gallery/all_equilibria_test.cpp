// All equilibria of the systems of the texts: how many, how they lie together, and what becomes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gallery/files.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "message.hpp"

namespace hamel::test::all_equilibria_test {
namespace {

Equilibria found_of(const std::string& id, const Overrides& overrides = {}) {
  const ModelFile file = gallery_model(id, overrides);
  const System system = derive(file.model);
  EquilibriaOptions options;
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& claim : examine_equilibria(file, system, remarks))
    options.known.emplace_back(claim.name, claim.state.q);
  return equilibria(system, options);
}

int count(const Equilibria& all, Verdict verdict) {
  return static_cast<int>(std::count_if(all.found.begin(), all.found.end(),
                                        [&](const Equilibrium& one) { return one.stability.verdict == verdict; }));
}

struct Row {
  const char* place;
  const char* id;
  int number, unstable;
  std::vector<int> families;  // dimensions that occur
  bool is_complete;           // enumerated or proved
};

// "unstable" are those that the text, or its correction, calls so; "inconclusive" of the text is stable modulo
// symmetry.
const std::vector<Row> rows = {
    {"1.3.5.1", "vf-s1-sine", 2, 1, {0}, false},
    {"1.3.5.2", "vf-s2-sine", 2, 1, {0}, false},
    {"1.3.5.3", "vf-so3-attitude", 2, 1, {0, 2}, false},
    {"1.3.5.4", "vf-s1-dae1", 2, 1, {0}, false},
    {"1.3.5.5", "vf-ts1-dae2", 2, 1, {0}, true},
    {"3.7.1", "particle-uniform-gravity", 0, 0, {}, true},
    {"3.7.1.5", "particle-uniform-gravity-drag", 1, 0, {3}, false},  // at terminal velocity; none at rest
    {"3.7.2", "particle-inclined-plane", 0, 0, {}, true},
    {"3.7.3", "particle-hyperbolic-paraboloid", 1, 1, {0}, false},
    {"3.7.4", "kepler-restricted-two-body", 0, 0, {}, false},
    {"4.6.1", "planar-pendulum", 2, 1, {0}, true},
    {"4.6.2", "particle-rotating-hoop", 4, 2, {0}, false},
    {"4.6.3", "two-elastic-planar-pendulums", 2, 1, {1}, false},
    {"4.6.4", "double-planar-pendulum", 4, 3, {0}, true},
    {"4.6.5", "particle-on-torus", 2, 1, {1}, false},
    {"4.6.6", "furuta-pendulum", 2, 1, {1}, false},
    {"4.6.7", "revolute-robot-3d", 4, 3, {1}, false},
    {"5.6.1", "spherical-pendulum", 2, 1, {0}, true},
    {"5.6.2", "particle-rotating-sphere", 3, 2, {0, 1}, false},
    {"5.6.3", "spherical-pendulum-three-strings", 8, 6, {0}, false},
    {"5.6.4", "two-elastic-spherical-pendulums", 2, 1, {2}, false},
    {"5.6.5", "double-spherical-pendulum", 4, 3, {0}, true},
    {"6.6.1", "free-rigid-body-so3", 1, 0, {3}, false},
    {"6.6.2", "pendulum-3d", 2, 1, {1}, false},
    {"6.6.3", "rigid-body-circular-orbit", 24, 20, {0}, false},
    {"6.6.4", "rigid-body-planar-pendulum", 4, 2, {0}, false},  // two on each of the two components
    {"7.6.1", "rigid-body-gravity-se3", 0, 0, {}, true},
    {"7.6.1", "free-rigid-body-se3", 1, 0, {6}, false},
    {"7.6.2", "rigid-body-single-elastic-support", 4, 3, {1}, false},
    {"9.1", "planar-slider-crank", 4, 2, {0}, false},
    {"9.2", "horizontal-pendulum-on-cart", 1, 0, {3}, false},
    {"9.3", "planar-spherical-pendulum", 4, 3, {0}, true},
    {"9.4", "spherical-pendulum-on-cart", 2, 1, {2}, true},
    {"9.5", "rotating-body-with-appendage", 1, 0, {3}, false},
    {"9.6", "3d-pendulum-on-cart", 2, 1, {3}, false},
    {"9.7", "two-bodies-common-point", 1, 0, {9}, false},
    {"9.8", "free-body-with-appendage", 1, 0, {6}, false},
    {"9.10", "spacecraft-reaction-wheels", 1, 0, {9}, false},
    {"9.11", "spacecraft-cmg", 1, 0, {5}, false},
    {"10.2", "chain-pendulum", 1024, 1023, {0}, true},
    {"10.3", "chain-pendulum-on-cart", 32, 31, {2}, true},
    {"10.4", "free-free-chain", 0, 0, {}, true},
    {"8.3.2", "coupled-s1-n", 8, 7, {0}, false},  // one of them degenerate
};

class AllEquilibria : public testing::TestWithParam<Row> {};

TEST_P(AllEquilibria, AreFound) {
  const Row& row = GetParam();
  const Equilibria all = found_of(row.id);
  EXPECT_EQ(static_cast<int>(all.found.size()), row.number) << all.remark;
  EXPECT_EQ(count(all, Verdict::unstable), row.unstable);
  EXPECT_EQ(count(all, Verdict::inconclusive), 0);
  EXPECT_EQ(all.is_complete, row.is_complete) << all.remark;
  std::set<int> families;
  std::set<std::string> names;
  for (const Equilibrium& one : all.found) {
    families.insert(one.stability.family);
    names.insert(one.name);
    EXPECT_LE(one.linear.imbalance, 1e-9) << one.name;
  }
  EXPECT_EQ(std::vector<int>(families.begin(), families.end()), row.families);
  EXPECT_EQ(names.size(), all.found.size()) << "each has a name of its own";
  EXPECT_EQ(all.remark.find("some are missing"), std::string::npos) << all.remark;
}

INSTANTIATE_TEST_SUITE_P(Texts, AllEquilibria, testing::ValuesIn(rows),
                         [](const auto& chosen) { return test_name(chosen.param.id); });

TEST(AllEquilibriaOf, AChainAreAllSigns) {
  const Equilibria all = found_of("chain-pendulum", {{"n", "10"}});
  EXPECT_EQ(all.found.size(), 1024u);
  EXPECT_TRUE(all.is_complete);
  EXPECT_EQ(count(all, Verdict::stable), 1);
  EXPECT_EQ(count(all, Verdict::unstable), 1023);
  EXPECT_EQ(all.found.front().name, "hanging");
  EXPECT_EQ(all.found.back().name, "inverted");
  ASSERT_NE(all.find("+-+-+-+-+-"), nullptr);
  ASSERT_NE(all.find("----------"), nullptr);
  EXPECT_EQ(all.find("----------")->name, "hanging");
  EXPECT_EQ(all.find("upright"), nullptr);
}

TEST(AllEquilibriaOf, ABodyInOrbitAreStableInTheOrderOfLagrange) {
  const Equilibria all = found_of("rigid-body-circular-orbit");
  EXPECT_EQ(count(all, Verdict::stable), 4);
  EXPECT_NE(all.remark.find("as they must"), std::string::npos) << all.remark;
}

// De Bra and Delp's region, (J2 - J3)/J1 = -0.05 and (J2 - J1)/J3 = -0.9: K has two negative directions, and yet no
// eigenvalue is to the right.
TEST(AllEquilibriaOf, ABodyInOrbitCanBeGyroscopicallyStabilized) {
  const Equilibria all = found_of("rigid-body-circular-orbit", {{"J", "diag(1, 0.502632, 0.552632)"}});
  EXPECT_EQ(all.found.size(), 24u);
  for (const Equilibrium& one : all.found)
    if (one.stability.verdict == Verdict::inconclusive) {
      EXPECT_EQ(one.stability.stiffness->negative, 2) << one.stability.reason;
      EXPECT_NE(one.stability.reason.find("gyroscopic"), std::string::npos);
    }
  EXPECT_EQ(count(all, Verdict::stable), 4);
  EXPECT_EQ(count(all, Verdict::inconclusive), 4);
}

TEST(AllEquilibriaOf, ABlockOnSpringsHaveOneThatIsStable) {
  const Equilibria all = found_of("elastically-supported-rigid-body");
  EXPECT_GE(all.found.size(), 15u);
  EXPECT_EQ(count(all, Verdict::stable), 1);
  EXPECT_EQ(all.found.front().name, "level");
}

// Of an elastic rod that is clamped horizontally one is stable: it sags. The angles are those of 80 digits.
TEST(AllEquilibriaOf, ARodThatSags) {
  const Equilibria all = found_of("fixed-free-elastic-rod");
  ASSERT_GE(all.found.size(), 2u);
  EXPECT_EQ(count(all, Verdict::stable), 1);
  const VectorXd& q = all.found.front().linear.at.q;
  EXPECT_NEAR(q(0), 0.9706826976878, 1e-11);
  EXPECT_NEAR(q(27), 0.6549427294174, 1e-11);
  EXPECT_NEAR(q(29), -0.7556785170846, 1e-11);
}

// Weights that are all different leave of the half turns only those about the axes.
TEST(AllEquilibriaOf, AnAttitudeWithWeightsAreThoseOfTheText) {
  const Equilibria all = found_of("vf-so3-attitude", {{"a", "[1, 2, 3]"}});
  EXPECT_EQ(all.found.size(), 4u);
  EXPECT_EQ(count(all, Verdict::asymptotically_stable), 1);
  EXPECT_EQ(count(all, Verdict::unstable), 3);
}

TEST(AllEquilibriaOf, ForcesThatDependOnTimeAreNone) {
  const Equilibria all = found_of("chain-pendulum-controlled");
  EXPECT_TRUE(all.found.empty());
  EXPECT_NE(all.remark.find("depend on time"), std::string::npos);
}

// The texts say that there are none (7.6.3, 9.9), and mean bodies that are apart: where mass points of one are between
// those of the other they do balance, and are unstable.
TEST(AllEquilibriaOf, BodiesThatAttractEachOtherAreInsideOneAnother) {
  for (const Equilibrium& one : found_of("full-body-problem").found) {
    EXPECT_EQ(one.stability.verdict, Verdict::unstable);
    EXPECT_LT((one.linear.at.q.segment(9, 3) - one.linear.at.q.segment(21, 3)).norm(), 0.5);
  }
  const Equilibria dumbbell = found_of("dumbbell-satellite");
  ASSERT_EQ(dumbbell.found.size(), 1u);
  EXPECT_EQ(dumbbell.found[0].stability.verdict, Verdict::unstable);
  EXPECT_LE(dumbbell.found[0].linear.at.q.tail(3).norm(), 1e-9);
}

TEST(AllEquilibriaOf, AreTheSameInEveryRun) {
  const Equilibria one = found_of("spherical-pendulum-three-strings"),
                   other = found_of("spherical-pendulum-three-strings");
  ASSERT_EQ(one.found.size(), other.found.size());
  for (std::size_t k = 0; k < one.found.size(); ++k) EXPECT_EQ(one.found[k].linear.at.q, other.found[k].linear.at.q);
}

// A stable attitude may be asked for where it is not: how far off it is, and where one is.
TEST(AllEquilibriaOf, APointBesideOneIsRefusedWithIt) {
  const System system = derive(from_gallery("spherical-pendulum"));
  const Eigen::Vector3d near(0.06, 0, -std::sqrt(1 - 0.0036));
  const std::string message = message_of<std::domain_error>([&] { linearize(system, {0, near, VectorXd::Zero(3)}); });
  EXPECT_NE(message.find("not in equilibrium"), std::string::npos) << message;
  EXPECT_NE(message.find("distance of 0.06"), std::string::npos) << message;
}

}  // namespace
}  // namespace hamel::test::all_equilibria_test
