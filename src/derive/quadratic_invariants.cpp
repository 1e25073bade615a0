#include "hamel/derive/quadratic_invariants.hpp"

#include "hamel/derive/expressions.hpp"

namespace hamel {
namespace {

VectorXd values_at(const Exprs& expressions, const Exprs& q, const VectorXd& point) {
  const auto values = evaluate(expressions, q, std::span(point.data(), q.size()));
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// The gradients of all constraints at a point, row by row.
MatrixXd slopes_at(const Exprs& c, const Exprs& q, const VectorXd& point) {
  MatrixXd slopes(static_cast<Eigen::Index>(c.size()), point.size());
  for (std::size_t k = 0; k < c.size(); ++k)
    slopes.row(static_cast<Eigen::Index>(k)) = values_at(gradient(c[k], q), q, point).transpose();
  return slopes;
}

bool are_orthogonal_everywhere(const Manifold& space, const Exprs& c, const Exprs& q, const VectorXd& squares) {
  Random random(5);
  for (int sample = 0; sample < 2; ++sample) {
    const MatrixXd slopes = slopes_at(c, q, space.random_point(random));
    const MatrixXd gram = slopes * slopes.transpose(), expected = squares.asDiagonal();
    if ((gram - expected).cwiseAbs().maxCoeff() > 1e-9 * squares.maxCoeff()) return false;
  }
  return true;
}

bool is_quadratic(Expr c, const Exprs& q) {
  Exprs second;
  for (const auto& entry : jacobian(gradient(c, q), q)) second.push_back(entry.value);
  return dependencies(second).empty();
}

QuadraticInvariant read_off(Expr c, const Exprs& q, int offset, double steepness) {
  QuadraticInvariant result;
  result.steepness = steepness;
  const Exprs slope = gradient(c, q);
  const VectorXd origin = VectorXd::Zero(static_cast<Eigen::Index>(q.size()));
  for (const auto& [i, j, value] : jacobian(slope, q))
    result.curvature.push_back({offset + i, offset + j, values_at({value}, q, origin)(0)});
  const VectorXd linear = values_at(slope, q, origin);
  for (int i = 0; i < linear.size(); ++i)
    if (linear(i) != 0) result.slope.emplace_back(offset + i, linear(i));
  return result;
}

}  // namespace

std::vector<QuadraticInvariant> quadratic_invariants(const Manifold& space, int offset) {
  if (!space.has_constraint_formula() || space.dimension() == space.ambient()) return {};
  const Exprs q = Graph::current().variables("point", space.ambient());
  const VectorXe formula = space.constraints(Eigen::Map<const VectorXe>(q.data(), space.ambient()));
  const Exprs c(formula.begin(), formula.end());
  for (Expr e : c)
    if (!is_quadratic(e, q)) return {};
  const VectorXd squares = slopes_at(c, q, space.reference_point()).rowwise().squaredNorm();
  if (!are_orthogonal_everywhere(space, c, q, squares)) return {};
  std::vector<QuadraticInvariant> result;
  for (std::size_t k = 0; k < c.size(); ++k)
    result.push_back(read_off(c[k], q, offset, squares(static_cast<Eigen::Index>(k))));
  return result;
}

}  // namespace hamel
