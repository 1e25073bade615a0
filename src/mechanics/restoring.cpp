#include "mechanics/restoring.hpp"

namespace hamel {
namespace {

// The gradients of all constraints at a point, row by row.
MatrixXd slopes_at(const Exprs& c, const Exprs& q, const VectorXd& point) {
  MatrixXd slopes(static_cast<Eigen::Index>(c.size()), point.size());
  for (std::size_t k = 0; k < c.size(); ++k) {
    const auto slope = evaluate(gradient(c[k], q), q, std::span(point.data(), q.size()));
    slopes.row(static_cast<Eigen::Index>(k)) = Eigen::Map<const VectorXd>(slope.data(), point.size()).transpose();
  }
  return slopes;
}

// A quadratic function with its constant added early. Numbers are closer together below 1 than above: q.q - 1, with the
// 1 subtracted last, would see what is too short before it sees what is too long.
Expr balanced(Expr c, const Exprs& q) {
  const std::vector<double> origin(q.size(), 0.0);
  const double constant = evaluate(Exprs{c}, q, origin).front();
  Expr sum;
  bool first = true;
  for (const auto& [i, j, value] : jacobian(gradient(c, q), q)) {
    if (j < i) continue;
    sum += (i == j ? 0.5 : 1.0) * value * q[at(i)] * q[at(j)];
    if (std::exchange(first, false)) sum += constant;
  }
  return sum;
}

}  // namespace

Exprs restoring(const Manifold& space, const Exprs& q) {
  if (!space.has_constraint_formula() || space.dimension() == space.ambient()) return {};
  const VectorXe formula = space.constraints(Eigen::Map<const VectorXe>(q.data(), space.ambient()));
  const Exprs c(formula.begin(), formula.end());
  // The formula needs orthogonal gradients whose lengths are everywhere the same.
  Random random(5);
  const VectorXd squares = slopes_at(c, q, space.reference_point()).rowwise().squaredNorm();
  for (int sample = 0; sample < 2; ++sample) {
    const MatrixXd slopes = slopes_at(c, q, space.random_point(random));
    const MatrixXd gram = slopes * slopes.transpose(), expected = squares.asDiagonal();
    if ((gram - expected).cwiseAbs().maxCoeff() > 1e-9 * squares.maxCoeff()) return {};
  }
  Exprs result(q.size());
  for (std::size_t k = 0; k < c.size(); ++k) {
    const Exprs slope = gradient(c[k], q);
    const Expr defect = balanced(c[k], q) / squares(static_cast<Eigen::Index>(k));
    for (std::size_t i = 0; i < q.size(); ++i) result[i] -= defect * slope[i];
  }
  return result;
}

}  // namespace hamel
