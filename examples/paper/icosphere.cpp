#include "icosphere.hpp"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace hamel::two_spheres {
namespace {

using Triangle = std::array<std::size_t, 3>;

std::vector<Triangle> faces_of_icosahedron() {
  return {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
          {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
          {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
}

std::vector<Eigen::Vector3d> vertices_of_icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Eigen::Vector3d> vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                           {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Eigen::Vector3d& vertex : vertices) vertex.normalize();
  return vertices;
}

class Division {
 public:
  explicit Division(std::vector<Eigen::Vector3d>& vertices) : vertices_(vertices) {}
  std::size_t middle(std::size_t a, std::size_t b) {
    const auto [place, is_new] = middles_.try_emplace(std::minmax(a, b), vertices_.size());
    if (is_new) vertices_.push_back((vertices_[a] + vertices_[b]).normalized());
    return place->second;
  }

 private:
  std::vector<Eigen::Vector3d>& vertices_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> middles_;
};

}  // namespace

Icosphere icosphere(int divisions) {
  Icosphere result{vertices_of_icosahedron(), 0};
  std::vector<Triangle> faces = faces_of_icosahedron();
  for (int k = 0; k < divisions; ++k) {
    Division division(result.vertices);
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : faces) {
      const std::size_t ab = division.middle(a, b), bc = division.middle(b, c), ca = division.middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  for (const Triangle& face : faces)  // every edge is met from both sides
    for (std::size_t i = 0; i < 3; ++i)
      result.mean_edge += (result.vertices[face[i]] - result.vertices[face[(i + 1) % 3]]).norm();
  result.mean_edge /= 3 * static_cast<double>(faces.size());
  return result;
}

}  // namespace hamel::two_spheres
