#include "hamel/analyze/region.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/analyze/stability.hpp"
#include "hamel/report/region_picture.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

std::vector<RegionAxis> axes_of(const NamedNumbers& along, const Model& model, const LinearModel& linear) {
  if (along.size() == 0) return usual_region_axes(model, linear);
  std::vector<RegionAxis> axes;
  for (const auto& [key, value] : along) {
    const auto axis = nb::cast<std::string>(key);
    const Numbers limits = numbers_of(value, "the limits of " + axis);
    if (limits.values.size() != 2)
      throw std::invalid_argument(
          fmt::format("an axis has two limits, low and high; {} has {}", axis, limits.values.size()));
    axes.push_back(region_axis(model, linear, axis, limits.values[0], limits.values[1]));
  }
  return axes;
}

Array starts_of(const Region& region) {
  MatrixXd at(static_cast<Eigen::Index>(region.starts.size()), static_cast<Eigen::Index>(region.axes.size()));
  for (Eigen::Index k = 0; k < at.rows(); ++k) at.row(k) = region.starts[static_cast<std::size_t>(k)].at;
  return array_of(at);
}

Array times_of(const Region& region) {
  VectorXd times(static_cast<Eigen::Index>(region.starts.size()));
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    const Region::Start& start = region.starts[static_cast<std::size_t>(k)];
    times(k) = start.fate == Fate::home ? start.time : std::numeric_limits<double>::infinity();
  }
  return array_of(times);
}

Fate fate_named(const std::string& wanted) {
  for (const Fate fate : {Fate::home, Fate::away, Fate::lost, Fate::given_up, Fate::not_tried})
    if (wanted == name(fate)) return fate;
  throw std::invalid_argument(
      fmt::format("there is no fate {}: there are home, away, lost, given up and not tried", wanted));
}

}  // namespace

void bind_regions(nb::module_& m) {
  nb::class_<Region>(m, "Region", "From where a system comes home to an equilibrium: what was counted, no proof.")
      .def_prop_ro(
          "axes",
          [](const Region& region) {
            nb::typed<nb::list, nb::typed<nb::tuple, std::string, double, double>> axes;
            for (const RegionAxis& axis : region.axes) axes.append(nb::make_tuple(axis.name, axis.low, axis.high));
            return axes;
          },
          "Name, lowest and highest value of each.")
      .def_ro("points", &Region::points, "Of a grid, along each axis, the first of which changes fastest; 0: random.")
      .def_ro("ball", &Region::ball, "How near is home.")
      .def_ro("stay", &Region::stay, "For how long it must stay there.")
      .def_ro("until", &Region::until, "When a start that is not home is away.")
      .def_prop_ro("at", starts_of, nb::rv_policy::automatic, "The starts: their values along the axes.")
      .def_prop_ro(
          "fates",
          [](const Region& region) {
            std::vector<std::string> fates;
            for (const Region::Start& start : region.starts) fates.emplace_back(name(start.fate));
            return fates;
          },
          "Of every start: home, away, lost, given up or not tried.")
      .def_prop_ro("times", times_of, nb::rv_policy::automatic,
                   "When it came home for good; infinite where it did not.")
      .def(
          "count", [](const Region& region, const std::string& fate) { return region.count(fate_named(fate)); },
          nb::arg("fate"), "How many starts have this fate.")
      .def_prop_ro("rule", &Region::rule, "What home and away mean, in words.")
      .def(
          "svg", [](const Region& region, const std::string& title) { return draw(region, title); },
          nb::arg("title") = "", "A drawing.")
      .def("__repr__", [](const Region& region) {
        return fmt::format("<hamel.Region: {} of {} starts come home>", region.count(Fate::home), region.starts.size());
      });
  m.def(
      "_region",
      [](const System& system, const State& state, const NamedNumbers& along, int grid, int sample, unsigned seed,
         double ball, double stay, double until, double seconds, std::size_t steps, unsigned threads) {
        const Linearization linearization(system);
        const LinearModel linear = examined(linearization, state).linear;
        RegionOptions options{.axes = axes_of(along, system.model(), linear),
                              .points = grid,
                              .sample = sample,
                              .seed = seed,
                              .ball = ball,
                              .stay = stay,
                              .until = until,
                              .seconds = seconds,
                              .steps = steps,
                              .threads = threads};
        return interruptible([&](const std::atomic<bool>& stop) {
          options.go_on = [&](double) { return !stop; };
          return region_of_attraction(linearization, linear, options);
        });
      },
      nb::arg("system"), nb::arg("state"), nb::arg("along"), nb::arg("grid"), nb::arg("sample"), nb::arg("seed"),
      nb::arg("ball"), nb::arg("stay"), nb::arg("until"), nb::arg("seconds"), nb::arg("steps"), nb::arg("threads"));
}

}  // namespace hamel::python
