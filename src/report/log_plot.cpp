#include "hamel/report/log_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hamel {
namespace {

using svg::Curve;
using svg::Point;

constexpr int page_width = 760, page_height = 520, name_size = 14, tick_size = 13;
constexpr double left = 90, right = 740, top = 50, bottom = 455;

struct Box {
  double left, top, right, bottom;

  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  bool contains(Point p) const { return left < p.x && p.x < right && top < p.y && p.y < bottom; }
  Box grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
  Box with(Point p) const {
    return {std::min(left, p.x), std::min(top, p.y), std::max(right, p.x), std::max(bottom, p.y)};
  }
};
constexpr Box axes{left, top, right, bottom};

// Powers of ten from one whole number to another, over a stretch of the page.
struct Axis {
  int low, high;
  double begin, end;

  double place(double value) const { return place_of_power(std::log10(value)); }
  double place_of_power(double power) const { return begin + (power - low) / (high - low) * (end - begin); }
};

Axis axis_over(const LogPlot& plot, double Point::*coordinate, double begin, double end) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const NamedCurve& curve : plot.curves)
    for (const Point& point : curve.points) {
      low = std::min(low, std::log10(point.*coordinate));
      high = std::max(high, std::log10(point.*coordinate));
    }
  const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::ceil(high));
  return {first, std::max(last, first + 1), begin, end};
}

std::string power_of_ten(int power) { return fmt::format("10<tspan dy=\"-5\" font-size=\"10\">{}</tspan>", power); }

std::string grid(const Axis& x, const Axis& y) {
  std::string result;
  for (int power = x.low; power <= x.high; ++power) {
    const double at = x.place_of_power(power);
    result += svg::line({at, top}, {at, bottom}, "#e4e4e4");
    result += svg::rich_text({at, bottom + 22}, power_of_ten(power), {"middle", "#555", tick_size});
  }
  const int stride = y.high - y.low > 8 ? 2 : 1;
  for (int power = y.high; power >= y.low; power -= stride) {
    const double at = y.place_of_power(power);
    result += svg::line({left, at}, {right, at}, "#e4e4e4");
    result += svg::rich_text({left - 10, at + 5}, power_of_ten(power), {"end", "#555", tick_size});
  }
  return result + svg::line({left, bottom}, {right, bottom}, "#999") + svg::line({left, top}, {left, bottom}, "#999");
}

Curve placed(const Curve& curve, const Axis& x, const Axis& y) {
  Curve result;
  for (const Point& point : curve) result.push_back({x.place(point.x), y.place(point.y)});
  return result;
}

// Points along the curve, dense enough to be seen by a box that it crosses.
Curve refined(const Curve& curve) {
  constexpr int pieces = 30;
  if (curve.size() == 1) return curve;
  Curve result;
  for (std::size_t i = 0; i + 1 < curve.size(); ++i)
    for (int k = 0; k <= pieces; ++k) {
      const double s = static_cast<double>(k) / pieces;
      result.push_back({(1 - s) * curve[i].x + s * curve[i + 1].x, (1 - s) * curve[i].y + s * curve[i + 1].y});
    }
  return result;
}

// Puts every name near its own curve, where it covers neither curves nor other names: one after the other, in the best
// of some orders.
class Names {
 public:
  Names(const std::vector<Curve>& curves, const std::vector<NamedCurve>& named) {
    for (const Curve& curve : curves) ink_.push_back(refined(curve));
    std::vector<std::size_t> order(curves.size());
    std::iota(order.begin(), order.end(), 0);
    double best = std::numeric_limits<double>::infinity();
    std::vector<Box> chosen;
    for (std::size_t turn = 0; turn < 2 * order.size(); ++turn) {
      taken_.assign(curves.size(), {});
      double price = 0;
      for (const std::size_t curve : order) price += put(curve, named[curve].name);
      if (price < best) best = price, chosen = taken_;
      std::rotate(order.begin(), order.begin() + 1, order.end());
      if (turn + 1 == order.size()) std::reverse(order.begin(), order.end());
    }
    taken_ = chosen;
  }

  Point place(std::size_t curve) const { return {taken_[curve].left, taken_[curve].bottom - 2}; }

 private:
  // Returns how bad the best place is.
  double put(std::size_t curve, const std::string& name) {
    const double w = 0.6 * name_size * static_cast<double>(name.size()), h = name_size;
    double best = std::numeric_limits<double>::infinity();
    Box chosen{};
    for (const Point& anchor : ink_[curve])
      for (const double away : {6.0, 10.0, 16.0})
        for (const double across : {0.0, 0.5, 1.0})
          for (const double down : {0.0, 0.5, 1.0}) {
            const double x = anchor.x + (1 - across) * away - across * (w + away);
            const double y = anchor.y + (1 - down) * away - down * (h + away);
            const Box box{x, y, x + w, y + h};
            // The lower end of a curve is where it says most.
            const double price = covered(curve, box, anchor) + 0.05 * away + 2e-3 * (bottom - anchor.y);
            if (price < best) best = price, chosen = box;
          }
    taken_[curve] = chosen;
    return best;
  }

  // Curves under the name, close to it, or between it and its own curve.
  double covered(std::size_t own, const Box& box, Point anchor) const {
    constexpr double near = 5;
    double price = 0;
    for (const Box& other : taken_)
      if (box.overlaps(other)) price += 1000;
    if (box.left < axes.left + 4 || box.right > axes.right || box.top < axes.top || box.bottom > axes.bottom - 4)
      price += 1000;
    const Box under = box.grown(2), around = box.grown(near), hull = box.with(anchor);
    for (std::size_t i = 0; i < ink_.size(); ++i)
      for (const Point& point : ink_[i]) {
        if (under.contains(point)) price += 10;
        if (i != own && around.contains(point)) price += 0.5;
        if (i != own && hull.contains(point)) price += 5;
      }
    return price;
  }

  std::vector<Curve> ink_;
  std::vector<Box> taken_;
};

}  // namespace

std::string draw(const LogPlot& plot) {
  const Axis x = axis_over(plot, &Point::x, left, right), y = axis_over(plot, &Point::y, bottom, top);
  std::string drawing = grid(x, y);
  std::vector<Curve> curves;
  for (const NamedCurve& curve : plot.curves) curves.push_back(placed(curve.points, x, y));
  const Names names(curves, plot.curves);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    drawing += svg::polyline(curves[i], plot.curves[i].colour, 2, 1);
    for (const Point& point : curves[i]) drawing += svg::disc(point, 3.5, plot.curves[i].colour);
  }
  for (std::size_t i = 0; i < curves.size(); ++i)
    drawing += svg::text(names.place(i), plot.curves[i].name, {"start", plot.curves[i].colour, name_size});
  drawing += svg::text({left, 28}, plot.title);
  drawing += svg::text({(left + right) / 2, bottom + 48}, plot.x_label, {"middle", "#555", tick_size});
  drawing += fmt::format("<g transform=\"rotate(-90 22 {0:.0f})\">{1}</g>\n", (top + bottom) / 2,
                         svg::text({22, (top + bottom) / 2}, plot.y_label, {"middle", "#555", tick_size}));
  return svg::page(page_width, page_height, drawing);
}

}  // namespace hamel
