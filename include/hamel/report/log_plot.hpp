// Curves on logarithmic axes, each named where there is room for its name.
#pragma once

#include <string>
#include <vector>

#include "hamel/report/svg.hpp"

namespace hamel {

struct NamedCurve {
  std::string name, colour;
  svg::Curve points;  // positive
};

// At least one curve with a point.
struct LogPlot {
  std::string title, x_label, y_label;
  std::vector<NamedCurve> curves;
};

std::string draw(const LogPlot& plot);

}  // namespace hamel
