#include "report/coordinate_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hamel {

namespace {

constexpr std::size_t most_together = 6;  // curves of a chart that can be told apart

std::string family_of(const std::string& name) { return name.substr(0, name.find('[')); }

class CoordinateList {
 public:
  CoordinateList(const Model& model, const Record& record) : record_(record) {
    int offset = 0;
    for (const Coordinate& coordinate : model.coordinates())
      for (const Manifold& factor : coordinate.space.factors())
        for (const Manifold& part : factor.parts()) {
          add(coordinate, factor, part, offset);
          offset += part.ambient();
        }
  }

  std::vector<Chart> charts;

 private:
  std::string name_of(int k) const { return record_.header.q_names[static_cast<std::size_t>(k)]; }

  Series series(int k) const {
    Series made{name_of(k), {}};
    for (Eigen::Index i = 0; i < record_.rows.q.rows(); ++i) made.values.push_back(record_.rows.q(i, k));
    return made;
  }

  void add(const Coordinate& coordinate, const Manifold& factor, const Manifold& part, int offset) {
    const int size = part.ambient();
    const std::string unit = part.is_flat() ? unit_of(record_.header, coordinate.name) : "";
    if (part.turning() == Turning::plane) {
      append({.title = "angle of " + coordinate.name, .unit = "rad", .series = {angle(coordinate.name, offset)}});
      charts.push_back(chart(coordinate.name, "", offset, size));
    } else if (part.turning() == Turning::body) {
      for (int column = 0; column < 3; ++column)
        charts.push_back(
            chart(fmt::format("{}{} e{}", factor.is_pose() ? "attitude of " : "", coordinate.name, column + 1), "",
                  offset + 3 * column, 3));
    } else if (size == 1) {
      append(chart(coordinate.name, unit, offset, 1));
    } else if (static_cast<std::size_t>(size) <= 2 * most_together) {
      charts.push_back(chart((factor.is_pose() ? "position of " : "") + coordinate.name, unit, offset, size));
    } else {
      for (int k = 0; k < size; k += static_cast<int>(most_together)) {
        const int last = std::min(k + static_cast<int>(most_together), size) - 1;
        charts.push_back(chart(name_of(offset + k) + " to " + name_of(offset + last), unit, offset + k, last - k + 1));
      }
    }
  }

  Chart chart(const std::string& title, const std::string& unit, int offset, int size) const {
    Chart made{.title = title, .unit = unit};
    for (int k = 0; k < size; ++k) made.series.push_back(series(offset + k));
    return made;
  }

  // Single numbers of a family share a chart: those of x[1], x[2], x[3].
  void append(const Chart& one) {
    const std::string family = family_of(one.title);
    const auto shared = std::find_if(charts.begin(), charts.end(), [&](const Chart& other) {
      return family != one.title && family_of(other.title) == family && other.unit == one.unit &&
             other.series.size() < most_together && other.series[0].name.find('.') == std::string::npos;
    });
    if (shared == charts.end()) {
      charts.push_back(one);
      return;
    }
    shared->series.push_back(one.series[0]);
    shared->title = shared->title.substr(0, shared->title.find(" to ")) + " to " + one.title.substr(family.size());
    shared->axis = family;
  }

  Series angle(const std::string& name, int offset) const {
    const Rows& rows = record_.rows;
    const VectorXd x = rows.q.col(offset), y = rows.q.col(offset + 1);
    VectorXd rate;
    if (rows.v.cols() == rows.q.cols())
      rate = x.cwiseProduct(rows.v.col(offset + 1)) - y.cwiseProduct(rows.v.col(offset));
    return {"angle of " + name, unwrapped(x, y, rate, rows.time)};
  }

  const Record& record_;
};

}  // namespace

std::string unit_of(const RecordHeader& header, const std::string& name) {
  for (const std::string& key : {name, family_of(name)})
    if (const auto found = header.units.find(key); found != header.units.end()) return found->second;
  return {};
}

std::vector<double> unwrapped(const VectorXd& x, const VectorXd& y, const VectorXd& rate, const VectorXd& time) {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<double> angles;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double angle = std::atan2(y(i), x(i));
    if (i == 0) {
      angles.push_back(angle);
      continue;
    }
    const double mean_rate = rate.size() > 0 ? (rate(i - 1) + rate(i)) / 2 : 0;
    const double expected = angles.back() + mean_rate * (time(i) - time(i - 1));
    angles.push_back(angle + turn * std::round((expected - angle) / turn));
  }
  return angles;
}

CoordinateCharts coordinate_charts(const Model& model, const Record& record, std::size_t most_numbers) {
  CoordinateCharts found{.charts = CoordinateList(model, record).charts, .note = {}};
  std::size_t series = 0;
  for (const Chart& chart : found.charts) series += chart.series.size();
  const std::size_t room = most_numbers / std::max<std::size_t>(1, record.rows.size());
  if (series <= room) return found;
  const std::size_t count = found.charts.size();
  std::vector<Chart> some;
  for (const std::size_t k : chosen_frames(count, room * count / series)) some.push_back(found.charts[k]);
  found.charts = some;
  found.note = fmt::format("{} of {} can be chosen here; hamel convert --csv writes all.", some.size(), count);
  return found;
}

}  // namespace hamel
