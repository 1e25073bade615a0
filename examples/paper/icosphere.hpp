// An icosahedron whose triangles are divided into four, again and again, on the sphere: 12, 42, 162, 642, ... vertices.
#pragma once

#include <Eigen/Geometry>
#include <vector>

namespace hamel::two_spheres {

struct Icosphere {
  std::vector<Eigen::Vector3d> vertices;
  double mean_edge;
};
Icosphere icosphere(int divisions);

}  // namespace hamel::two_spheres
