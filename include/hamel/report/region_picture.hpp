// A region of attraction as a drawing: starts that come home are blue, the darker the sooner.
#pragma once

#include <string>

#include "hamel/analyze/region.hpp"

namespace hamel {

// As SVG, along the first two axes.
std::string draw(const Region& region, const std::string& title);

}  // namespace hamel
