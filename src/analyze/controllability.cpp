#include "hamel/linear/controllability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analyze/directions.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/program/program.hpp"

namespace hamel {
namespace {

using Eigen::Index;

// x = S y, time in units of 1 / rate.
struct OwnUnits {
  LinearModel model;
  VectorXd S;
  double rate = 1;
};

double fastest(const LinearModel& model) {
  const MatrixXd A = model.first_order().A;
  const double of_spectrum = linear::schur(A).T.diagonal().cwiseAbs().maxCoeff();
  const Index n = model.K.rows();
  if (model.is_field) return std::max(of_spectrum, 1e-3 * A.norm());
  const double of_sizes = std::sqrt(A.bottomLeftCorner(n, n).norm()) + A.bottomRightCorner(n, n).norm();
  return std::max(of_spectrum, 1e-3 * of_sizes);  // all eigenvalues may be zero: a quadrotor that hovers
}

OwnUnits in_own_units(const LinearModel& model) {
  OwnUnits result{model, VectorXd::Ones(model.K.rows())};
  LinearModel& own = result.model;
  if (!model.is_field) result.S = model.M.diagonal().cwiseSqrt().cwiseInverse();
  for (MatrixXd* X : {&own.M, &own.D, &own.G, &own.K}) *X = result.S.asDiagonal() * *X * result.S.asDiagonal();
  own.B = result.S.asDiagonal() * own.B;
  if (const double rate = own.K.rows() == 0 ? 0 : fastest(own); rate > 0) result.rate = rate;
  own.K /= model.is_field ? result.rate : result.rate * result.rate;
  if (!model.is_field) own.D /= result.rate, own.G /= result.rate;
  return result;
}

MatrixXd with_unit_columns(MatrixXd X) {
  for (auto column : X.colwise())
    if (const double size = column.lpNorm<Eigen::Infinity>(); size > 0) column /= size;
  return X;
}

// lambda^2 M + lambda (D + G) + K beside what comes and goes with it.
MatrixXcd pencil(const LinearModel& own, Complex lambda) {
  const MatrixXd rate = own.D + own.G;
  MatrixXcd result = MatrixXcd::Zero(own.K.rows(), own.K.cols());
  for (Index j = 0; j < result.cols(); ++j)
    for (Index i = 0; i < result.rows(); ++i)
      result(i, j) =
          own.is_field ? lambda * rate(i, j) + own.K(i, j) : lambda * (lambda * own.M(i, j) + rate(i, j)) + own.K(i, j);
  return result;
}

// The eigenvalues of A of the upper half plane. A block of size k splits its own by eps^(1/k): the means of close ones
// are tried, too, and those of what is not so close.
std::vector<Complex> candidates(const MatrixXd& A) {
  const VectorXcd spectrum = linear::schur(A).T.diagonal();
  std::vector<Complex> result;
  for (const double distance : {1e-7, 1e-3})
    for (const linear::Cluster& cluster : linear::clusters(spectrum, distance * std::max(A.norm(), 1e-300)))
      if (cluster.mean.imag() >= -1e-9 * A.norm()) result.push_back(cluster.mean);
  return result;
}

using Bordered = std::function<MatrixXcd(Complex)>;
void measure_margin(Reach& reach, const OwnUnits& own, const Bordered& bordered) {
  reach.margin = INFINITY;
  for (const Complex lambda : candidates(own.model.first_order().A)) {
    const VectorXd sizes = linear::complex_singular_values(bordered(lambda));
    const double smallest = sizes(own.model.K.rows() - 1);
    if (smallest < reach.margin) reach.margin = smallest, reach.weakest = lambda * own.rate;
  }
  if (!std::isfinite(reach.margin)) reach.margin = 0;
}

// Modes of the first-order form in units of its own, as directions of the model.
void collect_hidden(Reach& reach, const LinearModel& model, const OwnUnits& own, std::vector<linear::HiddenMode> modes,
                    bool covectors) {
  const Index n = model.K.rows();
  reach.states = reach.reached = model.order() * static_cast<int>(n);
  for (linear::HiddenMode& mode : modes) {
    reach.reached -= static_cast<int>(mode.vectors.cols());
    VectorXd units(model.order() * n);
    units.head(n) = covectors ? own.S.cwiseInverse() : own.S;
    if (!model.is_field) units.tail(n) = units.head(n) * (covectors ? 1 / own.rate : own.rate);
    mode.vectors = units.cast<Complex>().asDiagonal() * mode.vectors;
    mode.eigenvalue *= own.rate;
    const double zero = 1e-9 * own.rate;
    if (mode.eigenvalue.real() >= -zero) reach.stabilizable = false;
    if (mode.eigenvalue.imag() < -zero) continue;  // with its conjugate
    reach.hidden.push_back(direction_of(model, mode, covectors, zero));
  }
}

}  // namespace

// Newton's method; one step where the inputs enter as they are.
LinearModel trimmed(const Linearization& linearization, const State& state, const Generator& moving) {
  VectorXd u = VectorXd::Zero(linearization.system().inputs());
  for (int k = 0; k < 10; ++k) {
    const LinearModel found = linearization.near(state.t, state.q, u, moving);
    if (found.imbalance <= 1e-12 || u.size() == 0) break;
    const VectorXd change = linear::shortest_least_squares(found.B, found.residual);
    u += change;
    if (change.norm() <= 1e-14 * u.norm()) break;
  }
  return linearization.at(state, u, moving);
}

Reach controllability(const LinearModel& model) {
  const OwnUnits own = in_own_units(model);
  LinearModel scaled = own.model;
  scaled.B = with_unit_columns(own.model.B);
  const auto [A, B] = scaled.first_order();
  Reach reach;
  collect_hidden(reach, model, own, linear::uncontrollable_modes(A, with_unit_columns(B)), true);
  measure_margin(reach, own, [&](Complex lambda) {
    MatrixXcd result(scaled.K.rows(), scaled.K.rows() + scaled.B.cols());
    result << pencil(scaled, lambda), scaled.B.cast<Complex>();
    return result;
  });
  return reach;
}

Measurements measurements(const LinearModel& model, const std::vector<Model::Named>& outputs) {
  if (!model.moving.is_rest())
    throw std::invalid_argument("measurements in a frame that moves are not offered: take an equilibrium");
  const Model& of = *model.at.model;
  const Sheet sheet(of);
  LoweredModel lowered = sheet.lowered;
  Measurements result;
  Exprs values, by_q, by_v;
  for (const auto& [name, formula] : outputs) {
    const MatrixXe value = lower(formula, of, lowered);
    for (Index k = 0; k < value.size(); ++k) {
      result.names.push_back(value.size() == 1 ? name : fmt::format("{}[{}]", name, k + of.first_index()));
      const Expr y = value.data()[k];
      values.push_back(y);
      for (const Expr d : gradient(y, lowered.q)) by_q.push_back(d);
      for (const Expr d : gradient(y, lowered.v)) by_v.push_back(d);
    }
  }
  const auto rows = static_cast<Index>(values.size()), N = static_cast<Index>(lowered.q.size()), n = model.K.rows();
  result.value.resize(rows);
  MatrixXd of_q(N, rows), of_v(N, rows);
  const Program program("measurements", {lowered.q, lowered.v, lowered.u, lowered.parameters, {lowered.t}},
                        {values, by_q, by_v});
  const VectorXd parameters = parameter_values(of), none = VectorXd::Zero(N);
  VectorXd scratch(static_cast<Index>(program.scratch_size()));
  const double* in[] = {model.at.q.data(), none.data(), model.inputs.data(), parameters.data(), &model.at.t};
  double* out[] = {result.value.data(), of_q.data(), of_v.data()};
  program.run(in, out, scratch.data());
  result.C = MatrixXd::Zero(rows, model.order() * n);
  result.C.leftCols(n) = of_q.transpose() * model.basis;
  if (!model.is_field) result.C.rightCols(n) = of_v.transpose() * model.basis;
  for (Index k = 0; k < rows; ++k)
    if (!std::isfinite(result.value(k)) || !result.C.row(k).allFinite())
      throw std::domain_error(fmt::format("the output {} is not defined, or not differentiable, at this equilibrium",
                                          result.names[static_cast<std::size_t>(k)]));
  return result;
}

Reach observability(const LinearModel& model, const Measurements& measured) {
  const OwnUnits own = in_own_units(model);
  const Index n = model.K.rows(), outputs = measured.C.rows();
  MatrixXd C = measured.C;
  C.leftCols(n) = C.leftCols(n) * own.S.asDiagonal();
  if (!model.is_field) C.rightCols(n) = own.rate * C.rightCols(n) * own.S.asDiagonal();
  C = with_unit_columns(C.transpose()).transpose().eval();
  Reach reach;
  collect_hidden(reach, model, own, linear::unobservable_modes(own.model.first_order().A, C), false);
  measure_margin(reach, own, [&](Complex lambda) {
    MatrixXcd result(n + outputs, n);
    result.topRows(n) = pencil(own.model, lambda);
    result.bottomRows(outputs) = C.leftCols(n).cast<Complex>();
    if (!model.is_field) result.bottomRows(outputs) += lambda * C.rightCols(n).cast<Complex>();
    return result;
  });
  return reach;
}

std::vector<std::string> input_names(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.inputs().size(); ++i) {
    const Input& input = model.inputs()[i];
    for (int k = 0; k < input.size && !model.follows_law(i); ++k)
      names.push_back(input.size == 1 ? input.name : fmt::format("{}[{}]", input.name, k + model.first_index()));
  }
  return names;
}

}  // namespace hamel
