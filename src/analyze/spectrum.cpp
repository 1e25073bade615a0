#include "hamel/analyze/spectrum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "hamel/linear/eigen.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/linear/schur.hpp"

namespace hamel {

namespace {

using Complex = std::complex<double>;
const double cluster_distance = 10 * std::sqrt(std::numeric_limits<double>::epsilon());
constexpr double block_tolerance = 1e-6;  // what is smaller in a nilpotent part is rounding

void sort(Spectrum& spectrum) {
  const double same = cluster_distance * spectrum.rate;
  std::sort(spectrum.values.begin(), spectrum.values.end(), [&](const Eigenvalue& a, const Eigenvalue& b) {
    const double difference = a.value.real() - b.value.real();
    return std::abs(difference) > same ? difference < 0 : a.value.imag() < b.value.imag();
  });
}

// Zeros of A: the null space, then that of what is left of A across it, and so on. A becomes what has no zeros.
Eigenvalue split_off_zeros(MatrixXd& A, double tolerance) {
  Eigenvalue zero{0, 0, 0, 0};
  while (A.rows() > 0) {
    const linear::RightSingular decomposition = linear::right_singular(A);
    const auto nullity = static_cast<int>((decomposition.values.array() <= tolerance).count());
    if (nullity == 0) break;
    const MatrixXd across = decomposition.vectors.leftCols(A.cols() - nullity);
    A = (across.transpose() * A * across).eval();
    zero.algebraic += nullity;
    if (zero.largest_block == 0) zero.geometric = nullity;
    ++zero.largest_block;
  }
  return zero;
}

// Of a cluster that stands first in Schur's form: ranks of the powers of its nilpotent part.
Eigenvalue examined_cluster(const linear::Cluster& cluster, linear::Schur form) {
  std::vector<bool> chosen(static_cast<std::size_t>(form.T.rows()));
  for (const Eigen::Index i : cluster.members) chosen[static_cast<std::size_t>(i)] = true;
  const Eigen::Index m = linear::bring_to_front(form, chosen);
  Eigenvalue result{cluster.mean, static_cast<int>(m), static_cast<int>(m), 1};
  Eigen::MatrixXcd N = form.T.topLeftCorner(m, m).triangularView<Eigen::Upper>();
  N.diagonal().array() -= cluster.mean;
  Eigen::MatrixXcd power = N;
  while (power.norm() > block_tolerance && result.largest_block < m) {
    if (result.largest_block == 1)
      result.geometric = static_cast<int>((linear::complex_singular_values(N).array() <= block_tolerance).count());
    ++result.largest_block;
    power = (power * N).eval();
  }
  return result;
}

// A feedback can be so uneven that small singular values mean no zeros. Zeros in blocks of size k show as eigenvalues
// of the size eps^(1/k): if there are not so many, the tolerance was too large.
Eigenvalue zeros_of(MatrixXd& A) {
  VectorXd sizes = linear::schur(A).T.diagonal().cwiseAbs();
  std::sort(sizes.begin(), sizes.end());
  for (double tolerance = rank_tolerance; tolerance > 1e-16; tolerance /= 10) {
    MatrixXd rest = A;
    const Eigenvalue zero = split_off_zeros(rest, tolerance);
    if (zero.algebraic == 0) break;
    if (sizes(zero.algebraic - 1) > 10 * std::pow(rank_tolerance, 1.0 / zero.largest_block)) continue;
    A = std::move(rest);
    return zero;
  }
  return {0, 0, 0, 0};
}

// Of a matrix of size 1.
std::vector<Eigenvalue> eigenvalues_of(MatrixXd A) {
  std::vector<Eigenvalue> result;
  if (A.rows() == 0) return result;
  if (const Eigenvalue zero = zeros_of(A); zero.algebraic > 0) result.push_back(zero);
  if (A.rows() == 0) return result;
  const linear::Schur form = linear::schur(A);
  for (const linear::Cluster& cluster : linear::clusters(form.T.diagonal(), cluster_distance))
    result.push_back(cluster.members.size() == 1 ? Eigenvalue{cluster.mean} : examined_cluster(cluster, form));
  return result;
}

// Every zero of K is a block of size 2, and +-lambda are semisimple: no need to look at a matrix of twice the size.
std::vector<Eigenvalue> eigenvalues_of_stiffness(const ScaledModel& model) {
  std::vector<Eigenvalue> result;
  const VectorXd mu = linear::symmetric_eigen(model.K).values;
  const double size = model.rate * model.rate;
  for (Eigen::Index i = 0; i < mu.size();) {
    Eigen::Index end = i + 1;
    while (end < mu.size() && mu(end) - mu(end - 1) <= rank_tolerance * size) ++end;
    const double mean = mu.segment(i, end - i).mean();
    const int count = static_cast<int>(end - i);
    if (std::abs(mean) <= rank_tolerance * size) {
      result.push_back({0, 2 * count, count, 2});
    } else {
      const Complex root = std::sqrt(Complex(-mean));
      result.push_back({root, count, count, 1});
      result.push_back({-root, count, count, 1});
    }
    i = end;
  }
  return result;
}

double unpaired(const Spectrum& spectrum) {
  double worst = 0;
  for (const Eigenvalue& one : spectrum.values) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Eigenvalue& other : spectrum.values)
      if (other.algebraic == one.algebraic) nearest = std::min(nearest, std::abs(one.value + other.value));
    worst = std::max(worst, nearest);
  }
  return worst / spectrum.rate;
}

