#include "hamel/analyze/sampled.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/linear/schur.hpp"

namespace hamel {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double gone = 1e-13;  // |z| of what a sample ends

// (x, x') = to_state (y, y'): masses are 1, and rates are measured by the largest, so that ranks have no units.
MatrixXd to_state(const LinearModel& model) {
  const ScaledModel s = scaled(model);
  if (model.is_field) return s.to_basis;
  const Index n = s.to_basis.rows();
  MatrixXd result = MatrixXd::Zero(2 * n, 2 * n);
  result.topLeftCorner(n, n) = s.to_basis;
  result.bottomRightCorner(n, n) = s.rate * s.to_basis;
  return result;
}

// exp of [[A, B], [0, 0]] h: what the state does, and what an input that is held does to it.
MatrixXd step_of(const LinearModel& model, const MatrixXd& gain, double h) {
  const auto [A, B] = model.first_order();
  const Index n = A.rows(), m = B.cols();
  MatrixXd both = MatrixXd::Zero(n + m, n + m);
  both.topLeftCorner(n, n) = A * h;
  both.topRightCorner(n, m) = B * h;
  const MatrixXd flow = linear::exponential(both);
  return flow.topLeftCorner(n, n) - flow.topRightCorner(n, m) * gain;
}

}  // namespace

SampledLoop sampled_loop(const LinearModel& model, const MatrixXd& gain, double interval) {
  if (gain.rows() != model.B.cols() || gain.cols() != Index{model.size()} * model.order())
    throw std::invalid_argument("a gain has a row for each input and a column for each state of the linear model");
  if (!(interval > 0) || !std::isfinite(interval)) throw std::invalid_argument("a sample is held for a positive time");
  SampledLoop loop{
      .interval = interval, .gain = gain, .step = step_of(model, gain, interval), .steps = {}, .rates = {}};
  if (!loop.step.allFinite())
    throw std::domain_error("the motion grows beyond all numbers within one sample: take shorter ones");
  // What stays is told by ranks: a zero of step - 1.
  const MatrixXd T = to_state(model);
  MatrixXd change = linear::solve_columns(T, loop.step * T);
  change.diagonal().array() -= 1;
  loop.steps = spectrum(change);
  for (Eigenvalue& one : loop.steps.values) one.value += 1;
  loop.steps.rate = 0;
  for (const Eigenvalue& one : loop.steps.values) {
    loop.steps.rate = std::max(loop.steps.rate, std::abs(one.value));
    if (std::abs(one.value) <= gone) continue;
    loop.rates.values.push_back(one);
    loop.rates.values.back().value = std::log(one.value) / interval;
  }
  loop.rates.rate = 0;
  for (const Eigenvalue& one : loop.rates.values) loop.rates.rate = std::max(loop.rates.rate, std::abs(one.value));
  if (loop.rates.rate == 0) loop.rates.rate = 1;
  std::stable_sort(loop.rates.values.begin(), loop.rates.values.end(),
                   [](const Eigenvalue& a, const Eigenvalue& b) { return a.value.real() < b.value.real(); });
  return loop;
}

Eigen::MatrixXcd mode_shapes(const LinearModel& model, const SampledLoop& loop, const Eigenvalue& rate) {
  const MatrixXd T = to_state(model);
  Eigen::MatrixXcd pencil = linear::solve_columns(T, loop.step * T).cast<Complex>();
  pencil.diagonal().array() -= std::exp(rate.value * loop.interval);
  const Eigen::MatrixXcd vectors = T.cast<Complex>() * linear::complex_null_space_of(pencil, rate.geometric);
  Eigen::MatrixXcd result = model.basis.cast<Complex>() * vectors.topRows(model.size());
  for (Index j = 0; j < result.cols(); ++j) {
    Index largest = 0;
    result.col(j).cwiseAbs().maxCoeff(&largest);
    result.col(j) /= Complex(result(largest, j));
  }
  return result;
}

LinearLaws linear_laws(const Linearization& linearization, const State& state) {
  const Model& model = linearization.system().model();
  Sheet sheet(model);
  LoweredModel& lowered = sheet.lowered;
  Exprs values;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    if (model.follows_law(k)) continue;
    const Input& input = model.inputs()[k];
    const MatrixXe value = input.law && model.sample() > 0 ? lower(*input.law, model, lowered)
                                                           : MatrixXe(MatrixXe::Constant(input.size, 1, Expr()));
    values.insert(values.end(), value.data(), value.data() + value.size());
  }
  Exprs by_q, by_v;
  for (const Expr value : values)
    for (const auto& [list, variables] : {std::pair{&by_q, &lowered.q}, std::pair{&by_v, &lowered.v}}) {
      const Exprs slope = gradient(value, *variables);
      list->insert(list->end(), slope.begin(), slope.end());
    }
  const Kernel kernel("laws", {lowered.q, lowered.v, {lowered.t}}, {values, by_q, by_v}, sheet.parameters);
  const Index N = state.q.size(), m = static_cast<Index>(values.size());
  const VectorXd rest = VectorXd::Zero(N);
  VectorXd u(m), scratch(static_cast<Index>(kernel.program().scratch_size()));
  MatrixXd of_q(N, m), of_v(N, m);
  kernel.run<3, 3>({state.q.data(), rest.data(), &state.t}, {u.data(), of_q.data(), of_v.data()}, scratch.data());
  if (!u.allFinite() || !of_q.allFinite() || !of_v.allFinite())
    throw std::domain_error("the laws of " + model.name() + " are not differentiable at this point");
  LinearLaws result{.linear = linearization.at(state, u), .gain = {}};
  const LinearModel& linear = result.linear;
  result.gain.resize(m, Index{linear.size()} * linear.order());
  result.gain.leftCols(linear.size()) = -of_q.transpose() * linear.basis;
  if (!linear.is_field) result.gain.rightCols(linear.size()) = -of_v.transpose() * linear.basis;
  return result;
}

}  // namespace hamel
