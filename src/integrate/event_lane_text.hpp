// Events of whole steps in eight lanes as text: the suspicion that EventFinder would have, by its operations in their
// order.
#pragma once

#include <string>

#include "hamel/manifold/manifold.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

// NE events, numbers as Values has them, and
//
//   static void find_events(const double* u, const double* constants, number t, const number* q, const number* v,
//                           number* e)
//   static mask may_cross(number e[POINTS][NE])
//   static number between(long j, number begin, number end)     the time of point j of a step
//
// where the constants of a part of the lanes begin at PART_OF_EVENTS(part).
std::string event_lane_text(const Program& events);

// Of y = (q, xi), after field_lane_text: find_events_of(u, constants, t, y, e). That is possible where rates are not
// needed, or are entries of xi or products of one with an entry of q, as on lines and circles: these are not rounded in
// any other way.
bool can_watch_field(const Program& events, const Program& motion);
std::string field_event_lane_text(const Program& events, const Program& motion);

// A point beside the manifold, and its rate, as Manifold::project and tangent_project have them:
//
//   static void project(const number* x, const number* rate, number* q, number* v)
//
// That is possible on lines, circles and spheres.
bool can_watch_points(const Program& events, const Manifold& space);
std::string project_lane_text(const Manifold& space);

}  // namespace hamel
