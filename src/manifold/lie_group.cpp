#include "hamel/manifold/lie_group.hpp"

#include <algorithm>
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

void check_independent(const MatrixXd& columns, const std::string& name) {
  const int rank = numerical_rank(columns);
  if (rank == columns.cols()) return;
  throw std::invalid_argument(fmt::format(
      "the {} generators of {} span only {} dimensions; give a basis of the algebra", columns.cols(), name, rank));
}

// g -> L g and g -> g L as matrices on the m^2 numbers of g.
MatrixXd left_action(const MatrixXd& L) {
  const Eigen::Index m = L.rows();
  MatrixXd A = MatrixXd::Zero(m * m, m * m);
  for (Eigen::Index j = 0; j < m; ++j) A.block(j * m, j * m, m, m) = L;
  return A;
}
MatrixXd right_action(const MatrixXd& L) {
  const Eigen::Index m = L.rows();
  MatrixXd A(m * m, m * m);
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index k = 0; k < m; ++k) A.block(j * m, k * m, m, m) = L(k, j) * MatrixXd::Identity(m, m);
  return A;
}

// The xi of the part of v that is tangent.
VectorXe nearest_rates(const MatrixXe& B, InOf<Expr> v) {
  return solve_definite<Expr>(B.transpose() * B, B.transpose() * v);
}

MatrixXe without(const MatrixXe& a, Eigen::Index row, Eigen::Index col) {
  MatrixXe minor(a.rows() - 1, a.cols() - 1);
  for (Eigen::Index j = 0; j < minor.cols(); ++j)
    for (Eigen::Index i = 0; i < minor.rows(); ++i) minor(i, j) = a(i + (i >= row), j + (j >= col));
  return minor;
}

Expr determinant(const MatrixXe& a) {
  if (a.size() == 0) return 1;
  Expr sum;
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    const Expr term = a(0, j) * determinant(without(a, 0, j));
    sum = j % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

MatrixXe adjugate(const MatrixXe& a) {
  MatrixXe result(a.rows(), a.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const Expr minor = determinant(without(a, i, j));
      result(j, i) = (i + j) % 2 == 0 ? minor : -minor;
    }
  return result;
}

// The left inverse of the basis, for formulas: of an orthogonal one without rounding.
MatrixXd printed_coefficients(const MatrixXd& columns) {
  const MatrixXd gram = columns.transpose() * columns;
  if (!gram.isDiagonal(0)) return linear::pseudo_inverse(columns);
  return gram.diagonal().cwiseInverse().asDiagonal() * columns.transpose();
}

}  // namespace

template <class T>
MatrixX<T> LieGroup::algebra_element(InOf<T> xi) const {
  MatrixX<T> X = MatrixX<T>::Zero(order_, order_);
  for (std::size_t k = 0; k < basis_.size(); ++k) X += basis_[k].cast<T>() * xi(static_cast<Eigen::Index>(k));
  return X;
}

template <class T>
MatrixX<T> LieGroup::matrix(InOf<T> q) const {
  return q.reshaped(order_, order_);
}

template <class T>
MatrixX<T> LieGroup::tangents(InOf<T> q) const {
  MatrixX<T> B(ambient(), dimension());
  for (Eigen::Index k = 0; k < B.cols(); ++k)
    B.col(k) = (matrix<T>(q) * basis_[static_cast<std::size_t>(k)].cast<T>()).reshaped();
  return B;
}

LieGroup::LieGroup(std::vector<MatrixXd> basis, std::string name)
    : basis_(std::move(basis)),
      name_(std::move(name)),
      order_(basis_.empty() ? 0 : static_cast<int>(basis_.front().rows())),
      columns_(as_columns(basis_, name_)) {
  check_independent(columns_, name_);
  check_closed_under_brackets(basis_, columns_, name_);
  coefficients_ = linear::pseudo_inverse(columns_);
}

VectorXd LieGroup::fit(const MatrixXd& X) const { return coefficients_ * X.reshaped(); }

