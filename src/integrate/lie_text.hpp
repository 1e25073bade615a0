// A step of rkmk4 or commutator_free4 as text, for lanes and for a GPU: the operations of lie_rk_step.cpp and of
// group_action.cpp, in their order.
#pragma once

#include <string>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

// Empty where no text is known of what the group of a factor does. An element of the algebra has the numbers of the
// quasi-velocities here. The text has
//
//   FUNCTION void lie_step(FIELD, number t, number h, const number* y, const number* rate_at_y, number* end)
//   FUNCTION void drop_isotropy(const number* q, number* xi)
//
// and relies on NQ, NY, EACH(i, n), number, mask, pick, any and root, as lane_text.hpp has them, UNROLL before a loop
// of three passes, SINE(x), and RATE(t, y, k) with the parameters FIELD.
std::string lie_text(const System& system, LieScheme scheme);

}  // namespace hamel
