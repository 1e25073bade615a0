// A column of a sweep over a grid of two quantities, as a map in colours.
#pragma once

#include <string>

#include "hamel/record/sweep_table.hpp"

namespace hamel {

std::string map_picture(const SweepTable& table, std::size_t column);

}  // namespace hamel
