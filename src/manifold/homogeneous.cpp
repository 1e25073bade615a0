#include "hamel/manifold/homogeneous.hpp"

#include <limits>
#include <numbers>

#include "hamel/linear/dense.hpp"
#include "hamel/manifold/any_manifold.hpp"
#include "hamel/manifold/small_algebra.hpp"
#include "hamel/manifold/symmetry.hpp"
#include "manifold/gauss_newton.hpp"
#include "manifold/matrix_algebra.hpp"
#include "manifold/samples.hpp"

namespace hamel {
namespace {

int checked_rank(const MatrixXd& B, const std::string& name) {
  const int rank = numerical_rank(B);
  if (rank == 0)
    throw std::invalid_argument(
        fmt::format("every generator of {} leaves the base point where it is; choose another", name));
  return rank;
}

void check_base_point(const VectorXd& q, const MatrixXd& columns, const std::string& name) {
  if (q.size() * q.size() != columns.rows())
    throw std::invalid_argument(
        fmt::format("the base point of {} has {} numbers, which its generators do not act on", name, q.size()));
  if (!q.allFinite()) throw std::invalid_argument(fmt::format("the base point of {} is not finite", name));
}

}  // namespace

Homogeneous::Homogeneous(std::vector<MatrixXd> generators, VectorXd base_point, std::string name)
    : generators_(std::move(generators)), base_point_(std::move(base_point)), name_(std::move(name)) {
  const MatrixXd columns = as_columns(generators_, name_);
  check_base_point(base_point_, columns, name_);
  check_closed_under_brackets(generators_, columns, name_);
  dimension_ = checked_rank(tangents<double>(base_point_), name_);
}

template <class T>
MatrixX<T> Homogeneous::tangents(InOf<T> q) const {
  MatrixX<T> B(ambient(), rates());
  for (Eigen::Index k = 0; k < B.cols(); ++k) B.col(k) = generators_[static_cast<std::size_t>(k)].cast<T>() * q;
  return B;
}

template <class T>
MatrixX<T> Homogeneous::algebra_element(InOf<T> xi) const {
  MatrixX<T> X = MatrixX<T>::Zero(ambient(), ambient());
  for (std::size_t k = 0; k < generators_.size(); ++k) X += generators_[k].cast<T>() * xi(static_cast<Eigen::Index>(k));
  return X;
}

MatrixXd Homogeneous::rates_of_tangents(In q, const MatrixXd& V) const {
  return linear::shortest_least_squares(tangents<double>(q), V, 1e-9);
}

// Gauss-Newton from several points of the orbit, since it may begin at a point farthest away; the nearest end counts.
VectorXd Homogeneous::nearest_on_orbit(In x) const {
  constexpr int guesses = 8;
  if (!x.allFinite()) throw std::domain_error(fmt::format("x has no nearest point of {}: it is not finite", name_));
  const auto size = [&](const VectorXd& y) { return (x - y).norm(); };
  const auto step = [&](const VectorXd& y) -> VectorXd { return rates_of_tangents(y, x - y); };
  const auto move = [&](const VectorXd& y, const VectorXd& xi) -> VectorXd {
    return linear::exponential(algebra_element<double>(xi)) * y;
  };
  Random random(1);
  VectorXd best = base_point_;
  bool found = false;
  for (int k = 0; k < guesses && !(found && size(best) <= 1e-9); ++k) {
    VectorXd q = k == 0 ? base_point_ : random_point(random);
    if (!gauss_newton(q, size, step, move).converged) continue;
    if (!found || size(q) < size(best)) best = q;
    found = true;
  }
  if (!found)
    throw std::runtime_error(
        fmt::format("no nearest point of {} was found from {} starts: the base point is at distance {:.1e}; "
                    "begin nearer to the orbit",
                    name_, guesses, size(base_point_)));
  return best;
}

void Homogeneous::project(In x, Out q) const { q = nearest_on_orbit(x); }

double Homogeneous::defect(In q) const {
  try {
    return (q - nearest_on_orbit(q)).norm();
  } catch (const std::runtime_error&) {  // so far off that there is no telling which point is nearest
    return (q - base_point_).norm();
  }
}

void Homogeneous::tangent_project(In q, In v, Out w) const {
  MatrixXd N(ambient(), dimension_);
  tangent_basis(q, N);
  const VectorXd coefficients = N.transpose() * v;
  w = N * coefficients;
}

void Homogeneous::tangent_basis(In q, OutMatrix N) const {
  N = linear::orthogonal(tangents<double>(q)).Q.leftCols(dimension_);
}

void Homogeneous::velocity(In q, In xi, Out v) const { v = tangents<double>(q) * xi; }
void Homogeneous::rates(In q, In v, Out xi) const { xi = rates_of_tangents(q, v); }

// The derivative of xi = B^+ v along the motion: B^+ (a - B' xi) + (I - B^+ B) B'^T B^+T xi, where B' = [E_k v].
void Homogeneous::rates_of_acceleration(In q, In v, In a, Out xi_dot) const {
  const MatrixXd B = tangents<double>(q), B_dot = tangents<double>(v);
  const MatrixXd inverse = rates_of_tangents(q, MatrixXd::Identity(ambient(), ambient()));
  const VectorXd xi = inverse * v, isotropic = B_dot.transpose() * (inverse.transpose() * xi);
  xi_dot = inverse * (a - B_dot * xi) + isotropic - inverse * (B * isotropic);
}

void Homogeneous::rates_of_acceleration(InOf<Expr> q, InOf<Expr> v, InOf<Expr> a, OutOf<Expr> xi_dot) const {
  const MatrixXe B = tangents<Expr>(q), B_dot = tangents<Expr>(v), inverse = pseudo_inverse<Expr>(B, dimension_);
  const VectorXe xi = inverse * v, isotropic = B_dot.transpose() * VectorXe(inverse.transpose() * xi);
  xi_dot = inverse * VectorXe(a - B_dot * xi) + isotropic - inverse * VectorXe(B * isotropic);
}

void Homogeneous::covector_to_rates(In q, In p, Out pi) const { pi = tangents<double>(q).transpose() * p; }

void Homogeneous::velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const { v = tangents<Expr>(q) * xi; }

void Homogeneous::tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const {
  const MatrixXe B = tangents<Expr>(q);
  w = B * VectorXe(pseudo_inverse<Expr>(B, dimension_) * v);
}

void Homogeneous::curvature_of_rates(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> result) const {
  const MatrixXe X = algebra_element<Expr>(xi);
  result = X * VectorXe(X * q);
}

void Homogeneous::curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const {
  const VectorXe xi = pseudo_inverse<Expr>(tangents<Expr>(q), dimension_) * v;
  curvature_of_rates(q, xi, result);
}

void Homogeneous::exponential(In q, In v, Out result) const {
  const VectorXd xi = rates_of_tangents(q, v);
  result = VectorXd(linear::exponential(algebra_element<double>(xi)) * q);
}

// Gauss-Newton for the z with exp(X(N z)) q = other, begun with the direction and the length of the chord.
void Homogeneous::logarithm(In q, In other, Out v) const {
  MatrixXd N(ambient(), dimension_);
  tangent_basis(q, N);
  const MatrixXd to_rates = rates_of_tangents(q, N);
  const auto element = [&](const VectorXd& z) { return algebra_element<double>(VectorXd(to_rates * z)); };
  const auto residual = [&](const VectorXd& z) -> VectorXd { return other - linear::exponential(element(z)) * q; };
  const auto size = [&](const VectorXd& z) { return residual(z).norm(); };
  const auto step = [&](const VectorXd& z) -> VectorXd {
    const MatrixXd X = element(z);
    MatrixXd J(ambient(), dimension_);
    for (int k = 0; k < dimension_; ++k)
      J.col(k) = exponential_derivative(X, element(VectorXd::Unit(dimension_, k))) * q;
    return linear::least_squares(J, residual(z));
  };
  const auto move = [](const VectorXd& z, const VectorXd& s) -> VectorXd { return z + s; };
  VectorXd z = N.transpose() * (other - q);
  if (z.norm() > 0) z *= (other - q).norm() / z.norm();
  const Convergence result = gauss_newton(z, size, step, move);
  if (!result.converged || !(size(z) <= 1e-9 * (1 + other.norm())))
    throw std::domain_error(
        fmt::format("no motion of {} from the first point to the second was found: off by {:.1e} after {} iterations; "
                    "take a nearer point",
                    name_, size(z), result.iterations));
  v = N * z;
}

double Homogeneous::injectivity_radius() const {
  MatrixXd N(ambient(), dimension_);
  tangent_basis(base_point_, N);
  const MatrixXd to_rates = rates_of_tangents(base_point_, N);
  const double largest =
      largest_frequency(dimension_, [&](const VectorXd& z) { return algebra_element<double>(VectorXd(to_rates * z)); });
  return largest == 0 ? std::numeric_limits<double>::infinity() : std::numbers::pi / largest;
}

VectorXd Homogeneous::random_point(Random& random) const {
  const VectorXd first = normal_vector(rates(), random), second = normal_vector(rates(), random);
  return linear::exponential(algebra_element<double>(first)) *
         VectorXd(linear::exponential(algebra_element<double>(second)) * base_point_);
}

std::vector<AffineField> Homogeneous::symmetries() const {
  std::vector<AffineField> fields;
  for (std::size_t k = 0; k < generators_.size(); ++k)
    fields.push_back({fmt::format("action of E{}", k + 1), generators_[k], VectorXd::Zero(ambient())});
  return independent_fields(fields, sample_points(*this, 6));
}

void Homogeneous::retract(In q, In v, Out result) const { exponential(q, v, result); }
void Homogeneous::inverse_retract(In q, In other, Out v) const { logarithm(q, other, v); }

template Manifold::Manifold(Homogeneous);

}  // namespace hamel
