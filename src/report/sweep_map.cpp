#include "report/sweep_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hamel/report/svg.hpp"
#include "hamel/report/words.hpp"
#include "report/base64.hpp"
#include "report/png.hpp"
#include "report/sweep_axes.hpp"
#include "report/sweep_panel.hpp"

namespace hamel {

namespace {

constexpr std::uint8_t shades = 252, never_shade = 253, failed_shade = 254, undone_shade = 255;
constexpr std::uint64_t most_pixels = 1200;  // along a side
constexpr std::size_t most_classes = 8;
constexpr Colour never_colour{236, 236, 236}, failed_colour{255, 0, 170};
constexpr double map_left = 84, map_top = 66, map_size = 470;

// From dark blue by green to yellow: as light as it is large, for those who see no colours, too.
Colour shade_of(double part) {
  constexpr std::array<std::array<double, 3>, 5> stations{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(part, 0.0, 1.0) * 4;
  const auto k = std::min<std::size_t>(static_cast<std::size_t>(at), 3);
  Colour result{};
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = static_cast<std::uint8_t>(
        std::lround(stations[k][i] + (at - static_cast<double>(k)) * (stations[k + 1][i] - stations[k][i])));
  return result;
}

Colour class_colour(std::size_t k) {
  static constexpr std::array<Colour, most_classes> colours{{{31, 78, 140},
                                                             {224, 138, 30},
                                                             {46, 139, 87},
                                                             {178, 58, 72},
                                                             {122, 87, 166},
                                                             {90, 160, 200},
                                                             {200, 180, 60},
                                                             {120, 120, 120}}};
  return colours[k % colours.size()];
}

std::string hex(const Colour& colour) { return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]); }

// How numbers become colours: a few whole numbers are classes, what is spread over powers of ten is logarithmic.
class Scale {
 public:
  Scale(const SweepTable& table, std::size_t column)
      : span_{table.statistics()[column].low, table.statistics()[column].high} {
    find_classes(table, column);
    logarithmic_ = classes_.empty() && span_.low > 0 && span_.high / span_.low > 30;
    if (logarithmic_) span_ = {std::log10(span_.low), std::log10(span_.high)};
    span_ = axis_range(span_.low, span_.high);
  }

  std::uint8_t shade(double x) const {
    if (!std::isfinite(x)) return never_shade;
    if (!classes_.empty()) return static_cast<std::uint8_t>(std::distance(classes_.begin(), classes_.find(x)));
    const double part = span_.part(logarithmic_ ? std::log10(x) : x);
    return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * shades));
  }

  std::vector<Colour> palette() const {
    std::vector<Colour> all;
    for (std::size_t k = 0; k < 256; ++k)
      all.push_back(classes_.empty() ? shade_of(static_cast<double>(k) / shades) : class_colour(k));
    all[never_shade] = never_colour;
    all[failed_shade] = failed_colour;
    all[undone_shade] = {255, 255, 255};
    return all;
  }

  std::string legend() const { return classes_.empty() ? bar() : list(); }

 private:
  void find_classes(const SweepTable& table, std::size_t column) {
    for (std::uint64_t k = 0; k < table.members(); ++k) {
      const double x = table.at(k, column);
      if (table.has_failed(k) || !std::isfinite(x)) continue;
      if (x != std::floor(x) || (classes_.insert(x), classes_.size() > most_classes)) {
        classes_.clear();
        return;
      }
    }
  }

  std::string bar() const {
    constexpr double x = map_left + map_size + 24, width = 18;
    std::string text;
    for (int k = 0; k < 94; ++k)
      text += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"5.5\" fill=\"{}\"/>\n", x,
                          map_top + map_size - 5 * (k + 1), width, hex(shade_of(k / 93.0)));
    const Panel panel{.left = x, .top = map_top, .width = width, .height = map_size, .x = {}, .y = span_};
    for (const auto& [value, words] : logarithmic_ ? logarithmic_ticks(span_, 6) : ticks(span_, 6))
      text += svg::text({x + width + 8, panel.place(0, value).y + 4}, words, {"start", "#555", 13});
    if (logarithmic_) text += svg::text({x, map_top - 10}, "logarithmic", {"start", "#555", 13});
    return text;
  }

  std::string list() const {
    std::string text;
    double y = map_top + 12;
    std::size_t k = 0;
    for (const double x : classes_) {
      text += fmt::format("<rect x=\"{}\" y=\"{:.0f}\" width=\"16\" height=\"16\" fill=\"{}\"/>\n",
                          map_left + map_size + 24, y - 12, hex(class_colour(k++)));
      text += svg::text({map_left + map_size + 48, y + 2}, brief(x, 4), {"start", "#333", 14});
      y += 24;
    }
    return text;
  }

  AxisRange span_;
  std::set<double> classes_;
  bool logarithmic_ = false;
};

AxisRange cells_of(double first, double last, std::uint64_t count) {
  const double half = count < 2 ? 0 : std::abs(last - first) / static_cast<double>(count - 1) / 2;
  const AxisRange cells = axis_range(std::min(first, last) - half, std::max(first, last) + half);
  return first <= last ? cells : AxisRange{cells.high, cells.low};
}

std::string other_colours(const SweepTable& table, std::size_t column) {
  std::vector<std::pair<std::string, std::string>> entries;
  if (table.statistics()[column].never > 0) entries.emplace_back(hex(never_colour), "never");
  if (table.failed() > 0) entries.emplace_back(hex(failed_colour), "failed");
  std::string text;
  double x = map_left + map_size + 16, y = map_top + map_size + 22;
  for (const auto& [colour, words] : entries) {
    text += fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"13\" height=\"13\" fill=\"{}\" stroke=\"#bbb\"/>\n", x,
                        y - 11, colour);
    text += svg::text({x + 19, y}, words, {"start", "#555", 13});
    y += 20;
  }
  return text;
}

}  // namespace

std::string map_picture(const SweepTable& table, std::size_t column, const std::vector<std::string>& names) {
  // Of a sweep that is not finished, the lines that were begun.
  const std::uint64_t side = table.header().sides[1], across = (table.members() + side - 1) / side,
                      up = std::min(side, table.members());
  const std::uint64_t stride_x = (across + most_pixels - 1) / most_pixels,
                      stride_y = (up + most_pixels - 1) / most_pixels;
  const std::uint64_t w = (across + stride_x - 1) / stride_x, h = (up + stride_y - 1) / stride_y;
  const Scale scale(table, column);
  std::vector<std::uint8_t> pixels;
  for (std::uint64_t j = h; j-- > 0;)
    for (std::uint64_t i = 0; i < w; ++i) {
      const std::uint64_t member = i * stride_x * side + j * stride_y;
      pixels.push_back(member >= table.members()  ? undone_shade
                       : table.has_failed(member) ? failed_shade
                                                  : scale.shade(table.at(member, column)));
    }
  const Panel panel{.left = map_left,
                    .top = map_top,
                    .width = map_size,
                    .height = map_size,
                    .x = cells_of(table.at(0, 0), table.at((across - 1) * side, 0), across),
                    .y = cells_of(table.at(0, 1), table.at(up - 1, 1), up)};
  std::string text = svg::text({map_left, 26}, names[column], {.size = 17});
  text += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
      map_left, map_top, map_size, map_size,
      base64(png(static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(h), pixels, scale.palette())));
  text += panel.axes(names[0], names[1]);
  text += svg::text({map_left + map_size, 26}, failed_text(table), {"end", failed_ink, 13});
  text += scale.legend() + other_colours(table, column);
  return svg::page(680, 610, text);
}

}  // namespace hamel
