#include "report/sweep_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "hamel/report/words.hpp"

namespace hamel {

AxisRange axis_range(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-12 * size && high > low) return {low, high};
  const double half = size > 0 ? 0.05 * size : 1;
  return {low - half, high + half};
}

namespace {

std::vector<double> round_numbers(double low, double high, int about) {
  const double rough = (high - low) / about, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough) step = factor * power;
  std::vector<double> all;
  const double first = std::ceil(low / step - 1e-9);
  for (int k = 0; k <= 2 * about; ++k) {
    const double value = (first + k) * step;
    if (!(value <= high + 1e-9 * step)) break;
    if (all.empty() || value > all.back()) all.push_back(value);  // of large numbers the next may be the same
  }
  return all;
}

// As short as lets everybody read the value from it, to a hundredth of what is between two.
std::vector<std::string> texts_of(const std::vector<double>& values) {
  constexpr int fewest = 4, most = 17;
  const double between = values.size() > 1 ? values[1] - values[0] : 0;
  std::vector<std::string> texts(values.size());
  for (int digits = fewest; digits <= most; ++digits) {
    bool is_enough = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
      texts[k] = brief(values[k], digits);
      is_enough = is_enough && std::abs(std::strtod(texts[k].c_str(), nullptr) - values[k]) <= 0.01 * between;
    }
    if (is_enough) break;
  }
  return texts;
}

}  // namespace

std::vector<Tick> ticks(AxisRange span, int about) {
  const std::vector<double> values = round_numbers(std::min(span.low, span.high), std::max(span.low, span.high), about);
  const std::vector<std::string> texts = texts_of(values);
  std::vector<Tick> all;
  for (std::size_t k = 0; k < values.size(); ++k) all.push_back({values[k], texts[k]});
  return all;
}

std::vector<Tick> logarithmic_ticks(AxisRange span, int about) {
  const double decades = span.high - span.low, stride = std::max(1.0, std::ceil(decades / about));
  std::vector<Tick> all;
  for (double k = std::floor(span.low / stride) * stride; k <= span.high; k += stride)
    for (const int factor : {1, 2, 5}) {
      const double at = k + std::log10(factor);
      if ((factor == 1 || decades < 3) && at >= span.low && at <= span.high)
        all.push_back({at, brief(factor * std::pow(10, k), 2)});
    }
  return all;
}

std::string Panel::axes(const std::string& x_name, const std::string& y_name) const {
  std::string text;
  const double bottom = top + height, right = left + width;
  for (const auto& [value, words] : ticks(x, 6)) {
    const double at = place(value, y.low).x;
    text += svg::line({at, bottom}, {at, bottom + 5}, "#999");
    text += svg::text({at, bottom + 21}, words, {"middle", "#555", 13});
  }
  for (const auto& [value, words] : ticks(y, 5)) {
    const double at = place(x.low, value).y;
    text += svg::line({left - 5, at}, {left, at}, "#999");
    text += svg::text({left - 9, at + 4}, words, {"end", "#555", 13});
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
