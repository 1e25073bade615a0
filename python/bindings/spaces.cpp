#include "hamel/manifold/spaces.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"

namespace hamel::python {

namespace {

VectorXd point_of(const Manifold& space, nb::handle point) {
  const Numbers numbers = numbers_of(point, "a point");
  VectorXd q = numbers.matrix().reshaped();
  if (q.size() != space.ambient())
    throw std::invalid_argument(
        fmt::format("a point of {} has {} numbers, not {}", space.name(), space.ambient(), q.size()));
  return q;
}

Array in_shape(const Manifold& space, const VectorXd& q) {
  const auto [rows, cols] = space.shape();
  return shaped(q.reshaped(rows, cols));
}

}  // namespace

void bind_spaces(nb::module_& m) {
  nb::class_<Manifold>(m, "Space", "A configuration space: R3, S1, S2, SO3, SE3, ...")
      .def("__repr__", &Manifold::name)
      .def_prop_ro("name", &Manifold::name, "As in model files.")
      .def_prop_ro("dimension", &Manifold::dimension, "Degrees of freedom.")
      .def_prop_ro(
          "is_angle", [](const Manifold& space) { return space.turning() == Turning::plane; },
          "Is it a direction of the plane, as S1 and SO2?")
      .def_prop_ro("is_flat", &Manifold::is_flat, "Is it R^n?")
      .def_prop_ro("ambient", &Manifold::ambient, "How many numbers a point has.")
      .def_prop_ro(
          "shape",
          [](const Manifold& space) -> nb::typed<nb::tuple, int, nb::ellipsis> {
            const auto [rows, cols] = space.shape();
            return rows * cols == 1 ? nb::make_tuple() : cols == 1 ? nb::make_tuple(rows) : nb::make_tuple(rows, cols);
          },
          "Of the array of a point.")
      .def(
          "project",
          [](const Manifold& space, const ArrayLike& point) {
            const VectorXd x = point_of(space, point);
            VectorXd q(x.size());
            space.project(x, q);
            return in_shape(space, q);
          },
          nb::arg("point"), "The nearest point of the space.")
      .def(
          "defect", [](const Manifold& space, const ArrayLike& point) { return space.defect(point_of(space, point)); },
          nb::arg("point"), "How far a point is from the space.");
  m.def(
      "space", [](const std::string& name, const std::vector<int>& numbers) { return space_by_name(name, numbers); },
      nb::arg("name"), nb::arg("numbers") = std::vector<int>{},
      "A space by its name in model files: space('Stiefel', [4, 2]).");
}

}  // namespace hamel::python
