#include "hamel/mechanics/system.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "state.hpp"

namespace hamel::python {

namespace {

System derived(const Model& model, const std::string& path) {
  DeriveOptions options;
  if (path == "constant_mass")
    options.path = Path::constant_mass;
  else if (path == "reduced")
    options.path = Path::reduced;
  else if (path != "automatic")
    throw std::invalid_argument(fmt::format("there is no path {}: use automatic, constant_mass or reduced", path));
  const Unlocked unlocked;
  return derive(model, options);
}

using Layout = nb::typed<nb::list, nb::typed<nb::tuple, std::string, int, int, int>>;

void need_own(const System& system, const State& state) {
  if (state.q.size() != system.ambient())
    throw std::invalid_argument(fmt::format("this is a state of another system: it has {} numbers, and {} has {}",
                                            state.q.size(), system.name(), system.ambient()));
}

}  // namespace

void bind_systems(nb::module_& m) {
  nb::class_<Energy>(m, "Energy", "The energy of a state, in its parts.")
      .def_ro("kinetic", &Energy::kinetic, "Of the part that is kinetic.")
      .def_ro("potential", &Energy::potential, "Of the part that is potential.")
      .def_ro("total", &Energy::total, "v . dL/dv - L; kinetic + potential of a natural system.")
      .def("__repr__", [](const Energy& e) {
        return fmt::format("<hamel.Energy kinetic = {}, potential = {}, total = {}>", e.kinetic, e.potential, e.total);
      });
  m.def("_derive", derived, nb::arg("model"), nb::arg("path") = "automatic", "The equations of motion of a model.");
  nb::class_<System>(m, "System", "The equations of motion of a model, ready to run. It never changes.")
      .def_prop_ro("name", &System::name, "That of the model.")
      .def_prop_ro("model", &System::model, "The model, with the parameters that are used.")
      .def_prop_ro("space", &System::space, "The configuration space.")
      .def_prop_ro("degrees_of_freedom", &System::degrees_of_freedom, "How many there are.")
      .def_prop_ro("inputs", &System::inputs, "How many numbers u has.")
      .def_prop_ro("constraint_names", &System::constraint_names, "The names of the constraints.")
      .def_prop_ro("has_energies", &System::has_energies, "Otherwise it is given by a field.")
      .def_prop_ro("is_conservative", &System::is_conservative, "Whether the energy is kept.")
      .def_prop_ro(
          "layout", [](const System& system) -> Layout { return layout_of(system.model()); },
          "Where the coordinates are in q: (name, first number, rows, columns).")
      .def_prop_ro(
          "input_layout", [](const System& system) { return input_layout_of(system.model()); },
          "Where the inputs are in u that follow no law at all times: (name, first number, numbers).")
      .def(
          "with_",
          [](const System& system, const nb::args& given, const nb::kwargs& values) {
            ParameterValues all = parameter_values_of(values);
            for (const nb::handle more : given)
              for (const ParameterValue& value : parameter_values_of(nb::cast<nb::dict>(more))) all.push_back(value);
            return system.with(all);
          },
          nb::sig("def with_(self, *given: NamedNumbers, **values: ArrayLike) -> System"),
          "The same system with other parameters, in microseconds: with_(m=2), with_({'l[0]': 0.5}).")
      .def(
          "state",
          [](const System& system, const std::optional<NamedNumbers>& points, double t, const NamedNumbers& rate,
             const NamedNumbers& omega, const NamedNumbers& velocity, const NamedNumbers& xi,
             const NamedNumbers& momentum, bool project, const nb::kwargs& named) {
            StartArguments start{.points = nb::dict(),
                                 .rate = rate,
                                 .omega = omega,
                                 .velocity = velocity,
                                 .xi = xi,
                                 .momentum = momentum,
                                 .t = t,
                                 .project = project};
            if (points) start.points.update(*points);
            start.points.update(named);
            return state_of(system, start);
          },
          nb::arg("points") = nb::none(), nb::kw_only(), nb::arg("t") = 0.0, nb::arg("rate") = nb::dict(),
          nb::arg("omega") = nb::dict(), nb::arg("velocity") = nb::dict(), nb::arg("xi") = nb::dict(),
          nb::arg("momentum") = nb::dict(), nb::arg("project") = false, nb::arg("named"),
          "A state by names: state(q=[0, 0, -1], omega={'q': [1, 0, 0]}).")
      .def(
          "acceleration",
          [](const System& system, const State& state, const InputValues& u) {
            need_own(system, state);
            return array_of(acceleration(system, state, input_values_of(system.model(), u)));
          },
          nb::arg("state"), nb::arg("u") = nb::none(), "q'' for q' = v.")
      .def(
          "momentum",
          [](const System& system, const State& state) {
            need_own(system, state);
            return array_of(momentum(system, state));
          },
          nb::arg("state"), "dL/dq'.")
      .def(
          "energy",
          [](const System& system, const State& state) {
            need_own(system, state);
            return energy(system, state);
          },
          nb::arg("state"), "The energy of a state.")
      .def(
          "constraint",
          [](const System& system, const State& state) {
            need_own(system, state);
            return array_of(constraint(system, state));
          },
          nb::arg("state"), "What should be zero.")
      .def("__repr__", [](const System& system) {
        return fmt::format("<hamel.System {} on {}>", system.name(), system.space().name());
      });
}

}  // namespace hamel::python
