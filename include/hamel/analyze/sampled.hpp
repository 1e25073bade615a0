// A loop that is closed at samples only: u = inputs - gain (x, x') is held for an interval, and the state goes from
// sample to sample by a linear map,
//
//   (x, x')  ->  step (x, x'),        step = exp(A h) - B_h gain
//
//   const SampledLoop loop = sampled_loop(linear, lqr(linear, weights, {.sample = 0.01}).gain, 0.01);
//
// Its eigenvalues z are shown as rates, z = exp(lambda h): what they have in common with those of other loops.
#pragma once

#include <optional>

#include "hamel/analyze/spectrum.hpp"

namespace hamel {

struct SampledLoop {
  double interval = 0;
  MatrixXd gain, step;
  Spectrum steps;  // its eigenvalues z
  Spectrum rates;  // log(z) / interval; what is gone after one sample (z = 0) has none
};
SampledLoop sampled_loop(const LinearModel& model, const MatrixXd& gain, double interval);

// The x of its eigenvectors (x, x'), as ambient vectors with their largest entry 1.
Eigen::MatrixXcd mode_shapes(const LinearModel& model, const SampledLoop& loop, const Eigenvalue& rate);

// The sampled laws of a model (Model::law with an interval), near a point where they keep it in balance.
struct LinearLaws {
  LinearModel linear;  // the inputs are what the laws say there
  MatrixXd gain;
};
LinearLaws linear_laws(const Linearization& linearization, const State& state);

}  // namespace hamel
