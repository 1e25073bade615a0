// How far a point is from balance: the force that is left on a coordinate, relative to what acts on this coordinate. A
// heavy one says nothing of a light one.
#pragma once

#include "analyze/scales.hpp"
#include "hamel/analyze/linear_model.hpp"

namespace hamel {

// Of the forces that act at a point, in natural coordinates; sizes in ambient ones.
struct Acting {
  VectorXd force, reaction;        // F without reactions, and these
  MatrixXd by_point, by_velocity;  // dF/dq, dF/dv
  VectorXd of_others;              // how much of F accelerations and inputs are
  VectorXd sizes;                  // of the terms that cancel, row after row
};
// The largest of all coordinates; infinite where sizes are. Columns of the frame span the directions that constraints
// leave.
double imbalance(const System& system, const Scales& scales, const Acting& acting, const MatrixXd& frame,
                 const LinearModel& at);

}  // namespace hamel
