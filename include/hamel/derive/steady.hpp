// The equations of a steady motion, whose velocity and acceleration are known at every point (those of rest are zero),
// and how they change, as kernels. What they are for: analyze/linear_model.hpp.
//
//   F = E^T (d/dt dL/dv - dL/dq - f + C^T lambda) = 0,     c(q) = 0;     of a field: F = E^T (v - f + C^T lambda)
//
// Natural coordinates, E and the order of the constraints are those of derive/tangent.hpp. Here q, v and a are ambient
// and independent. Matrices are given column by column.
#pragma once

#include "hamel/derive/kernel.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct SteadyKernels {
  Kernel balance;     // (q, v, a, u, {t}) -> (F at lambda = 0, E^T C^T, c, sizes of what cancels)
  Kernel variations;  // (q, v, a, lambda, u, {t}) -> (F_q, F_v, F_a, F_u)
  Kernel momentum;    // (q, v, {t}) -> (p, p_q, p_v), p = dL/dv; empty of a field
  int natural = 0, multipliers = 0, inputs = 0, sizes = 0;
  bool depends_on_time = false;

  void set_parameters(In values);
};
SteadyKernels steady_kernels(const Model& model);

}  // namespace hamel
