#include "hamel/report/sweep_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/report/svg.hpp"
#include "hamel/report/words.hpp"
#include "report/sweep_axes.hpp"
#include "report/sweep_map.hpp"
#include "report/sweep_panel.hpp"

namespace hamel {

namespace {

constexpr std::size_t most_pictures = 12, most_in_matrix = 5, most_dots = 2000;
constexpr const char* ink = "#1f4e8c";

// When members ended is said by the event that ended them.
bool is_drawn(const SweepStatistics& column) {
  return !column.varies && column.name != "t" && column.count > 1 && column.high > column.low;
}

std::vector<std::size_t> drawn_columns(const SweepTable& table) {
  std::vector<std::size_t> all;
  for (std::size_t j = 0; j < table.statistics().size(); ++j)
    if (is_drawn(table.statistics()[j])) all.push_back(j);
  return all;
}

AxisRange range_of(const SweepStatistics& column) {
  const AxisRange span = axis_range(column.low, column.high);
  const double margin = 0.04 * (span.high - span.low);
  return {span.low - margin, span.high + margin};
}

std::string headline(const SweepTable& table, const std::string& name) {
  return svg::text({84, 26}, name, {.size = 17}) + svg::text({624, 26}, failed_text(table), {"end", failed_ink, 13});
}

std::string line_picture(const SweepTable& table, std::size_t column, const std::vector<std::string>& names) {
  const SweepStatistics& y = table.statistics()[column];
  const auto [low, high] = std::minmax({table.at(0, 0), table.at(table.members() - 1, 0)});
  const Panel panel{.left = 84, .top = 56, .width = 540, .height = 300, .x = axis_range(low, high), .y = range_of(y)};
  std::string text = headline(table, names[column]) + panel.axes(names[0], "");
  svg::Curve curve;
  const auto end = [&] {
    if (curve.size() > 1) text += svg::polyline(curve, ink, 1.8, 1);
    curve.clear();
  };
  const std::uint64_t stride = table.members() / 4000 + 1;
  for (std::uint64_t k = 0; k < table.members(); k += stride) {
    if (table.has_failed(k) || !std::isfinite(table.at(k, column))) {
      end();
      const svg::Point at = panel.place(table.at(k, 0), panel.y.low);
      if (table.has_failed(k)) text += svg::line({at.x, at.y - 9}, at, failed_ink);
      continue;
    }
    curve.push_back(panel.place(table.at(k, 0), table.at(k, column)));
    if (table.members() <= 60) text += svg::disc(curve.back(), 3, ink);
  }
  end();
  return svg::page(680, 420, text);
}

std::vector<double> counts_of(const SweepTable& table, std::size_t column, AxisRange span, std::size_t bins) {
  std::vector<double> counts(bins, 0);
  for (std::uint64_t k = 0; k < table.members(); ++k) {
    const double x = table.at(k, column);
    if (table.has_failed(k) || !std::isfinite(x)) continue;
    const double place = span.part(x) * static_cast<double>(bins);
    ++counts[std::min(static_cast<std::size_t>(std::max(place, 0.0)), bins - 1)];
  }
  return counts;
}

std::size_t bins_for(std::uint64_t members) {
  return static_cast<std::size_t>(std::clamp(std::sqrt(static_cast<double>(members)), 8.0, 60.0));
}

std::string bars(const Panel& panel, const std::vector<double>& counts) {
  std::string text;
  const double w = panel.width / static_cast<double>(counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double h = panel.height * counts[k] / panel.y.high;
    text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                        panel.left + w * static_cast<double>(k) + 0.3, panel.top + panel.height - h,
                        std::max(w - 0.6, 0.4), h, ink);
  }
  return text;
}

std::string histogram(const SweepTable& table, std::size_t column, const std::string& name) {
  const SweepStatistics& x = table.statistics()[column];
  const AxisRange span = axis_range(x.low, x.high);
  const std::vector<double> counts = counts_of(table, column, span, bins_for(x.count));
  const double most = *std::max_element(counts.begin(), counts.end());
  const Panel panel{.left = 84, .top = 56, .width = 540, .height = 260, .x = span, .y = {0, 1.06 * most}};
  return svg::page(680, 380, headline(table, name) + bars(panel, counts) + panel.axes(name, "members"));
}

std::string scatter_matrix(const SweepTable& table, const std::vector<std::size_t>& columns,
                           const std::vector<std::string>& names) {
  constexpr double cell = 150, gap = 12, first = 100;
  std::string text;
  const std::uint64_t stride = table.members() / most_dots + 1;
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const SweepStatistics &x = table.statistics()[columns[j]], &y = table.statistics()[columns[i]];
      Panel panel{.left = first + static_cast<double>(j) * (cell + gap),
                  .top = 34 + static_cast<double>(i) * (cell + gap),
                  .width = cell,
                  .height = cell,
                  .x = range_of(x),
                  .y = range_of(y)};
      text +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#ccc\"/>\n",
                      panel.left, panel.top, cell, cell);
      if (i == 0) text += svg::text({panel.left + cell / 2, 22}, names[columns[j]], {"middle", "#333", 13});
      if (j == 0) {
        text += svg::upright_text({16, panel.top + cell / 2}, names[columns[i]], {"middle", "#333", 13});
        for (const auto& [value, words] : ticks(panel.y, 3))
          text += svg::text({first - 7, panel.place(panel.x.low, value).y + 4}, words, {"end", "#555", 11});
      }
      if (i + 1 == columns.size())
        for (const auto& [value, words] : ticks(panel.x, 3))
          text += svg::text({panel.place(value, 0).x, panel.top + cell + 16}, words, {"middle", "#555", 11});
      if (i == j) {
        const std::vector<double> counts = counts_of(table, columns[i], panel.x, 24);
        panel.y = {0, 1.1 * std::max(1.0, *std::max_element(counts.begin(), counts.end()))};
        text += bars(panel, counts);
        continue;
      }
      for (std::uint64_t k = 0; k < table.members(); k += stride) {
        const double a = table.at(k, columns[j]), b = table.at(k, columns[i]);
        if (!table.has_failed(k) && std::isfinite(a) && std::isfinite(b))
          text += svg::disc(panel.place(a, b), 1.3, ink);
      }
    }
  const int size = static_cast<int>(first + static_cast<double>(columns.size()) * (cell + gap));
  const int caption = size - static_cast<int>(first) + 76;
  text += svg::text({first, static_cast<double>(caption)}, failed_text(table), {"start", failed_ink, 13});
  return svg::page(size + 10, caption + 14, text);
}

