// The tangent spaces of a product of manifolds, in numbers: basis N, curvature term gamma of q'' = N a + gamma,
// projector P and its rate along the motion.
//
// All of it follows from what a factor says of itself: its constraints c(q) = 0 or its basis q' = B(q) xi.
//   by constraints:  gamma = -C^+ C' v,       P' = -(C^+ C' P) - (C^+ C' P)^T
//   by basis:        gamma = B' B^+ v,        P' = (I - P) B' B^+ + ((I - P) B' B^+)^T
#pragma once

#include <vector>

#include "hamel/derive/kernel.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

class Geometry {
 public:
  Geometry(const Model& model, const LoweredModel& lowered);

  struct Workspace {
    VectorXd values, scratch;
    std::vector<MatrixXd> frame, frame_rate;  // per factor: C and C', or B and B'
    std::vector<MatrixXd> N;                  // orthonormal tangent basis of each factor
    VectorXd normal, xi, combined, pulled;    // of the largest factor
  };
  Workspace workspace() const;

  int ambient() const { return offsets_.back(); }
  int dimension() const { return dimensions_.back(); }
  int factors() const { return static_cast<int>(spaces_.size()); }
  const Manifold& space() const { return product_; }  // of all factors
  const std::vector<Manifold>& spaces() const { return spaces_; }
  const std::vector<int>& offsets() const { return offsets_; }
  const Manifold& space(int f) const { return spaces_[static_cast<std::size_t>(f)]; }
  int offset(int f) const { return offsets_[static_cast<std::size_t>(f)]; }
  int tangent_offset(int f) const { return dimensions_[static_cast<std::size_t>(f)]; }
  int rates_offset(int f) const { return rates_[static_cast<std::size_t>(f)]; }
  int rates() const { return rates_.back(); }

  // A random state, always the same, to try programs at.
  const VectorXd& trial_point() const { return trial_point_; }
  const VectorXd& trial_tangent() const { return trial_tangent_; }

  // Natural coordinates of a tangent vector (derivatives.hpp): ambient ones, or rates of factors that have a basis.
  VectorXd natural_coordinates(In q, In tangent) const;

  void bases(In q, Workspace& w) const;           // w.N at q
  void evaluate(In q, In v, Workspace& w) const;  // w.frame and w.frame_rate
  bool is_given_by_basis(int f) const { return by_basis_[static_cast<std::size_t>(f)]; }
  void curvature(In q, In v, Workspace& w, Out gamma) const;            // needs no bases
  void projected_rate(In q, In v, In p, Workspace& w, Out rate) const;  // P' p
  void basis_rate(In q, In v, In p, Workspace& w,
                  Out rate) const;  // B'^T p, the rates of the factors one after another

 private:
  void projected_rate_by_basis(int f, In q, In p, Workspace& w, Out rate) const;

  Manifold product_;
  std::vector<Manifold> spaces_;
  std::vector<int> offsets_{0}, dimensions_{0}, rates_{0};
  std::vector<bool> by_basis_;
  Kernel frames_;       // (q, v) -> frames and their rates
  Kernel basis_rates_;  // (q, v, p) -> B'^T p
  VectorXd trial_point_, trial_tangent_;
};

}  // namespace hamel
