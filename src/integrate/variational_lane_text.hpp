// Whole steps of the variational integrator of the constant-mass path in eight lanes as one text.
#pragma once

#include <string>
#include <vector>

#include "hamel/derive/constant_mass.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {

// The programs of a step, as they are in lanes.
struct LaneStepPrograms {
  const Program *newton, *refine, *way, *finish, *closed;  // null where there is none

  std::vector<const Program*> all() const;
};

// As LaneVariational has it, to the same bits, where every lane has taken enough steps of this size to guess the next:
//
//   in    inputs, constants of newton, refine, way, finish and closed; t, h, origin and count of the clocks; bends;
//   ways
//         that are harmless; one in the lanes that are taken; how many steps
//   out   one where something unusual was met, the steps that were taken, q, P, the force, what q and P have lost, and
//         for each substep the last three W and lambda
//
// A lane that meets something unusual ends the steps of those beside it.
std::string variational_lane_text(const LaneStepPrograms& programs, const StepKernels& kernels,
                                  const std::vector<double>& substeps, const std::vector<CurvedFactor>& curved,
                                  long ambient, bool has_groups);

}  // namespace hamel
