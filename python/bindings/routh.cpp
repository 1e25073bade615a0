#include "hamel/symmetry/routh.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

nb::typed<nb::tuple, Array, Array> rebuilt(const System& system, const State& start, const RouthReduction& reduction,
                                           const Times& t, const States& q, const States& v) {
  std::vector<State> reduced(t.size());
  for (std::size_t k = 0; k < t.size(); ++k) reduced[k] = state_at(t, q, v, k);
  const std::vector<State> whole = reconstruct(system, start, reduction, reduced);
  RowMatrix points(static_cast<Eigen::Index>(whole.size()), system.ambient()), rates = points;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    points.row(static_cast<Eigen::Index>(k)) = whole[k].q;
    rates.row(static_cast<Eigen::Index>(k)) = whole[k].v;
  }
  return nb::make_tuple(array_of_rows(std::move(points)), array_of_rows(std::move(rates)));
}

}  // namespace

void bind_reductions(nb::module_& m) {
  nb::class_<RouthReduction>(m, "_RouthReduction")
      .def_ro("coordinate", &RouthReduction::coordinate)
      .def_ro("momentum", &RouthReduction::momentum)
      .def_ro("text", &RouthReduction::text);
  m.def("_cyclic_coordinates", &cyclic_coordinates, nb::arg("model"), nb::call_guard<Unlocked>());
  m.def("_routh_reduction", &routh_reduction, nb::arg("system"), nb::arg("start"), nb::arg("coordinate"),
        nb::arg("momentum").none(), nb::call_guard<Unlocked>());
  m.def("_reconstruct", rebuilt, nb::arg("system"), nb::arg("start"), nb::arg("reduction"), nb::arg("t"), nb::arg("q"),
        nb::arg("v"));
}

}  // namespace hamel::python
