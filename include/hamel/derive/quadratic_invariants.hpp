// What a step must not change: the quadratic functions c(q) = q.A q/2 + b.q + const of the ambient space whose zeros
// are spheres and rotations, such as q.q - 1 and the entries of R^T R - I. Over a step from q0 to q1 = q0 + way,
//
//   c(q1) - c(q0) = grad c((q0 + q1)/2) . way,     exactly.
#pragma once

#include <utility>
#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

struct QuadraticInvariant {
  struct Entry {
    int row, col;
    double value;
  };
  std::vector<Entry> curvature;               // A, both of its triangles
  std::vector<std::pair<int, double>> slope;  // b
  double steepness = 0;                       // |grad c|^2 on the manifold

  template <class Vector>
  auto change(const Vector& middle, const Vector& way) const {
    typename Vector::Scalar sum = 0;
    for (const auto& [i, j, value] : curvature) sum += value * (way(i) * middle(j));
    for (const auto& [i, value] : slope) sum += value * way(i);
    return sum;
  }

  // Moves q such that c becomes smaller by `excess`, which is small.
  void lower(double excess, const VectorXd& q, VectorXd& move) const {
    const double factor = -excess / steepness;
    for (const auto& [i, j, value] : curvature) move(i) += factor * value * q(j);
    for (const auto& [i, value] : slope) move(i) += factor * value;
  }
};

// Those of a factor whose coordinates begin at `offset`. None where they are not quadratic, or where their gradients
// are not orthogonal and of constant lengths on the manifold: then one could not be moved without the others.
std::vector<QuadraticInvariant> quadratic_invariants(const Manifold& space, int offset);

}  // namespace hamel
