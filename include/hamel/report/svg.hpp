// Drawing by hand: the few elements of SVG that our pictures are made of.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "hamel/graph/escape.hpp"

namespace hamel::svg {

struct Point {
  double x, y;
};
using Curve = std::vector<Point>;

inline std::string polyline(const Curve& curve, const std::string& colour, double width, double opacity) {
  std::string points;
  for (const auto& [x, y] : curve) points += fmt::format("{:.1f},{:.1f} ", x, y);
  return fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"{}\"/>\n", points,
      colour, width, opacity);
}

struct Style {
  const char* anchor = "start";
  std::string colour = "#333";
  int size = 15;
};

// Text with elements in it, which are written as they are.
inline std::string rich_text(Point at, const std::string& markup, const Style& style = {}) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\" fill=\"{}\" font-size=\"{}\">{}</text>\n",
                     at.x, at.y, style.anchor, style.colour, style.size, markup);
}

inline std::string text(Point at, const std::string& words, const Style& style = {}) {
  return rich_text(at, xml_text(words), style);
}

// From below to above, beside an axis.
inline std::string upright_text(Point at, const std::string& words, const Style& style = {}) {
  return fmt::format("<g transform=\"translate({:.0f} {:.0f}) rotate(-90)\">{}</g>\n", at.x, at.y,
                     text({0, 0}, words, style));
}

inline std::string line(Point a, Point b, const std::string& colour) {
  return fmt::format("<line x1=\"{:.0f}\" y1=\"{:.0f}\" x2=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"{}\"/>\n", a.x, a.y, b.x,
                     b.y, colour);
}

inline std::string disc(Point at, double radius, const std::string& colour) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\"/>\n", at.x, at.y, radius, colour);
}

// A white page of this size, with its contents.
inline std::string page(int width, int height, const std::string& contents) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{2}</svg>\n",
      width, height, contents);
}

}  // namespace hamel::svg
