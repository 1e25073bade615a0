// Steps of dop853 in eight lanes as one text: attempts, and how long the next ones are.
#pragma once

#include <string>

#include "hamel/program/program.hpp"

namespace hamel {

// Around the field of (q, xi). As LaneDop853 has it, to the same bits, but that what is not finite is unusual:
//
//   in    inputs, constants, settings (relative, absolute, largest step, one where events are looked at), limits,
//         targets, one in the lanes that are taken; with events their constants
//   out   y, then t, h, whether the last attempt failed and how long it was, then one where something unusual was met,
//         then how many attempts are left; with events one where they are suspicious, and there y and t, h and the
//         failure before the last attempt
//
// Ends before an attempt that may pass the target of a lane, and after one that brings a lane to its limit or is
// suspicious.
std::string dop853_lane_text(const Program& motion, long ambient, long size, const Program* events);

}  // namespace hamel
