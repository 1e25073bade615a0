// What a factor is made of: the types in which factors speak, and what holds for a factor unless it says otherwise.
//
// A factor is a class whose functions are templates on the scalar T, so that one text gives numbers (double,
// long double) and formulas (Expr). Where a function must branch on values it asks for a Number.
#pragma once

#include <concepts>
#include <string>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

template <class T>
using InOf = const Eigen::Ref<const VectorX<T>>&;
template <class T>
using OutOf = Eigen::Ref<VectorX<T>>;
template <class T>
using OutMatrixOf = Eigen::Ref<MatrixX<T>>;

template <class T>
concept Number = std::floating_point<T>;

struct FactorDefaults {
  bool has_constraints() const { return false; }
  bool has_formulas() const { return true; }
  bool has_retraction_formula() const { return true; }
  bool has_exponential() const { return true; }
  bool is_flat() const { return false; }
  bool is_unit_sphere() const { return false; }
  Turning turning() const { return Turning::none; }
  std::vector<Manifold> parts() const { return {}; }       // none: itself
  std::vector<RateName> rate_names() const { return {}; }  // none: xi
  Generators generators() const { return {}; }             // of groups of matrices and of orbits
};

}  // namespace hamel
