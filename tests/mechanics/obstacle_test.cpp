// What keeps a space from the sparse path is said as it is.
#include <gtest/gtest.h>

#include "hamel/manifold/spaces.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel::test::obstacle_test {
namespace {

std::string reason(const Manifold& space) {
  Model model("particle");
  const Formula q = model.coordinate("q", space);
  model.kinetic(trace(transpose(rate(q)) * rate(q)) / 2);
  return derive(model).path_reason();
}

TEST(Obstacle, IsWhatTheSpaceLacks) {
  const Eigen::Matrix3d about_z{{0, -1, 0}, {1, 0, 0}, {0, 0, 0}}, about_x{{0, 0, 0}, {0, 0, -1}, {0, 1, 0}},
      about_y{{0, 0, 1}, {0, 0, 0}, {-1, 0, 0}};
  const Homogeneous orbit({about_x, about_y, about_z}, Eigen::Vector3d(0, 0, 1), "orbit");
  EXPECT_EQ(reason(SE2()), "SE2 has no formula for its retraction");
  EXPECT_EQ(reason(orbit), "orbit has 3 quasi-velocities, more than its dimension 2");
  for (const Manifold& space : {Manifold(Rn(3)), Manifold(S2()), Manifold(SO3()), Manifold(Stiefel(3, 2))})
    EXPECT_EQ(reason(space), "the mass matrix is constant in the ambient coordinates and points") << space.name();
}

}  // namespace
}  // namespace hamel::test::obstacle_test
