#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "hamel/symmetry/noether.hpp"
#include "interrupt.hpp"

namespace hamel::python {

void bind_momenta(nb::module_& m) {
  nb::class_<ConservedMomentum>(m, "ConservedMomentum", "What a symmetry conserves.")
      .def_ro("name", &ConservedMomentum::name, "What it is.")
      .def_ro("generator", &ConservedMomentum::generator, "The symmetry.")
      .def_ro("formula", &ConservedMomentum::formula, "In components of q and p = dL/dq'.")
      .def_ro("exact_for_variational", &ConservedMomentum::exact_for_variational,
              "Kept to rounding by variational integrators.")
      .def(
          "value",
          [](const ConservedMomentum& momentum, const System& system, const State& state) {
            Workspace work(system);
            return momentum.value(system, work, state);
          },
          nb::arg("system"), nb::arg("state"), "Its value at a state.")
      .def("__repr__", [](const ConservedMomentum& momentum) {
        return fmt::format("<hamel.ConservedMomentum {}>", momentum.name);
      });
  nb::class_<NoetherReport>(m, "Conserved", "What is conserved, and why.")
      .def_ro("momenta", &NoetherReport::momenta, "All momenta.")
      .def_ro("energy_conserved", &NoetherReport::energy_conserved, "Whether the energy is.")
      .def_ro("independent", &NoetherReport::functional_rank, "How many of the momenta are independent.")
      .def_ro("undecided", &NoetherReport::undecided, "What could not be told, and why.");
  m.def(
      "_conserved_momenta", [](const Model& model) { return conserved_momenta(model); }, nb::arg("model"),
      nb::call_guard<Unlocked>(),
      "The conserved momenta of a model, found from its energies alone; inputs that have no law are zero.");
}

}  // namespace hamel::python
