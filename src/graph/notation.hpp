// The smallest parts of a printed expression: names and numbers in each notation.
#pragma once

#include <string>
#include <string_view>

#include "hamel/graph/print.hpp"

namespace hamel {

// omega_1 -> \omega_{1}, q'[0] -> \dot{q}_{0} in LaTeX; q'[0] -> q_dot[0] in C.
std::string printed_name(std::string_view name, Notation notation);

// The shortest digits that read back as the same double; 17 of them in C.
std::string printed_number(double value, Notation notation);

}  // namespace hamel
