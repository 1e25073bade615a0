// How a factor becomes a Manifold: the interface all of them are wrapped into, and the wrapping.
//
// The factors of this folder are wrapped once, in the library; include this header to wrap one of your own. It needs
// the functions called below, most of which may be templates on the scalar (see factor.hpp); s2.hpp is a short example.
#pragma once

#include <fmt/core.h>

#include <stdexcept>

#include "hamel/manifold/factor.hpp"

namespace hamel {

class Manifold::Concept {
 public:
  struct Size {
    int ambient, dimension, rates;
    std::pair<int, int> shape;
  };
  struct Character {
    Turning turning = Turning::none;
    bool is_flat = false, is_unit_sphere = false;
    std::vector<RateName> rate_names = {};
  };
  Concept(std::string name_, Size size_) : Concept(std::move(name_), size_, Character()) {}
  Concept(std::string name_, Size size_, Character character_)
      : name(std::move(name_)), size(size_), character(std::move(character_)) {}
  virtual ~Concept() = default;

  const std::string name;
  const Size size;
  const Character character;

  virtual std::vector<Manifold> factors() const { return {}; }  // empty: not a product
  virtual std::vector<Manifold> parts() const { return {}; }    // empty: itself
  virtual Generators generators() const { return {}; }
  virtual double defect(In q) const = 0;
  virtual std::string defect_formula() const = 0;
  virtual void project(In x, Out q) const = 0;
  virtual void tangent_project(In q, In v, Out w) const = 0;
  virtual void tangent_basis(In q, OutMatrix N) const = 0;
  virtual void velocity(In q, In xi, Out v) const = 0;
  virtual void rates(In q, In v, Out xi) const = 0;
  virtual void rates_of_acceleration(In q, In v, In a, Out xi_dot) const = 0;
  virtual void covector_to_rates(In q, In p, Out pi) const = 0;
  virtual void retract(In q, In v, Out result) const = 0;
  virtual void inverse_retract(In q, In other, Out v) const = 0;
  virtual bool has_exponential() const = 0;
  virtual void exponential(In q, In v, Out result) const = 0;
  virtual void logarithm(In q, In other, Out v) const = 0;
  virtual double injectivity_radius() const = 0;
  virtual VectorXd random_point(Random& random) const = 0;
  virtual VectorXd reference_point() const = 0;
  virtual std::vector<AffineField> symmetries() const = 0;

  using InExpr = InOf<Expr>;
  using OutExpr = OutOf<Expr>;
  virtual bool has_constraints() const = 0;
  virtual bool has_constraint_formula() const { return has_constraints(); }
  virtual VectorXe constraints(InExpr q) const = 0;
  virtual bool has_formulas() const = 0;
  virtual void velocity(InExpr q, InExpr xi, OutExpr v) const = 0;
  virtual void curvature(InExpr q, InExpr v, OutExpr result) const = 0;
  virtual void curvature_of_rates(InExpr q, InExpr xi, OutExpr result) const = 0;
  virtual void tangent_project(InExpr q, InExpr v, OutExpr w) const = 0;
  virtual bool has_rates_formula() const { return false; }
  virtual void rates_of_acceleration(InExpr, InExpr, InExpr, OutExpr) const { refuse("rates_formula"); }
  virtual bool has_group_rates() const { return false; }
  virtual VectorXe group_rates(InExpr, InExpr) const { refuse("group_rates"); }
  virtual bool has_retraction_formula() const = 0;
  virtual void retract_by_rates(InExpr q, InExpr xi, OutExpr result) const = 0;

 protected:
  [[noreturn]] void refuse(const char* what) const {
    throw std::invalid_argument(fmt::format("{} has no {}; ask has_{}() first", name, what, what));
  }
};

template <class Factor>
class WrappedFactor final : public Manifold::Concept {
 public:
  explicit WrappedFactor(Factor factor)
      : Concept(factor.name(), {factor.ambient(), factor.dimension(), factor.rates(), factor.shape()},
                {factor.turning(), factor.is_flat(), factor.is_unit_sphere(), factor.rate_names()}),
        factor_(std::move(factor)) {}

  std::vector<Manifold> parts() const override { return factor_.parts(); }
  Generators generators() const override { return factor_.generators(); }
  double defect(In q) const override { return factor_.defect(q); }
  std::string defect_formula() const override { return factor_.defect_formula(); }
  void project(In x, Out q) const override { factor_.project(x, q); }
  void tangent_project(In q, In v, Out w) const override { factor_.tangent_project(q, v, w); }
  void tangent_basis(In q, OutMatrix N) const override { factor_.tangent_basis(q, N); }
  void velocity(In q, In xi, Out v) const override { factor_.velocity(q, xi, v); }
  void rates(In q, In v, Out xi) const override { factor_.rates(q, v, xi); }
  void rates_of_acceleration(In q, In v, In a, Out xi_dot) const override {
    factor_.rates_of_acceleration(q, v, a, xi_dot);
  }
  void covector_to_rates(In q, In p, Out pi) const override { factor_.covector_to_rates(q, p, pi); }
  void retract(In q, In v, Out result) const override { factor_.retract(q, v, result); }
  void inverse_retract(In q, In other, Out v) const override { factor_.inverse_retract(q, other, v); }