std::vector<std::size_t> matrix_columns(const SweepTable& table, const std::vector<std::size_t>& drawn) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < table.header().varied.size() && columns.size() < 3; ++j)
    if (table.statistics()[j].high > table.statistics()[j].low) columns.push_back(j);
  for (const std::size_t j : drawn)
    if (columns.size() < most_in_matrix) columns.push_back(j);
  return columns;
}

}  // namespace

std::vector<Picture> draw(const SweepTable& table) {
  table.need_whole();
  std::vector<Picture> pictures;
  const std::vector<std::size_t> columns = drawn_columns(table);
  const std::vector<std::string> names = axis_names(table);
  const std::size_t sides = table.header().sides.size(), varied = table.header().varied.size();
  const bool is_line = varied == 1 && sides == 1, is_map = varied == 2 && sides == 2;
  for (const std::size_t column : columns) {
    if (pictures.size() == most_pictures) break;
    const std::string& name = table.statistics()[column].name;
    pictures.push_back({name, is_map    ? map_picture(table, column, names)
                              : is_line ? line_picture(table, column, names)
                                        : histogram(table, column, names[column])});
  }
  const std::vector<std::size_t> matrix = matrix_columns(table, columns);
  if (!is_line && !is_map && matrix.size() > 1)
    pictures.push_back({"each against each", scatter_matrix(table, matrix, names)});
  return pictures;
}

std::string sheet(const std::vector<Picture>& pictures) {
  std::string text;
  double y = 0, width = 0;
  for (const Picture& picture : pictures) {
    double w = 0, h = 0;
    const std::size_t box = picture.svg.find("viewBox=\"0 0 ");
    if (box == std::string::npos || std::sscanf(picture.svg.c_str() + box, "viewBox=\"0 0 %lf %lf", &w, &h) != 2)
      continue;
    text += fmt::format("<svg x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"{}", y, w, h, picture.svg.substr(4));
    y += h;
    width = std::max(width, w);
  }
  return svg::page(static_cast<int>(width), static_cast<int>(y), text);
}

}  // namespace hamel
