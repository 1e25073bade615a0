#include "panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace hamel {
namespace {

constexpr double width = 420, height = 280, left = 60, right = 15, top = 40, bottom = 35;
constexpr std::array colors = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void include(const std::vector<double>& values) {
    for (const double value : values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  void widen() {
    const double rim = high > low ? 0.05 * (high - low) : 1;
    low -= rim;
    high += rim;
  }
  double part(double value) const { return (value - low) / (high - low); }
};

// 1, 2 or 5 times a power of ten, so that there are about five of them.
double spacing(const Range& range) {
  const double raw = (range.high - range.low) / 5, unit = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * unit) return factor * unit;
  return 10 * unit;
}

class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, double x, double y) : panel_(panel), x0_(x + left), y0_(y + top) {
    for (const Curve& curve : panel.curves) {
      across_.include(curve.x);
      up_.include(curve.y);
    }
    across_.widen();
    up_.widen();
  }

  std::string text() const {
    std::string result = fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#888\"/>\n",
        x0_, y0_ - 8, panel_.title, x0_, y0_, wide(), high());
    result += ticks();
    for (std::size_t k = 0; k < panel_.curves.size(); ++k) result += curve(k);
    return result + legend();
  }

 private:
  static constexpr double wide() { return width - left - right; }
  static constexpr double high() { return height - top - bottom; }
  double x(double value) const { return x0_ + wide() * across_.part(value); }
  double y(double value) const { return y0_ + high() * (1 - up_.part(value)); }

  std::string ticks() const {
    std::string result;
    const double dx = spacing(across_), dy = spacing(up_);
    for (double v = std::ceil(across_.low / dx) * dx; v <= across_.high; v += dx)
      result += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.3g}</text>\n", x(v),
                            y0_ + high() + 16, std::abs(v) < dx / 2 ? 0.0 : v);
    for (double v = std::ceil(up_.low / dy) * dy; v <= up_.high; v += dy)
      result += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n", x0_ - 6, y(v) + 4,
                            std::abs(v) < dy / 2 ? 0.0 : v);
    return result;
  }

  std::string curve(std::size_t k) const {
    const Curve& curve = panel_.curves[k];
    const char* color = colors[k % colors.size()];
    std::string points;
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      points += fmt::format("{:.2f},{:.2f} ", x(curve.x[i]), y(curve.y[i]));
    return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" points=\"{}\"/>\n", color, points);
  }

  // In the line of the title: curves may be anywhere within.
  std::string legend() const {
    std::string names;
    for (std::size_t k = 0; k < panel_.curves.size(); ++k)
      names += fmt::format("<tspan fill=\"{}\" dx=\"8\">{}</tspan>", colors[k % colors.size()], panel_.curves[k].name);
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x0_ + wide() - 8, y0_ - 8,
                       names);
  }

  const Panel& panel_;
  double x0_, y0_;
  Range across_, up_;
};

}  // namespace

void draw(const std::string& path, const std::string& title, const std::vector<Panel>& panels) {
  const double rows = std::ceil(static_cast<double>(panels.size()) / 2), heading = 30;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"20\" font-size=\"15\" text-anchor=\"middle\">{3}</text>\n",
      2 * width, rows * height + heading, width, title);
  for (std::size_t k = 0; k < panels.size(); ++k)
    text += PanelDrawing(panels[k], static_cast<double>(k % 2) * width, heading + static_cast<double>(k / 2) * height)
                .text();
  std::ofstream file(path);
  if (!(file << text << "</svg>\n")) throw std::runtime_error("cannot write " + path);
}

}  // namespace hamel