  bool has_exponential() const override { return factor_.has_exponential(); }
  void exponential([[maybe_unused]] In q, [[maybe_unused]] In v, [[maybe_unused]] Out result) const override {
    if constexpr (requires { factor_.exponential(q, v, result); })
      factor_.exponential(q, v, result);
    else
      refuse("exponential");
  }
  void logarithm([[maybe_unused]] In q, [[maybe_unused]] In other, [[maybe_unused]] Out v) const override {
    if constexpr (requires { factor_.logarithm(q, other, v); })
      factor_.logarithm(q, other, v);
    else
      refuse("exponential");
  }
  double injectivity_radius() const override {
    if constexpr (requires { factor_.injectivity_radius(); })
      return factor_.injectivity_radius();
    else
      refuse("exponential");
  }

  VectorXd random_point(Random& random) const override { return factor_.random_point(random); }
  VectorXd reference_point() const override { return factor_.reference_point(); }
  std::vector<AffineField> symmetries() const override { return factor_.symmetries(); }

  bool has_constraints() const override { return factor_.has_constraints(); }
  bool has_constraint_formula() const override {
    return requires(const Factor& f, InExpr q) { f.constraints(q); };
  }
  VectorXe constraints([[maybe_unused]] InExpr q) const override {
    if constexpr (requires { factor_.constraints(q); })
      return factor_.constraints(q);
    else
      refuse("constraints");
  }
  bool has_formulas() const override { return factor_.has_formulas(); }
  void velocity(InExpr q, InExpr xi, OutExpr v) const override {
    if (!has_formulas()) refuse("formulas");
    factor_.velocity(q, xi, v);
  }
  void curvature(InExpr q, InExpr v, OutExpr result) const override {
    if (!has_formulas()) refuse("formulas");
    factor_.curvature(q, v, result);
  }
  void curvature_of_rates(InExpr q, InExpr xi, OutExpr result) const override {
    if (!has_formulas()) refuse("formulas");
    if constexpr (requires { factor_.curvature_of_rates(q, xi, result); }) {
      factor_.curvature_of_rates(q, xi, result);
    } else {
      VectorXe v(size.ambient);
      factor_.velocity(q, xi, OutExpr(v));
      factor_.curvature(q, Eigen::Ref<const VectorXe>(v), result);
    }
  }
  void tangent_project(InExpr q, InExpr v, OutExpr w) const override {
    if (!has_formulas()) refuse("formulas");
    factor_.tangent_project(q, v, w);
  }
  bool has_rates_formula() const override {
    return has_formulas() && requires(const Factor& f, InExpr q, OutExpr rates) {
      f.rates_of_acceleration(q, q, q, rates);
    };
  }
  void rates_of_acceleration([[maybe_unused]] InExpr q, [[maybe_unused]] InExpr v, [[maybe_unused]] InExpr a,
                             [[maybe_unused]] OutExpr xi_dot) const override {
    if constexpr (requires { factor_.rates_of_acceleration(q, v, a, xi_dot); })
      factor_.rates_of_acceleration(q, v, a, xi_dot);
    else
      refuse("rates_formula");
  }
  bool has_group_rates() const override {
    return requires(const Factor& f, InExpr q) { f.group_rates(q, q); };
  }
  VectorXe group_rates([[maybe_unused]] InExpr q, [[maybe_unused]] InExpr v) const override {
    if constexpr (requires { factor_.group_rates(q, v); })
      return factor_.group_rates(q, v);
    else
      refuse("group_rates");
  }
  bool has_retraction_formula() const override { return factor_.has_retraction_formula(); }
  void retract_by_rates([[maybe_unused]] InExpr q, [[maybe_unused]] InExpr xi,
                        [[maybe_unused]] OutExpr result) const override {
    if constexpr (requires { factor_.retract_by_rates(q, xi, result); })
      factor_.retract_by_rates(q, xi, result);
    else
      refuse("retraction_formula");
  }

 private:
  Factor factor_;
};

template <class Factor>
requires(!std::is_same_v<std::decay_t<Factor>, Manifold> &&
         !std::is_convertible_v<Factor, std::shared_ptr<const Manifold::Concept>>) Manifold::Manifold(Factor factor)
    : self_(std::make_shared<const WrappedFactor<Factor>>(std::move(factor))) {}

}  // namespace hamel
