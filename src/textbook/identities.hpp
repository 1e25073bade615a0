// Identities that need several terms of a sum: sin^2 + cos^2 = 1, (x.e1)(y.e1) + (x.e2)(y.e2) + (x.e3)(y.e3) = x.y.
#pragma once

#include "textbook/algebra.hpp"

namespace hamel::textbook {

Sum with_identities(const Sum& scalar);

}  // namespace hamel::textbook
