// Along which axes starts are taken, by name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hamel/analyze/region.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/model/name_list.hpp"

namespace hamel {

namespace {

using Eigen::Index;

// "x2" of hamel linearize, or an entry of q.
VectorXd direction_named(const std::string& name, const Model& model, const LinearModel& linear) {
  const std::vector<std::string> entries = entry_names(model);
  const auto entry = std::find(entries.begin(), entries.end(), name);
  if (entry != entries.end()) {
    const Index i = entry - entries.begin();
    const VectorXd x = linear::least_squares(linear.basis, VectorXd::Unit(linear.basis.rows(), i));
    const double moved = linear.basis.row(i).dot(x);
    if (std::abs(moved) < 1e-8) throw std::invalid_argument(fmt::format("{} cannot change at this equilibrium", name));
    return x / moved;
  }
  std::vector<std::string> known;
  for (int k = 0; k < linear.size(); ++k) {
    known.push_back(fmt::format("x{}", k + 1));
    if (known.back() == name) return VectorXd::Unit(linear.size(), k);
  }
  known.insert(known.end(), entries.begin(), entries.end());
  const std::string near = suggestion(name, known);
  throw std::invalid_argument(
      fmt::format("{} is no direction{}", name,
                  near.empty() ? fmt::format("; there are {}, and each with '", name_list(known)) : near));
}

}  // namespace

RegionAxis region_axis(const Model& model, const LinearModel& linear, const std::string& name, double low,
                       double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || name.empty())
    throw std::invalid_argument(fmt::format("an axis is a name and two numbers, got {}, {} and {}", name, low, high));
  RegionAxis axis{.name = name, .point = {}, .rate = {}, .low = low, .high = high};
  const bool is_rate = name.back() == '\'';
  (is_rate ? axis.rate : axis.point) = direction_named(is_rate ? name.substr(0, name.size() - 1) : name, model, linear);
  return axis;
}

// What people would try: to tilt what turns first, and to push it.
std::vector<RegionAxis> usual_region_axes(const Model& model, const LinearModel& linear) {
  Index chosen = 0;
  double reach = 1;
  Index begin = 0;
  for (const Coordinate& coordinate : model.coordinates()) {
    const bool turns = coordinate.space.turning() != Turning::none;
    for (Index k = 0; turns && reach == 1 && k < linear.basis.cols(); ++k)
      if (linear.basis.col(k).segment(begin, coordinate.space.ambient()).norm() > 0.5) {
        chosen = k;
        reach = 0.98 * std::numbers::pi;
      }
    begin += coordinate.space.ambient();
  }
  Index entry = 0;
  const bool is_entry = linear.basis.col(chosen).cwiseAbs().maxCoeff(&entry) > 1 - 1e-12;
  const std::string name =
      is_entry ? entry_names(model)[static_cast<std::size_t>(entry)] : fmt::format("x{}", chosen + 1);
  const VectorXd unit = direction_named(name, model, linear);
  std::vector<RegionAxis> axes = {{.name = name, .point = unit, .rate = {}, .low = -reach, .high = reach}};
  if (linear.is_field) {
    const Index next = (chosen + 1) % linear.size();
    if (next != chosen)
      axes.push_back({.name = fmt::format("x{}", next + 1),
                      .point = VectorXd::Unit(linear.size(), next),
                      .rate = {},
                      .low = -reach,
                      .high = reach});
    return axes;
  }
  const double fast = std::max(1.0, 3 * std::sqrt(std::abs(linear.K(chosen, chosen) / linear.M(chosen, chosen))));
  axes.push_back({.name = name + "'", .point = {}, .rate = unit, .low = -fast, .high = fast});
  return axes;
}

}  // namespace hamel
