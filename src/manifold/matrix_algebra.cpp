#include "manifold/matrix_algebra.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "manifold/samples.hpp"

namespace hamel {

MatrixXd principal_logarithm(const MatrixXd& g) {
  if (!g.allFinite()) return {};
  const Eigen::VectorXcd values = linear::eigenvalues(g);
  for (const std::complex<double>& value : values)
    if (value.real() <= 0 && std::abs(value.imag()) <= 1e-9 * (1 + std::abs(value))) return {};
  const MatrixXd X = linear::logarithm(g);
  return X.allFinite() ? X : MatrixXd();
}

MatrixXd exponential_derivative(const MatrixXd& X, const MatrixXd& E) {
  const Eigen::Index n = X.rows();
  MatrixXd block = MatrixXd::Zero(2 * n, 2 * n);
  block.topLeftCorner(n, n) = block.bottomRightCorner(n, n) = X;
  block.topRightCorner(n, n) = E;
  return linear::exponential(block).topRightCorner(n, n);
}

MatrixXd as_columns(const std::vector<MatrixXd>& matrices, const std::string& name) {
  if (matrices.empty())
    throw std::invalid_argument(fmt::format("{} needs at least one generator; none was given", name));
  const Eigen::Index n = matrices.front().rows();
  MatrixXd columns(n * n, static_cast<Eigen::Index>(matrices.size()));
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const MatrixXd& E = matrices[k];
    if (E.rows() != n || E.cols() != n)
      throw std::invalid_argument(
          fmt::format("generator {} of {} is {} x {}, but {} x {} is needed", k + 1, name, E.rows(), E.cols(), n, n));
    if (!E.allFinite()) throw std::invalid_argument(fmt::format("generator {} of {} is not finite", k + 1, name));
    columns.col(static_cast<Eigen::Index>(k)) = E.reshaped();
  }
  return columns;
}

void check_closed_under_brackets(const std::vector<MatrixXd>& matrices, const MatrixXd& columns,
                                 const std::string& name) {
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    for (std::size_t j = i + 1; j < matrices.size(); ++j) {
      const MatrixXd product = matrices[i] * matrices[j];
      const VectorXd bracket = (product - matrices[j] * matrices[i]).reshaped();
      const double off = (bracket - columns * linear::least_squares(columns, bracket)).norm();
      if (off <= 1e-10 * (1 + product.norm())) continue;
      throw std::invalid_argument(
          fmt::format("the generators of {} are not closed under brackets: [E{}, E{}] leaves their span by {:.1e}; add "
                      "what is missing",
                      name, i + 1, j + 1, off));
    }
  }
}

int numerical_rank(const MatrixXd& A) { return static_cast<int>(linear::orthogonal(A, 1e-9).rank); }

double frequency(const MatrixXd& X) { return linear::eigenvalues(X).imag().cwiseAbs().maxCoeff(); }

double largest_frequency(int unknowns, const std::function<MatrixXd(const VectorXd&)>& X) {
  constexpr int starts = 40, improvements = 300;
  constexpr double rounding = 1e-4;  // eigenvalues of a nilpotent matrix are no better than a root of the rounding
  Random random(1);
  VectorXd best = VectorXd::Unit(unknowns, 0);
  double largest = 0;
  const auto offer = [&](const VectorXd& z) {
    const double value = frequency(X(z));
    if (value <= largest) return false;
    largest = value;
    best = z;
    return true;
  };
  for (int k = 0; k < unknowns; ++k) offer(VectorXd::Unit(unknowns, k));
  for (int k = 0; k < starts; ++k) offer(normal_vector(unknowns, random).normalized());
  double reach = 0.5;
  for (int k = 0; k < improvements; ++k)
    reach *= offer((best + reach * normal_vector(unknowns, random)).normalized()) ? 1.5 : 0.9;
  return largest > rounding * X(best).norm() ? largest : 0.0;
}

}  // namespace hamel
