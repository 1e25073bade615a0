// Curves on logarithmic axes, each named where there is room for its name.
#pragma once

#include <string>
#include <vector>

#include "svg.hpp"

namespace hamel::bench {

struct NamedCurve {
  std::string name, colour;
  svg::Curve points;  // positive
};

struct LogPlot {
  std::string title, x_label, y_label;
  std::vector<NamedCurve> curves;
};

std::string draw(const LogPlot& plot);

}  // namespace hamel::bench
