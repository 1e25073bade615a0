// What is asked of `integrate`, checked before anything is done.
#pragma once

#include "hamel/integrate/integrate.hpp"

namespace hamel {

void check_request(const System& system, const State& start, const Method& method, const Until& until,
                   const Control& control);

// 0 for methods that choose their own.
double fixed_step(const Method& method);

// The same method with another fixed step.
Method with_step(Method method, double step);

}  // namespace hamel
