// How atoms are made: intern gives an atom its key and finds out what it is made of.
#pragma once

#include "textbook/algebra.hpp"

namespace hamel::textbook {

AtomPtr intern(Atom atom);
std::string key_of(const Core& core);
bool precedes(const Core& a, const Core& b);  // the order in which factors of products are written

}  // namespace hamel::textbook
