#include <gtest/gtest.h>

#include <hamel/report/grasp.hpp>

#include "gallery/files.hpp"

namespace hamel::grasp_test {
namespace {

using Eigen::Vector3d;

struct Opened {
  ModelFile file;
  System system;
  State start;
  Grasp grasp;

  explicit Opened(const ModelFile& given)
      : file(given), system(derive(given.model)), start(start_of(given)), grasp(given) {}
  State start_of(const ModelFile& given) const {
    std::vector<std::string> remarks;
    return start_state(given, system, remarks);
  }
  std::size_t grip(const std::string& name) const {
    const std::vector<Grip> all = grasp.grips(start);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == name) return k;
    throw std::out_of_range("there is no grip " + name);
  }
};

Opened gallery(const std::string& id) { return Opened(test::gallery_model(id)); }

// What the command does with the entries, and the page when it reads its link again.
State started(const Opened& opened, const State& next) {
  const Overrides entries = start_entries(opened.file, opened.system, opened.start, next);
  return opened.start_of(parse_model(opened.file.text, "model.toml", {}, entries));
}

double defect(const System& system, const VectorXd& q) { return system.space().defect(q); }

TEST(Grasp, ABobGoesAsNearAsItsRodLetsIt) {
  const Opened opened = gallery("spherical-pendulum");
  const Vector3d to(0.3, -2, 1.1);
  const State next = opened.grasp.pulled(opened.system, opened.start, opened.grip("x"), to);
  // A least distance is flat: it tells places apart to the root of rounding.
  EXPECT_LT((next.q - to.normalized()).norm(), 1e-6) << next.q.transpose();
  EXPECT_LT(defect(opened.system, next.q), 1e-15);
}

TEST(Grasp, ASecondLinkTurnsAndTheFirstStays) {
  const Opened opened = gallery("double-spherical-pendulum");
  const std::vector<Grip> before = opened.grasp.grips(opened.start);
  const std::size_t first = opened.grip("x[1]"), second = opened.grip("x[2]");
  const Vector3d direction = Vector3d(0.2, 0.9, -0.4).normalized();
  const double length = (before[second].at - before[first].at).norm();
  const Vector3d to = before[first].at + length * direction;
  const State next = opened.grasp.pulled(opened.system, opened.start, second, to);
  const std::vector<Grip> after = opened.grasp.grips(next);
  EXPECT_LT((after[second].at - to).norm(), 1e-8);
  EXPECT_EQ(after[first].at, before[first].at);
}

TEST(Grasp, ABodyIsTurnedByTheShortestRotation) {
  const Opened opened = gallery("free-rigid-body-se3");
  const std::vector<Grip> before = opened.grasp.grips(opened.start);
  const auto axis = std::find_if(before.begin(), before.end(), [](const Grip& grip) { return grip.turns; });
  ASSERT_NE(axis, before.end());
  const Eigen::Map<const Eigen::Matrix3d> R(opened.start.q.data());
  const Vector3d center = opened.start.q.tail(3), arm = axis->at - center;
  const Eigen::AngleAxisd turn(0.7, arm.unitOrthogonal());
  const State next = opened.grasp.pulled(opened.system, opened.start, static_cast<std::size_t>(axis - before.begin()),
                                         center + turn * arm);
  const Eigen::Map<const Eigen::Matrix3d> turned(next.q.data());
  EXPECT_LT((turned - turn.toRotationMatrix() * R).norm(), 1e-7);
  EXPECT_EQ(next.q.tail(3), opened.start.q.tail(3));
  VectorXd before_rates(6), rates(6);
  opened.system.space().rates(opened.start.q, opened.start.v, before_rates);
  opened.system.space().rates(next.q, next.v, rates);
  EXPECT_LT((rates - before_rates).head(3).norm(), 1e-12) << "the body turns as it did";
}

TEST(Grasp, AFreePointGoesWhereItIsPulled) {
  const Opened opened = gallery("kepler-restricted-two-body");
  const std::vector<Grip> grips = opened.grasp.grips(opened.start);
  ASSERT_FALSE(grips.empty());
  const Vector3d to = grips[0].at + Vector3d(0.25, -0.5, 0);
  EXPECT_LT((opened.grasp.grips(opened.grasp.pulled(opened.system, opened.start, 0, to))[0].at - to).norm(), 1e-12);
}

TEST(Grasp, APushGivesTheVelocityThatTheManifoldAllows) {
  const Opened opened = gallery("spherical-pendulum");
  const std::size_t x = opened.grip("x");
  const State next = opened.grasp.pushed(opened.system, opened.start, x, {0.4, 1.5, -0.8});
  const Vector3d q = opened.start.q, wanted(0.4, 1.5, -0.8);
  EXPECT_LT((opened.grasp.grips(next)[x].velocity - (wanted - q * q.dot(wanted))).norm(), 1e-12);
  EXPECT_EQ(next.q, opened.start.q);
}

TEST(Grasp, AFieldSaysHowFastEverythingIs) {
  const Opened opened = gallery("kin-double-spherical-pendulum");
  ASSERT_FALSE(opened.grasp.grips(opened.start).empty());
  EXPECT_THROW(opened.grasp.pushed(opened.system, opened.start, 0, Vector3d::Ones()), std::invalid_argument);
}

TEST(Grasp, WhatIsNoGripOrNoPlaceIsRefused) {
  const Opened opened = gallery("spherical-pendulum");
  EXPECT_THROW(opened.grasp.pulled(opened.system, opened.start, 99, Vector3d::Ones()), std::invalid_argument);
  EXPECT_THROW(opened.grasp.pulled(opened.system, opened.start, 0, Vector3d::Constant(std::nan(""))),
               std::invalid_argument);
}

// S1, S2, SO3, SE3, Rn, constraints, a Hamiltonian with momenta: pulled and pushed, then started as the command does.
class GraspEverywhere : public testing::TestWithParam<const char*> {};

TEST_P(GraspEverywhere, TheMotionStartsThereOnTheManifold) {
  const Opened opened = gallery(GetParam());
  const std::size_t count = opened.grasp.grips(opened.start).size();
  ASSERT_GT(count, 0u);
  for (std::size_t k = 0; k < std::min<std::size_t>(count, 4); ++k) {
    const Vector3d at = opened.grasp.grips(opened.start)[k].at;
    State next = opened.grasp.pulled(opened.system, opened.start, k, at + Vector3d(0.13, -0.21, 0.34));
    const State pulled = started(opened, next);
    EXPECT_LT(defect(opened.system, pulled.q), 1e-12) << k;
    EXPECT_GT((pulled.q - opened.start.q).norm(), 1e-3) << k;
    if (opened.system.constraints() == 0) {
      EXPECT_LT((pulled.q - next.q).norm(), 1e-12) << k;
      EXPECT_LT((pulled.v - next.v).norm(), 1e-12 * (1 + next.v.norm())) << k;
    }
    next = opened.grasp.pushed(opened.system, next, k, Vector3d(0.3, 0.1, -0.2));
    const State pushed = started(opened, next);
    EXPECT_LT(defect(opened.system, pushed.q), 1e-12) << k;
    if (opened.system.constraints() > 0) continue;
    EXPECT_LT((pushed.v - next.v).norm(), 1e-12 * (1 + next.v.norm())) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, GraspEverywhere,
                         testing::Values("double-planar-pendulum", "double-spherical-pendulum", "heavy-top",
                                         "free-rigid-body-se3", "chain-pendulum-on-cart", "furuta-pendulum",
                                         "holonomic-multiplier-system", "kepler-restricted-two-body"),
                         [](const auto& model) { return test::test_name(model.param); });

}  // namespace
}  // namespace hamel::grasp_test
