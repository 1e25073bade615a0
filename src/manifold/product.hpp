// The product of any number of factors, side by side: points, tangent vectors and rates are concatenated.
//
// Products of products are flattened. Everything costs what the factors cost; only tangent_basis and basis, being
// matrices of the whole space, cost its square. product() is declared in manifold.hpp.
#pragma once

#include "hamel/manifold/any_manifold.hpp"

namespace hamel {

class Product final : public Manifold::Concept {
 public:
  explicit Product(std::vector<Manifold> factors);  // none of them a product

  std::vector<Manifold> factors() const override { return factors_; }
  double defect(In q) const override;
  std::string defect_formula() const override;
  void project(In x, Out q) const override;
  void tangent_project(In q, In v, Out w) const override;
  void tangent_basis(In q, OutMatrix N) const override;
  void velocity(In q, In xi, Out v) const override;
  void rates(In q, In v, Out xi) const override;
  void rates_of_acceleration(In q, In v, In a, Out xi_dot) const override;
  void covector_to_rates(In q, In p, Out pi) const override;
  void retract(In q, In v, Out result) const override;
  void inverse_retract(In q, In other, Out v) const override;
  bool has_exponential() const override;
  void exponential(In q, In v, Out result) const override;
  void logarithm(In q, In other, Out v) const override;
  double injectivity_radius() const override;
  VectorXd random_point(Random& random) const override;
  VectorXd reference_point() const override;
  std::vector<AffineField> symmetries() const override;  // those of each factor

  bool has_constraints() const override;
  VectorXe constraints(InExpr q) const override;
  bool has_formulas() const override;
  void velocity(InExpr q, InExpr xi, OutExpr v) const override;
  void curvature(InExpr q, InExpr v, OutExpr result) const override;
  void curvature_of_rates(InExpr q, InExpr xi, OutExpr result) const override;
  void tangent_project(InExpr q, InExpr v, OutExpr w) const override;
  bool has_retraction_formula() const override;
  void retract_by_rates(InExpr q, InExpr xi, OutExpr result) const override;

 private:
  struct Slot {  // where the coordinates of a factor begin
    const Concept* factor;
    int point, tangent, rate;

    template <class V>
    auto of_point(V& x) const {
      return x.segment(point, factor->size.ambient);
    }
    template <class V>
    auto of_rates(V& x) const {
      return x.segment(rate, factor->size.rates);
    }
  };
  template <class Test>
  bool all(Test test) const;

  std::vector<Manifold> factors_;
  std::vector<Slot> slots_;
};

}  // namespace hamel
