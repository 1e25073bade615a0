// What is asked of `integrate`, apart from the method and the state where it begins, checked before anything is done.
#pragma once

#include "hamel/integrate/integrate.hpp"

namespace hamel {

void check_request(const System& system, double t0, const Method& method, const Until& until, const Control& control);

// 0 for methods that choose their own.
double fixed_step(const Method& method);

// The same method with another fixed step.
Method with_step(Method method, double step);

}  // namespace hamel