// The best of several guesses g exp(fit(log(g^-1 x))), g = I first: exact for an x of the group with a logarithm there.
MatrixXd LieGroup::nearby_element(const MatrixXd& x) const {
  constexpr int guesses = 12;
  Random random(1);
  MatrixXd best = MatrixXd::Identity(order_, order_);
  double distance = std::numeric_limits<double>::infinity();
  for (int k = 0; k < guesses && !(distance <= 1e-9 * x.norm()); ++k) {
    const MatrixXd g = k == 0 ? best : matrix<double>(random_point(random));
    const MatrixXd X = principal_logarithm(linear::solve_columns(g, x));
    const MatrixXd guess = X.size() == 0 ? g : MatrixXd(g * linear::exponential(algebra_element<double>(fit(X))));
    if (const double d = (x - guess).norm(); d < distance) {
      distance = d;
      best = guess;
    }
  }
  return best;
}

void LieGroup::project(In x, Out q) const {
  if (!x.allFinite()) throw std::domain_error(fmt::format("x has no nearest element of {}: it is not finite", name_));
  VectorXd g = nearby_element(matrix<double>(x)).reshaped();
  const auto size = [&](const VectorXd& y) { return (x - y).norm(); };
  const auto step = [&](const VectorXd& y) -> VectorXd { return linear::least_squares(tangents<double>(y), x - y); };
  const auto move = [&](const VectorXd& y, const VectorXd& xi) -> VectorXd {
    return (matrix<double>(y) * linear::exponential(algebra_element<double>(xi))).reshaped();
  };
  const Convergence result = gauss_newton(g, size, step, move);
  if (!result.converged)
    throw std::runtime_error(fmt::format(
        "no nearest element of {} was found: at distance {:.1e} the last of {} steps was {:.1e}; begin nearer to it",
        name_, size(g), result.iterations, result.step));
  q = g;
}

double LieGroup::defect(In q) const {
  VectorXd nearest(ambient());
  try {
    project(q, nearest);
  } catch (const std::runtime_error&) {  // so far off that there is no telling which element is nearest
    return (q - VectorXd(nearby_element(matrix<double>(q)).reshaped())).norm();
  }
  return (q - nearest).norm();
}

void LieGroup::tangent_project(In q, In v, Out w) const {
  MatrixXd N(ambient(), dimension());
  tangent_basis(q, N);
  const VectorXd coefficients = N.transpose() * v;
  w = N * coefficients;
}

void LieGroup::velocity(In q, In xi, Out v) const { v = (matrix<double>(q) * algebra_element<double>(xi)).reshaped(); }

void LieGroup::velocity(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> v) const {
  v = (matrix<Expr>(q) * algebra_element<Expr>(xi)).reshaped();
}

void LieGroup::tangent_basis(In q, OutMatrix N) const { N = linear::orthonormal_columns(tangents<double>(q)); }

void LieGroup::rates(In q, In v, Out xi) const { xi = linear::least_squares(tangents<double>(q), v); }

// g'' = g (X' + X^2)
void LieGroup::rates_of_acceleration(In q, In v, In a, Out xi_dot) const {
  VectorXd xi(dimension());
  rates(q, v, xi);
  const MatrixXd X = algebra_element<double>(xi);
  rates(q, a - VectorXd((matrix<double>(q) * X * X).reshaped()), xi_dot);
}

void LieGroup::covector_to_rates(In q, In p, Out pi) const { pi = tangents<double>(q).transpose() * p; }

// Of g X = v by g^-1 = adj(g)/det(g): polynomials, where det(g) = 1 because all of the algebra has trace 0.
VectorXe LieGroup::group_rates(InOf<Expr> q, InOf<Expr> v) const {
  constexpr int largest_adjugate = 4;
  if (order_ > largest_adjugate) return nearest_rates(tangents<Expr>(q), v);
  const MatrixXe g = matrix<Expr>(q), X = adjugate(g) * v.reshaped(order_, order_);
  const VectorXe xi = printed_coefficients(columns_).cast<Expr>() * X.reshaped();
  const auto is_traceless = [](const MatrixXd& E) { return E.trace() == 0; };
  if (std::all_of(basis_.begin(), basis_.end(), is_traceless)) return xi;
  return xi / determinant(g);
}

