// Four panels of curves in one drawing, as figures of papers have them.
#pragma once

#include <string>
#include <vector>

namespace hamel {

struct Curve {
  std::string name;
  std::vector<double> x, y;
};
struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

// Two by two, as SVG.
void draw(const std::string& path, const std::string& title, const std::vector<Panel>& panels);

}  // namespace hamel
