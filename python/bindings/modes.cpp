#include "hamel/analyze/modes.hpp"

#include <fmt/format.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "interrupt.hpp"

namespace hamel::python {

void bind_modes(nb::module_& m) {
  nb::class_<Mode>(m, "Mode", "A motion of the linear equations: x(t) = Re(exp(eigenvalue t) shape).")
      .def_prop_ro(
          "eigenvalue", [](const Mode& mode) { return mode.eigenvalue.value; }, "Of a conjugate pair, the upper one.")
      .def_prop_ro(
          "frequency", [](const Mode& mode) { return mode.eigenvalue.frequency(); }, "|eigenvalue|, in rad per time.")
      .def_prop_ro(
          "damping_ratio", [](const Mode& mode) { return mode.eigenvalue.damping_ratio() + 0.0; },
          "1: decays without turning; 0: neither grows nor decays; negative: grows.")
      .def_prop_ro("period", &Mode::period, "Infinite where it does not turn.")
      .def_prop_ro(
          "course", [](const Mode& mode) { return std::string(name(mode.course)); },
          "grows, drifts, oscillates or decays")
      .def_ro("symmetry", &Mode::symmetry, "That causes it, where it drifts.")
      .def_prop_ro(
          "shape",
          [](const Mode& mode) {
            nb::list entries;
            for (const std::complex<double> entry : mode.shape) entries.append(entry);
            return nb::module_::import_("numpy").attr("array")(entries);
          },
          "How the numbers of q move, the largest 1.")
      .def("__repr__", [](const Mode& mode) {
        return fmt::format("<hamel.Mode {:.6g}{:+.6g}i: {}>", mode.eigenvalue.value.real(),
                           mode.eigenvalue.value.imag(), name(mode.course));
      });
  m.def(
      "_modes_of",
      [](const LinearModel& linear, std::size_t most) { return modes(linear, spectrum(linear), {}, most); },
      nb::arg("linear"), nb::arg("most") = 60, nb::call_guard<Unlocked>());
  m.def("_participation", &participation, nb::arg("linear"), nb::arg("mode"),
        "How far each coordinate moves in a mode, relative to the one that moves farthest.");
}

}  // namespace hamel::python
