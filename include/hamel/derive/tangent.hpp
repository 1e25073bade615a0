// How the motion changes with the state, the inputs and the parameters, as kernels (mechanics/derivatives.hpp).
//
// The equations of motion F(q, eta, u, p; z) = 0 are linear in z = (eta', lambda), where lambda are the multipliers of
// all constraints; of a first-order system z = (eta, lambda). Matrices are given column by column.
#pragma once

#include "hamel/derive/kernel.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct TangentKernels {
  Kernel equations;   // (q, eta, u, {t}) -> (F at z = 0, F_z)
  Kernel variations;  // (q, eta, z, u, {t}) -> (F_q E, F_eta, F_u, F_p)
  // (q, eta, {t}) -> the derivatives of the momentum by x, y and p, then those of the energy; empty where there are
  // none
  Kernel quantities;
  int natural = 0, unknowns = 0, inputs = 0, parameters = 0;

  void set_parameters(In values);
};
TangentKernels tangent_kernels(const Model& model);

}  // namespace hamel
