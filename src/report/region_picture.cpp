#include "hamel/report/region_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hamel/report/svg.hpp"
#include "hamel/report/words.hpp"

namespace hamel {

namespace {

constexpr double field_left = 78, field_top = 62, field_width = 520, field_height = 420;
constexpr const char* away_colour = "#f2dcd6";
constexpr const char* lost_colour = "#b9bdc4";
constexpr const char* given_up_colour = "#e8c15a";
constexpr const char* untried_colour = "#ffffff";

// From dark to light with the time that it took.
std::string home_colour(double part) {
  constexpr std::array<double, 3> soon = {18, 62, 110}, late = {172, 210, 236};
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = static_cast<int>(std::lround(soon[i] + part * (late[i] - soon[i])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

double longest_time(const Region& region) {
  double longest = 0;
  for (const Region::Start& start : region.starts)
    if (start.fate == Fate::home) longest = std::max(longest, start.time);
  return longest;
}

std::string colour_of(const Region::Start& start, double longest) {
  switch (start.fate) {
    case Fate::home:
      return home_colour(longest > 0 ? std::sqrt(start.time / longest) : 0);
    case Fate::away:
      return away_colour;
    case Fate::lost:
      return lost_colour;
    case Fate::given_up:
      return given_up_colour;
    case Fate::not_tried:
      return untried_colour;
  }
  return untried_colour;
}

struct Frame {
  const Region& region;
  bool flat = region.axes.size() < 2;
  double down = flat ? 40 : field_height;

  double x(double value) const { return field_left + field_width * part(0, value); }
  double y(double value) const { return flat ? field_top + down / 2 : field_top + down * (1 - part(1, value)); }

 private:
  double part(std::size_t axis, double value) const {
    const RegionAxis& a = region.axes[axis];
    return (value - a.low) / (a.high - a.low);
  }
};

std::string rectangle(double x, double y, double w, double h, const std::string& colour) {
  return fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, y, w, h,
                     colour);
}

std::string starts_of(const Region& region, const Frame& frame) {
  const double longest = longest_time(region);
  std::string text;
  for (const Region::Start& start : region.starts) {
    const std::string colour = colour_of(start, longest);
    const double x = frame.x(start.at(0)), y = frame.y(frame.flat ? 0 : start.at(1));
    if (region.points == 0) {
      text += svg::disc({x, y}, 3.2, colour);
      continue;
    }
    // A cell around each start, half of it at the borders.
    const double w = field_width / (region.points - 1), h = frame.flat ? frame.down : frame.down / (region.points - 1);
    const double x0 = std::max(x - w / 2, field_left), x1 = std::min(x + w / 2, field_left + field_width);
    const double y0 = std::max(y - h / 2, field_top), y1 = std::min(y + h / 2, field_top + frame.down);
    text += rectangle(x0, y0, x1 - x0 + 0.3, y1 - y0 + 0.3, colour);
  }
  return text;
}

std::string axis_text(const RegionAxis& axis, const Frame& frame, bool upright) {
  std::string text;
  constexpr int marks = 4;
  for (int k = 0; k <= marks; ++k) {
    const double value = axis.low + (axis.high - axis.low) * k / marks;
    const std::string number = brief(std::abs(value) < 1e-12 * (axis.high - axis.low) ? 0 : value, 3);
    text += upright
                ? svg::text({field_left - 16, frame.y(value) + 5}, number, {.anchor = "end", .size = 13})
                : svg::text({frame.x(value), field_top + frame.down + 30}, number, {.anchor = "middle", .size = 13});
  }
  return text + (upright ? svg::text({14, field_top - 14}, axis.name, {.size = 15})
                         : svg::text({field_left + field_width / 2, field_top + frame.down + 54}, axis.name,
                                     {.anchor = "middle"}));
}

std::string legend(const Region& region, double y) {
  std::string text;
  double x = field_left;
  const auto entry = [&](const std::string& colour, const std::string& words) {
    text += rectangle(x, y - 11, 14, 14, colour) + svg::text({x + 20, y + 1}, words, {.size = 13});
    x += 32 + 7.2 * static_cast<double>(words.size());
  };
  entry(home_colour(0.3), fmt::format("home {} (dark: soon)", region.count(Fate::home)));
  entry(away_colour, fmt::format("away {}", region.count(Fate::away)));
  if (region.count(Fate::lost) > 0) entry(lost_colour, fmt::format("lost {}", region.count(Fate::lost)));
  if (region.count(Fate::given_up) > 0)
    entry(given_up_colour, fmt::format("given up {}", region.count(Fate::given_up)));
  if (region.count(Fate::not_tried) > 0)
    entry(untried_colour, fmt::format("not tried {}", region.count(Fate::not_tried)));
  return text;
}

}  // namespace

std::string draw(const Region& region, const std::string& title) {
  const Frame frame{region};
  const double bottom = field_top + frame.down;
  std::string text = svg::text({field_left, 26}, title, {.size = 17});
  text += starts_of(region, frame);
  if (region.starts.empty()) return svg::page(640, 120, text);
  const auto inside = [](const RegionAxis& axis) { return axis.low < 0 && axis.high > 0; };
  if (inside(region.axes[0]) && (frame.flat || inside(region.axes[1])))
    text += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"none\" stroke=\"#e08a1e\" stroke-width=\"2.5\"/>\n",
        frame.x(0), frame.y(0));
  text += axis_text(region.axes[0], frame, false);
  if (!frame.flat) text += axis_text(region.axes[1], frame, true);
  text += legend(region, bottom + 84);
  return svg::page(640, static_cast<int>(bottom) + 104, text);
}

}  // namespace hamel