void LieGroup::tangent_project(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> w) const {
  const VectorXe xi = nearest_rates(tangents<Expr>(q), v);
  velocity(q, xi, w);
}

void LieGroup::curvature_of_rates(InOf<Expr> q, InOf<Expr> xi, OutOf<Expr> result) const {
  const MatrixXe X = algebra_element<Expr>(xi);
  result = (matrix<Expr>(q) * MatrixXe(X * X)).reshaped();
}

void LieGroup::curvature(InOf<Expr> q, InOf<Expr> v, OutOf<Expr> result) const {
  const VectorXe xi = nearest_rates(tangents<Expr>(q), v);
  curvature_of_rates(q, xi, result);
}

void LieGroup::exponential(In q, In v, Out result) const {
  VectorXd xi(dimension());
  rates(q, v, xi);
  result = VectorXd((matrix<double>(q) * linear::exponential(algebra_element<double>(xi))).reshaped());
}

void LieGroup::logarithm(In q, In other, Out v) const {
  const MatrixXd F = linear::solve_columns(matrix<double>(q), matrix<double>(other));
  const MatrixXd X = principal_logarithm(F);
  if (X.size() == 0)
    throw std::domain_error(fmt::format(
        "the second point of {} has no logarithm seen from the first: an eigenvalue of g^-1 h is not positive; "
        "take a nearer point",
        name_));
  const VectorXd xi = fit(X);
  const double off = (X - algebra_element<double>(xi)).norm();
  if (!(off <= 1e-7 * (1 + X.norm())))
    throw std::domain_error(fmt::format(
        "the logarithm of g^-1 h is not in the algebra of {}: it is off by {:.1e}; take a nearer point, or project",
        name_, off));
  velocity(q, xi, v);
}

double LieGroup::injectivity_radius() const {
  const MatrixXd orthonormal = linear::orthonormal_columns(columns_);
  const double largest = largest_frequency(
      dimension(), [&](const VectorXd& z) { return MatrixXd((orthonormal * z).reshaped(order_, order_)); });
  return largest == 0 ? std::numeric_limits<double>::infinity() : std::numbers::pi / largest;
}

// Two factors, since one exponential need not reach every element.
VectorXd LieGroup::random_point(Random& random) const {
  const VectorXd first = normal_vector(dimension(), random), second = normal_vector(dimension(), random);
  return (linear::exponential(algebra_element<double>(first)) * linear::exponential(algebra_element<double>(second)))
      .reshaped();
}

std::vector<AffineField> LieGroup::symmetries() const {
  std::vector<AffineField> fields;
  const VectorXd zero = VectorXd::Zero(ambient());
  for (std::size_t k = 0; k < basis_.size(); ++k)
    fields.push_back({fmt::format("left multiplication by E{}", k + 1), left_action(basis_[k]), zero});
  for (std::size_t k = 0; k < basis_.size(); ++k)
    fields.push_back({fmt::format("right multiplication by E{}", k + 1), right_action(basis_[k]), zero});
  return independent_fields(fields, sample_points(*this, 6));
}

VectorXd LieGroup::reference_point() const { return MatrixXd::Identity(order_, order_).reshaped(); }

void LieGroup::retract(In q, In v, Out result) const { exponential(q, v, result); }
void LieGroup::inverse_retract(In q, In other, Out v) const { logarithm(q, other, v); }

void LieGroup::rates_of_acceleration(InOf<Expr> q, InOf<Expr> v, InOf<Expr> a, OutOf<Expr> xi_dot) const {
  VectorXe gamma(ambient());
  curvature(q, v, gamma);
  xi_dot = nearest_rates(tangents<Expr>(q), VectorXe(a - gamma));
}

template Manifold::Manifold(LieGroup);

}  // namespace hamel