// x'' + C x' + K x = 0: nothing measures x, and no energy decides.
ScaledModel with_indefinite_mass(const LinearModel& model) {
  ScaledModel result;
  result.to_basis = MatrixXd::Identity(model.K.rows(), model.K.rows());
  result.to_force = linear::inverse(model.M);
  result.K = linear::solve_columns(model.M, model.K);
  result.C = linear::solve_columns(model.M, model.D + model.G);
  if (!result.K.allFinite() || !result.C.allFinite())
    throw std::domain_error("the mass matrix of this linear model is singular");
  const double rate = std::max(std::sqrt(result.K.norm()), result.C.norm());
  if (rate > 0) result.rate = rate;
  result.is_damped = model.has_forces && result.C.norm() > rank_tolerance * result.rate;
  result.is_gyroscopic = !result.is_damped && result.C.norm() > rank_tolerance * result.rate;
  return result;
}

}  // namespace

Signature signature(const MatrixXd& symmetric, double tolerance) {
  const VectorXd values = linear::symmetric_eigen(symmetric).values;
  if (values.size() == 0) return {};
  const double threshold = tolerance * values.cwiseAbs().maxCoeff();
  Signature result;
  for (const double value : values)
    ++(std::abs(value) <= threshold ? result.zero : value > 0 ? result.positive : result.negative);
  return result;
}

ScaledModel scaled(const LinearModel& model) {
  const Eigen::Index n = model.K.rows();
  ScaledModel result;
  if (model.is_field) {
    result.to_basis = result.to_force = MatrixXd::Identity(n, n);
    result.K = model.K;
    result.C = model.D + model.G;
    if (n > 0 && model.K.norm() > 0) result.rate = model.K.norm();
    return result;
  }
  const std::optional<MatrixXd> S = linear::whitening(model.M);
  if (!S) return with_indefinite_mass(model);
  result.to_basis = *S;
  result.to_force = S->transpose();
  result.K = S->transpose() * model.K * *S;
  const MatrixXd D = S->transpose() * model.D * *S, G = S->transpose() * model.G * *S;
  result.C = D + G;
  if (!model.has_forces) {
    result.K = (result.K + result.K.transpose()).eval() / 2;
    result.C = G;
  }
  const double rate = std::max(std::sqrt(result.K.norm()), result.C.norm());
  if (rate > 0) result.rate = rate;
  result.is_symmetric = (result.K - result.K.transpose()).norm() <= rank_tolerance * result.rate * result.rate;
  result.is_damped = model.has_forces && D.norm() > rank_tolerance * result.rate;
  result.is_gyroscopic = G.norm() > rank_tolerance * result.rate;
  return result;
}

Eigenvalue Spectrum::zero() const {
  for (const Eigenvalue& one : values)
    if (one.value == 0.0) return one;
  return {0, 0, 0, 0};
}

std::vector<Complex> Spectrum::all() const {
  std::vector<Complex> result;
  for (const Eigenvalue& one : values) result.insert(result.end(), static_cast<std::size_t>(one.algebraic), one.value);
  return result;
}

Spectrum spectrum(const LinearModel& model) {
  const ScaledModel s = scaled(model);
  const Eigen::Index n = s.K.rows();
  Spectrum result;
  result.rate = s.rate;
  if (!model.is_field && s.is_symmetric && !s.is_damped && !s.is_gyroscopic) {
    result.values = eigenvalues_of_stiffness(s);
  } else {
    MatrixXd A;
    if (model.is_field) {
      A = -s.K / s.rate;
    } else {
      A = MatrixXd::Zero(2 * n, 2 * n);
      A.topRightCorner(n, n).setIdentity();
      A.bottomLeftCorner(n, n) = -s.K / (s.rate * s.rate);
      A.bottomRightCorner(n, n) = -s.C / s.rate;
    }
    result.values = eigenvalues_of(A);
    for (Eigenvalue& one : result.values) one.value *= s.rate;
  }
  sort(result);
  if (!model.has_forces) result.pairing_error = unpaired(result);
  return result;
}

Spectrum spectrum(const MatrixXd& A) {
  Spectrum result;
  if (A.norm() > 0) result.rate = A.norm();
  result.values = eigenvalues_of(A / result.rate);
  for (Eigenvalue& one : result.values) one.value *= result.rate;
  sort(result);
  return result;
}

Eigen::MatrixXcd mode_shapes(const LinearModel& model, const Eigenvalue& one) {
  const ScaledModel s = scaled(model);
  const Complex lambda = one.value / s.rate;
  const double order = model.is_field ? 1 : 2;
  Eigen::MatrixXcd pencil = (s.K / std::pow(s.rate, order)).cast<Complex>();
  if (model.is_field) {
    pencil.diagonal().array() += lambda;
  } else {
    pencil += lambda * s.C / s.rate;
    pencil.diagonal().array() += lambda * lambda;
  }
  const Eigen::MatrixXcd y = linear::complex_null_space_of(pencil, one.geometric);
  Eigen::MatrixXcd result = (model.basis * s.to_basis).cast<Complex>() * y;
  for (Eigen::Index j = 0; j < result.cols(); ++j) {
    Eigen::Index largest = 0;
    result.col(j).cwiseAbs().maxCoeff(&largest);
    result.col(j) /= Complex(result(largest, j));
  }
  return result;
}

}  // namespace hamel
