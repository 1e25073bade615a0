// Energy, momentum, force and constraints of a lowered model, as kernels.
#pragma once

#include "hamel/derive/kernel.hpp"
#include "hamel/linear/sparse_rows.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

struct EnergyKernels {
  Kernel energy;    // (q, v, u, {t}) -> {T, U, E, power}, with E = v . dL/dv - L
  Kernel momentum;  // (q, v, {t}) -> p = dL/dv
  Kernel force;     // (q, v, u, {t}) -> dL/dq + f

  void set_parameters(In values);
};
EnergyKernels energy_kernels(const LoweredModel& lowered, const Parameters& parameters);

// (q, v, u, {t}) -> the power of forces, inputs and dissipation.
Kernel power_kernel(const LoweredModel& lowered, const Parameters& parameters);

// (q) -> (c, the values of its derivative G)
struct ConstraintKernel {
  Kernel kernel;
  linear::SparseRows G;
};
ConstraintKernel constraint_kernel(const LoweredModel& lowered, const Parameters& parameters);

// No forces, inputs, dissipation or explicit time.
bool is_conservative(const LoweredModel& lowered);

// The forces that are left where inputs without a law are constants, as Model::held has them: all of them, or zero.
std::vector<std::pair<Expr, Expr>> held_forces(const Model& model, const LoweredModel& lowered,
                                               const VectorXd& inputs = VectorXd());
bool is_conservative_without_inputs(const Model& model);  // where these are zero

// Refuses constraints that depend on time.
void refuse_moving_constraints(const LoweredModel& lowered);

}  // namespace hamel
