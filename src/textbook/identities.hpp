// Identities that need several terms of a sum: sin^2 + cos^2 = 1, cos f cos g + sin f sin g = cos(f - g),
// (x.e1)(y.e1) + (x.e2)(y.e2) + (x.e3)(y.e3) = x.y, |v|^-2 (v.v) = 1. Each makes the sum shorter.
#pragma once

#include "textbook/algebra.hpp"

namespace hamel::textbook {

Sum with_identities(const Sum& sum);

}  // namespace hamel::textbook
