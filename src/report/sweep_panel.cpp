#include "report/sweep_panel.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/report/words.hpp"

namespace hamel {

AxisRange axis_range(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-12 * size && high > low) return {low, high};
  const double half = size > 0 ? 0.05 * size : 1;
  return {low - half, high + half};
}

std::vector<double> ticks(AxisRange span, int about) {
  const double rough = (span.high - span.low) / about, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough) step = factor * power;
  std::vector<double> all;
  for (double k = std::ceil(span.low / step - 1e-9); k * step <= span.high + 1e-9 * step; ++k) all.push_back(k * step);
  return all;
}

std::string tick_text(double value, AxisRange span) {
  return brief(std::abs(value) < 1e-9 * (span.high - span.low) ? 0 : value, 4);
}

std::string Panel::axes(const std::string& x_name, const std::string& y_name) const {
  std::string text;
  const double bottom = top + height, right = left + width;
  for (const double value : ticks(x, 6)) {
    const double at = place(value, y.low).x;
    text += svg::line({at, bottom}, {at, bottom + 5}, "#999");
    text += svg::text({at, bottom + 21}, tick_text(value, x), {"middle", "#555", 13});
  }
  for (const double value : ticks(y, 5)) {
    const double at = place(x.low, value).y;
    text += svg::line({left - 5, at}, {left, at}, "#999");
    text += svg::text({left - 9, at + 4}, tick_text(value, y), {"end", "#555", 13});
  }
  text += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
      "stroke=\"#999\"/>\n",
      left, top, width, height);
  text += svg::text({(left + right) / 2, bottom + 44}, x_name, {"middle", "#333", 14});
  if (!y_name.empty()) text += svg::text({left, top - 12}, y_name, {"start", "#333", 14});
  return text;
}

}  // namespace hamel
