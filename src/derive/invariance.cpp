#include "derive/invariance.hpp"

#include <cmath>

#include "hamel/derive/lift.hpp"
#include "hamel/graph/rounded.hpp"

namespace hamel {
namespace {

constexpr int random_points = 5, near_points = 2;

constexpr double decades = 3;

// The first set of parameters is near their values: what is compared is a sum of terms that have the sizes they have in
// a run. The others are spread, with either sign, and also of those that are 0 now.
double random_parameter(double value, int point, Random& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-decades, decades);
  if (point < near_points && value != 0) return value * (1 + 0.2 * normal(random));
  const double sign = point % 2 == 0 || uniform(random) < 0 ? 1 : -1;
  return sign * (value == 0 ? 1 : value) * std::pow(10.0, uniform(random));
}

std::vector<Rounded> random_values(const Model& model, std::size_t velocities, const Parameters& parameters, int point,
                                   Random& random) {
  std::normal_distribution<double> normal;
  std::vector<Rounded> values;
  for (const auto& coordinate : model.coordinates()) {
    const VectorXd q = coordinate.space.random_point(random);
    for (const double x : q) values.emplace_back(x, q.lpNorm<Eigen::Infinity>());
  }
  for (std::size_t i = 0; i < velocities; ++i) values.emplace_back(normal(random));
  for (const double value : parameters.values) values.emplace_back(random_parameter(value, point, random));
  return values;
}

bool is_defined(const Rounded& a) { return std::isfinite(a.value) && std::isfinite(a.error); }

}  // namespace

std::vector<Expr> simplify_invariants(const std::vector<Expr>& expressions, const Model& model,
                                      const LoweredModel& lowered, const std::vector<Expr>& velocities,
                                      const Parameters& parameters) {
  std::vector<Expr> variables = lowered.q;
  variables.insert(variables.end(), velocities.begin(), velocities.end());
  variables.insert(variables.end(), lowered.u.begin(), lowered.u.end());
  variables.push_back(lowered.t);
  variables.insert(variables.end(), parameters.variables.begin(), parameters.variables.end());

  std::vector<Expr> result = expressions;
  Random random(20220101);
  for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
    const Manifold& factor = model.coordinates()[f].space;
    if (!is_by_basis(factor)) continue;
    const VectorXd identity = factor.reference_point();
    std::unordered_map<std::uint32_t, Expr> at_identity;
    for (int i = 0; i < factor.ambient(); ++i)
      at_identity[lowered.q[static_cast<std::size_t>(lowered.offsets[f]) + static_cast<std::size_t>(i)].id()] =
          Expr(identity(i));
    const std::vector<Expr> candidates = substitute(result, at_identity);
    std::vector<bool> invariant(result.size(), true);
    for (int k = 0; k < random_points; ++k) {
      const auto values = random_values(model, velocities.size() + lowered.u.size() + 1, parameters, k, random);
      const auto original = evaluate(result, variables, values), candidate = evaluate(candidates, variables, values);
      for (std::size_t i = 0; i < result.size(); ++i)
        if (k < near_points || (is_defined(original[i]) && is_defined(candidate[i])))
          invariant[i] = invariant[i] && agree(original[i], candidate[i]);
    }
    for (std::size_t i = 0; i < result.size(); ++i)
      if (invariant[i]) result[i] = candidates[i];
  }
  return result;
}

bool invariants_hold(double tested, double value) {
  const double ratio = std::abs(value / (tested == 0 ? 1 : tested));
  return ratio >= std::pow(10, -decades) && ratio <= std::pow(10, decades);
}

}  // namespace hamel
