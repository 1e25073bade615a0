// The tangent space of a product of manifolds with constraints, by a basis of each factor and a few normals.
//
// v = N (y - Q Q^T y): N has a block for each factor, Q the directions in which the constraints change. Neither is ever
// a matrix of all directions.
#pragma once

#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

// Orthonormal vectors, one after the other.
class OrthonormalVectors {
 public:
  // Adds what is left of `vector` beside the others; false where this is less than `least`.
  bool add(VectorXd vector, double least);
  void remove_from(VectorXd& y) const;

 private:
  std::vector<VectorXd> directions_;
};

class TangentSpace {
 public:
  // Rows have the sizes of `sizes`.
  TangentSpace(const std::vector<Manifold>& spaces, const std::vector<int>& offsets, In q, const VectorXd& sizes);
  // Takes the directions away that change a function with these derivatives, row by row.
  void constrain(const MatrixXd& slopes);

  Eigen::Index directions() const { return begin_.back(); }  // of the factors; constraints leave fewer
  VectorXd vector(const VectorXd& y) const;                  // N y
  VectorXd along(const VectorXd& covector) const;            // N^T covector
  void project(VectorXd& y) const { normals_.remove_from(y); }
  VectorXd sizes(const VectorXd& y) const;  // |N| |y|

 private:
  std::vector<int> offsets_;
  std::vector<Eigen::Index> begin_{0};  // of the directions of each factor
  std::vector<MatrixXd> bases_;
  OrthonormalVectors normals_;
};

}  // namespace hamel
