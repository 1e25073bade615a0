#include "hamel/record/compare.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "interrupt.hpp"

namespace hamel::python {

void bind_comparisons(nb::module_& m) {
  nb::class_<Compared>(m, "Compared", "What one integrator kept, and what it cost.")
      .def_prop_ro(
          "integrator", [](const Compared& row) { return row.method.integrator; }, "Its name.")
      .def_prop_ro(
          "step", [](const Compared& row) { return row.method.step; }, "Its step; 0 where it chooses it.")
      .def_prop_ro(
          "tolerance", [](const Compared& row) { return row.method.tolerance; }, "0 where it has a step.")
      .def_ro("summary", &Compared::summary, "Of the run; none where it failed.")
      .def_ro("failure", &Compared::failure, "Why it failed.")
      .def_ro("state_error", &Compared::state_error,
              "At the end, relative, where the energy is not conserved: against a solution of rk45.");
  nb::class_<Comparison>(m, "Comparison", "What integrators keep of a motion, and what they cost.")
      .def_ro("rows", &Comparison::rows, "One for each integrator and step, or tolerance.")
      .def_prop_ro(
          "reference", [](const Comparison& all) { return all.reference ? all.reference->text() : std::string(); },
          "What state errors are errors against; empty where the energy tells how good a run is.")
      .def_prop_ro(
          "reference_error", [](const Comparison& all) { return all.reference ? all.reference->error() : 0.0; },
          "What that solution can be trusted to.")
      .def("__len__", [](const Comparison& all) { return all.rows.size(); })
      .def("__getitem__", [](const Comparison& all, std::size_t k) {
        if (k >= all.rows.size()) throw nb::index_error();
        return all.rows[k];
      });
  m.def(
      "_compare",
      [](const System& system, const State& start, const std::vector<std::string>& integrators,
         const std::vector<double>& steps, const std::vector<double>& tolerances, double usual_step, double until) {
        const std::vector<ComparedMethod> methods = compared_methods(integrators, steps, tolerances, usual_step);
        return interruptible(
            [&](const std::atomic<bool>& stop) { return compare(system, start, methods, until, stop); });
      },
      nb::arg("system"), nb::arg("start"), nb::arg("integrators"), nb::arg("steps"), nb::arg("tolerances"),
      nb::arg("usual_step"), nb::arg("until"));
}

}  // namespace hamel::python
