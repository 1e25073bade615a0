// What the axes of the drawings of a sweep say.
#pragma once

#include <string>
#include <vector>

#include "hamel/record/sweep_table.hpp"

namespace hamel {

constexpr const char* failed_ink = "#ff00aa";  // no class and no shade of a map is near

// Of each of its statistics: its name, with the unit that the model file gives it.
std::vector<std::string> axis_names(const SweepTable& table);
// "3 of 5 members failed"; nothing where none did.
std::string failed_text(const SweepTable& table);

}  // namespace hamel
