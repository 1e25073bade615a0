// A column of a sweep over a grid of two quantities, as a map in colours.
#pragma once

#include <string>
#include <vector>

#include "hamel/record/sweep_table.hpp"

namespace hamel {

// `names`: of the axes, and of what is drawn.
std::string map_picture(const SweepTable& table, std::size_t column, const std::vector<std::string>& names);

}  // namespace hamel
