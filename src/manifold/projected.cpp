#include "hamel/manifold/projected.hpp"

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/any_manifold.hpp"
#include "hamel/manifold/small_algebra.hpp"
#include "hamel/manifold/symmetry.hpp"
#include "manifold/gauss_newton.hpp"
#include "manifold/samples.hpp"

namespace hamel {
namespace {

int checked_dimension(int n, int dimension, const std::string& name) {
  if (0 < dimension && dimension <= n) return dimension;
  throw std::invalid_argument(fmt::format("{} cannot have dimension {} in R^{}", name, dimension, n));
}

void check_outputs(const SmoothMap& pi, const std::string& name) {
  if (pi.outputs() == pi.inputs()) return;
  throw std::invalid_argument(
      fmt::format("the projection of {} has {} components for a point of R^{}; it must have as many", name,
                  pi.outputs(), pi.inputs()));
}

bool is_symmetric(const MatrixXd& A) { return (A - A.transpose()).norm() <= 1e-10 * A.norm(); }

}  // namespace

Projected::Projected(int n, int dimension, SmoothMap::Formula pi, std::string name)
    : name_(std::move(name)), dimension_(checked_dimension(n, dimension, name_)), pi_(n, std::move(pi), name_) {
  check_outputs(pi_, name_);
  Random random(1);
  for (int k = 0; k < 6; ++k) {
    const VectorXd q = pi_.value(normal_vector(n, random));
    check_point(q);
    is_nearest_point_ = is_nearest_point_ && is_symmetric(pi_.jacobian(q));
  }
  reference_ = first_projected(*this, name_);
}

void Projected::check_point(In q) const {
  const double off = (pi_.value(q) - q).norm();
  if (!(off <= 1e-9 * (1 + q.norm())))
    throw std::invalid_argument(fmt::format(
        "the map of {} is not a projection: |pi(pi(x)) - pi(x)| = {:.1e} at a sample point; it must be 0", name_, off));
  const VectorXd values = linear::singular_values(pi_.jacobian(q));
  const Eigen::Index rank = (values.array() > 1e-7 * values(0)).count();
  if (rank != dimension_)
    throw std::invalid_argument(
        fmt::format("the projection of {} has rank {} at a sample point, but the dimension was given as {}", name_,
                    rank, dimension_));
}

double Projected::defect(In q) const { return (q - pi_.value(q)).norm(); }

void Projected::project(In x, Out q) const {
  const VectorXd point = pi_.value(x);
  if (!point.allFinite())
    throw std::domain_error(fmt::format("the projection onto {} is not defined at x; give another point", name_));
  q = point;
}

MatrixXd Projected::orthonormal_tangents(In q) const {
  return linear::orthogonal(pi_.jacobian(q)).Q.leftCols(dimension_);
}

void Projected::tangent_project(In q, In v, Out w) const {
  const MatrixXd N = orthonormal_tangents(q);
  const VectorXd coefficients = N.transpose() * v;
  w = N * coefficients;
}

void Projected::tangent_basis(In q, OutMatrix N) const { N = orthonormal_tangents(q); }

MatrixXe Projected::tangent_projector(InOf<Expr> q) const {
  const MatrixXe A = pi_.jacobian(q);
  if (is_nearest_point_) return A;
  return A * pseudo_inverse<Expr>(A, dimension_);
}

void Projected::tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const { w = tangent_projector(q) * v; }

void Projected::curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const {
  const VectorXe second = pi_.second(q, v);
  result = second - tangent_projector(q) * second;
}

void Projected::retract(In q, In v, Out result) const {
  const VectorXd moved = q + v;
  project(moved, result);
}

void Projected::retract_by_rates(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> result) const {
  const VectorXe moved = q + tangent_projector(q) * xi;
  result = pi_.value(moved);
}

void Projected::inverse_retract(In q, In other, Out v) const {
  const MatrixXd N = orthonormal_tangents(q);
  VectorXd z = N.transpose() * (other - q);
  const auto residual = [&](const VectorXd& y) -> VectorXd { return other - pi_.value(VectorXd(q + N * y)); };
  const auto size = [&](const VectorXd& y) { return residual(y).norm(); };
  const auto step = [&](const VectorXd& y) -> VectorXd {
    return linear::least_squares(pi_.jacobian(VectorXd(q + N * y)) * N, residual(y));
  };
  const auto move = [](const VectorXd& y, const VectorXd& s) -> VectorXd { return y + s; };
  const Convergence result = gauss_newton(z, size, step, move);
  if (!result.converged || !(size(z) <= 1e-9 * (1 + other.norm())))
    throw std::runtime_error(
        fmt::format("no tangent vector of {} with pi(q + v) = other was found: off by {:.1e} after {} iterations; take "
                    "a nearer point",
                    name_, size(z), result.iterations));
  v = N * z;
}

VectorXd Projected::random_point(Random& random) const { return random_projected(*this, random, name_); }

std::vector<AffineField> Projected::symmetries() const {
  const auto normals = [this](In x) -> MatrixXd {
    return linear::orthogonal(pi_.jacobian(x)).Q.rightCols(ambient() - dimension_);
  };
  return tangent_affine_fields(sample_points(*this, samples_for_affine_fields(ambient())), normals);
}

void Projected::rates_of_acceleration(In, In, In a, Out xi_dot) const { xi_dot = a; }
void Projected::rates_of_acceleration(InOf<Expr>, InOf<Expr>, InOf<Expr> a, OutOf<Expr> xi_dot) const { xi_dot = a; }

void Projected::velocity(In q, In xi, Out v) const { tangent_project(q, xi, v); }
void Projected::rates(In q, In v, Out xi) const { tangent_project(q, v, xi); }
void Projected::covector_to_rates(In q, In p, Out pi) const { tangent_project(q, p, pi); }
void Projected::velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const { tangent_project(q, xi, v); }

template Manifold::Manifold(Projected);

}  // namespace hamel
