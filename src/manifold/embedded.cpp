#include "hamel/manifold/embedded.hpp"

#include <optional>

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/any_manifold.hpp"
#include "hamel/manifold/small_algebra.hpp"
#include "hamel/manifold/symmetry.hpp"
#include "manifold/gauss_newton.hpp"
#include "manifold/samples.hpp"

namespace hamel {
namespace {

std::string report(const Convergence& result, double residual) {
  return fmt::format("after {} iterations |c| = {:.1e} and the last step was {:.1e}", result.iterations, residual,
                     result.step);
}

}  // namespace

Embedded::Embedded(int n, SmoothMap::Formula c, std::string name) : name_(std::move(name)), c_(n, std::move(c), name_) {
  if (dimension() < 1)
    throw std::invalid_argument(
        fmt::format("{} has {} constraints in R^{}: nothing can move; give fewer", name_, c_.outputs(), n));
  reference_ = first_projected(*this, name_);
  check_rank(reference_);
  for (const VectorXd& q : sample_points(*this, 6)) check_rank(q);
}

void Embedded::check_rank(In q) const {
  const VectorXd values = linear::singular_values(c_.jacobian(q));
  if (values(values.size() - 1) > 1e-7 * values(0)) return;
  const Eigen::Index rank = (values.array() > 1e-7 * values(0)).count();
  throw std::invalid_argument(fmt::format(
      "the {} constraints of {} are dependent: at one of its points the singular values of c' range from {:.1e} "
      "to {:.1e} (rank {}, so dimension {} and not {}); drop the redundant ones",
      c_.outputs(), name_, values(0), values(values.size() - 1), rank, ambient() - static_cast<int>(rank),
      dimension()));
}

double Embedded::defect(In q) const { return c_.value(q).cwiseAbs().maxCoeff(); }

void Embedded::project(In x, Out q) const {
  VectorXd point = x;
  const auto size = [&](const VectorXd& y) { return c_.value(y).norm(); };
  const auto step = [&](const VectorXd& y) -> VectorXd {
    return linear::shortest_least_squares(c_.jacobian(y), -c_.value(y));
  };
  const auto move = [](const VectorXd& y, const VectorXd& s) -> VectorXd { return y + s; };
  const Convergence result = gauss_newton(point, size, step, move);
  if (!result.converged || !point.allFinite())
    throw std::runtime_error(
        fmt::format("no point of {} was found near x: {}; begin nearer to it", name_, report(result, size(point))));
  q = point;
}

void Embedded::tangent_project(In q, In v, Out w) const {
  const MatrixXd normals = linear::orthogonal(c_.jacobian(q).transpose()).Q.leftCols(c_.outputs());
  const VectorXd coefficients = normals.transpose() * v;
  w = v - normals * coefficients;
}

void Embedded::tangent_basis(In q, OutMatrix N) const {
  N = linear::orthogonal(c_.jacobian(q).transpose()).Q.rightCols(dimension());
}

void Embedded::tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const {
  const MatrixXe C = c_.jacobian(q);
  w = v - C.transpose() * solve_definite<Expr>(C * C.transpose(), C * v);
}

void Embedded::curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const {
  const MatrixXe C = c_.jacobian(q);
  result = -(C.transpose() * solve_definite<Expr>(C * C.transpose(), c_.second(q, v)));
}

void Embedded::retract(In q, In v, Out result) const {
  const MatrixXd normals = c_.jacobian(q).transpose();
  VectorXd point = q + v;
  const auto size = [&](const VectorXd& y) { return c_.value(y).norm(); };
  const auto step = [&](const VectorXd& y) -> VectorXd {
    return normals * linear::shortest_least_squares(c_.jacobian(y) * normals, -c_.value(y));
  };
  const auto move = [](const VectorXd& y, const VectorXd& s) -> VectorXd { return y + s; };
  const Convergence outcome = gauss_newton(point, size, step, move);
  if (!outcome.converged || !point.allFinite())
    throw std::runtime_error(
        fmt::format("no point of {} lies along the normals at q + v for |v| = {:.1e}: {}; take a shorter v", name_,
                    v.norm(), report(outcome, size(point))));
  result = point;
}

void Embedded::inverse_retract(In q, In other, Out v) const { tangent_project(q, other - q, v); }

VectorXd Embedded::random_point(Random& random) const { return random_projected(*this, random, name_); }

std::vector<AffineField> Embedded::symmetries() const {
  return tangent_affine_fields(sample_points(*this, samples_for_affine_fields(ambient())),
                               [this](In x) -> MatrixXd { return c_.jacobian(x).transpose(); });
}

void Embedded::rates_of_acceleration(In, In, In a, Out xi_dot) const { xi_dot = a; }

VectorXe Embedded::constraints(InOf<Expr> q) const { return c_.value(q); }
void Embedded::velocity(In q, In xi, Out v) const { tangent_project(q, xi, v); }
void Embedded::rates(In q, In v, Out xi) const { tangent_project(q, v, xi); }
void Embedded::covector_to_rates(In q, In p, Out pi) const { tangent_project(q, p, pi); }
void Embedded::velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const { tangent_project(q, xi, v); }
void Embedded::rates_of_acceleration(InOf<Expr>, InOf<Expr>, InOf<Expr> a, OutOf<Expr> xi_dot) const { xi_dot = a; }

template Manifold::Manifold(Embedded);

}  // namespace hamel
