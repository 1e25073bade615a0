// dop853 as text: for lanes and for GPUs.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "hamel/program/device_text.hpp"

namespace hamel::dop853 {

// A sum over the stages; coefficients that are zero cost nothing.
template <std::size_t size>
std::string weighted_stages(const std::array<double, size>& row) {
  std::string text = "-0.0";  // to which every number can be added at no cost
  for (std::size_t j = 0; j < size; ++j)
    if (row[j] != 0) text += fmt::format(" + {} * k[{}][i]", device_literal(row[j]), j);
  return text;
}

}  // namespace hamel::dop853
