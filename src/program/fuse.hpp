// Products that only sums and differences use become part of these: a b + c, a b - c, c - a b, rounded once where the
// processor can (in the interpreter and in native code alike), one operation less each.
#pragma once

#include "hamel/program/code.hpp"

namespace hamel {

Code fuse(Code code);

}  // namespace hamel
