// A field with two axes that numbers are drawn into.
#pragma once

#include <string>
#include <vector>

#include "hamel/report/svg.hpp"

namespace hamel {

struct AxisRange {
  double low = 0, high = 1;
  double part(double x) const { return (x - low) / (high - low); }
};

// Widened where it would be empty.
AxisRange axis_range(double low, double high);
struct Tick {
  double at;
  std::string text;
};
// Round numbers within, about so many; low may be above high.
std::vector<Tick> ticks(AxisRange span, int about);
// The same for powers of ten, at the places of their exponents.
std::vector<Tick> logarithmic_ticks(AxisRange span, int about);

struct Panel {
  double left = 0, top = 0, width = 100, height = 100;
  AxisRange x = {}, y = {};

  svg::Point place(double at, double value) const {
    return {left + width * x.part(at), top + height * (1 - y.part(value))};
  }
  std::string axes(const std::string& x_name, const std::string& y_name) const;
};

}  // namespace hamel
