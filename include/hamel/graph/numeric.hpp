// The functions of functions.def on numbers, by their own names.
#pragma once

#include "hamel/graph/table.hpp"

namespace hamel::numeric {

inline double square(double a) { return a * a; }
inline double less_equal(double a, double b) { return a <= b ? 1 : 0; }
inline double select(double condition, double if_true, double if_false) { return condition != 0 ? if_true : if_false; }

#define FUNCTION_1(name, value, ...) \
  inline double name(double a) { return value; }
#define FUNCTION_2(name, value, ...) \
  inline double name(double a, double b) { return value; }
#include "hamel/graph/functions.def"

}  // namespace hamel::numeric
