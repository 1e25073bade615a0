// Steps of dop853 in eight lanes as one text: attempts, and how long the next ones are.
#pragma once

#include <string>

#include "hamel/program/program.hpp"

namespace hamel {

// Around the field of (q, xi). As LaneDop853 has it, to the same bits, but that what is not finite is unusual:
//
//   in    inputs, constants, settings (relative, absolute, largest step), limits, targets, one in the lanes that are
//   taken out   y, then t, h and whether the last attempt failed, then one where something unusual was met, then how
//   many
//         attempts are left
//
// Ends before an attempt that may pass the target of a lane, and after one that brings a lane to its limit.
std::string dop853_lane_text(const Program& motion, long ambient, long size);

}  // namespace hamel
