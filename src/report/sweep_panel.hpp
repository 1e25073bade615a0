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
// Round numbers within, about so many.
std::vector<double> ticks(AxisRange span, int about);
std::string tick_text(double value, AxisRange span);

struct Panel {
  double left = 0, top = 0, width = 100, height = 100;
  AxisRange x = {}, y = {};

  svg::Point place(double at, double value) const {
    return {left + width * x.part(at), top + height * (1 - y.part(value))};
  }
  std::string axes(const std::string& x_name, const std::string& y_name) const;
};

}  // namespace hamel
