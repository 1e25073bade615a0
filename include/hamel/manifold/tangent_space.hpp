// The tangent space of a product of manifolds with constraints, by a basis of each factor and a few normals.
//
// v = N y: N has a block for each factor, and y leaves the constraints alone. Nothing is a matrix of all directions.
#pragma once

#include <vector>

#include "hamel/linear/normals.hpp"
#include "hamel/linear/sparse_rows.hpp"
#include "hamel/manifold/manifold.hpp"

namespace hamel {

class TangentSpace {
 public:
  // Rows have the sizes of `sizes`.
  TangentSpace(const std::vector<Manifold>& spaces, const std::vector<int>& offsets, In q, const VectorXd& sizes);
  // Takes the directions away that change functions with these derivatives.
  void constrain(const linear::SparseRows& slopes);

  Eigen::Index directions() const { return begin_.back(); }  // of the factors; constraints leave fewer
  VectorXd vector(const VectorXd& y) const;                  // N y
  VectorXd along(const VectorXd& covector) const;            // N^T covector
  void project(VectorXd& y) const { normals_.remove_from(y); }
  const linear::Normals& normals() const { return normals_; }  // of what constrains
  VectorXd sizes(const VectorXd& y) const;                     // |N| |y|
  // By the least y that changes the functions so.
  VectorXd shortest(const VectorXd& change) const { return normals_.shortest(change); }

 private:
  std::vector<int> offsets_;
  std::vector<Eigen::Index> begin_{0};  // of the directions of each factor
  std::vector<MatrixXd> bases_;
  linear::Normals normals_;
};

}  // namespace hamel
