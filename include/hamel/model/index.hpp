// Coordinates and components are numbered by int; containers ask for std::size_t.
#pragma once

#include <cstddef>

namespace hamel {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace hamel
