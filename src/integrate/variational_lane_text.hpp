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

// Events that are looked at, with the program of velocities.
struct LaneStepEvents {
  const Program *events, *velocity;
  const Manifold* space;
};

// As LaneVariational has it, to the same bits, where every lane has taken enough steps of this size to guess the next:
//
//   in    inputs, constants of newton, refine, way, finish and closed; bends; ways that are harmless; with events
//         constants of the velocity, the velocity where the steps begin, and the constants of events
//   out   q, P, the force, what q and P have lost, and for each substep the last three W and lambda
std::string variational_lane_text(const LaneStepPrograms& programs, const StepKernels& kernels,
                                  const std::vector<double>& substeps, const std::vector<CurvedFactor>& curved,
                                  long ambient, bool has_groups, const LaneStepEvents* watched);

}  // namespace hamel
