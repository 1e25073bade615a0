// Points of a manifold that is known only through its projection.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

inline VectorXd normal_vector(int n, Random& random) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

// More equations than the n^2 + n unknowns of an affine field.
inline int samples_for_affine_fields(int n) { return n * n + n + 10; }

// Projects x if that works.
template <class Factor>
bool try_project(const Factor& factor, const VectorXd& x, VectorXd& q) {
  q.resize(x.size());
  try {
    factor.project(x, q);
  } catch (const std::exception&) {
    return false;
  }
  return q.allFinite() && factor.defect(q) <= 1e-9;
}

// The projection of a normally distributed point, or of a further one should that have none.
template <class Factor>
VectorXd random_projected(const Factor& factor, Random& random, const std::string& name) {
  constexpr int most_trials = 50;
  VectorXd q;
  for (int trial = 0; trial < most_trials; ++trial)
    if (try_project(factor, normal_vector(factor.ambient(), random), q)) return q;
  throw std::invalid_argument(fmt::format(
      "no point of {} was found from {} starting points of size 1; check its formula, or scale it", name, most_trials));
}

// The projection of the origin, else of an axis, else of anything: a point that is easy to recognise.
template <class Factor>
VectorXd first_projected(const Factor& factor, const std::string& name) {
  VectorXd q;
  if (try_project(factor, VectorXd::Zero(factor.ambient()), q)) return q;
  for (int k = factor.ambient() - 1; k >= 0; --k)
    if (try_project(factor, VectorXd::Unit(factor.ambient(), k), q)) return q;
  Random random(1);
  return random_projected(factor, random, name);
}

template <class Factor>
std::vector<VectorXd> sample_points(const Factor& factor, int count) {
  Random random(1);
  std::vector<VectorXd> points;
  for (int k = 0; k < count; ++k) points.push_back(factor.random_point(random));
  return points;
}

}  // namespace hamel
