#include "hamel/analyze/control.hpp"

#include <fmt/format.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "interrupt.hpp"
#include "spectra.hpp"

namespace hamel::python {

namespace {

std::vector<Weight> weights_of(const nb::dict& given, const char* kind) {
  std::vector<Weight> weights;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    weights.emplace_back(
        name, VectorXd(numbers_of(value, fmt::format("the weight {} of {}", kind, name)).matrix().reshaped()));
  }
  return weights;
}

void bind_measurements(nb::module_& m) {
  nb::class_<Measurements>(m, "Measurements", "What is measured near an equilibrium: y = value + C (x, x').")
      .def_ro("names", &Measurements::names, "Of the components.")
      .def_prop_ro(
          "value", [](const Measurements& measured) { return array_of(measured.value); }, nb::rv_policy::automatic,
          "At the equilibrium.")
      .def_prop_ro(
          "C", [](const Measurements& measured) { return array_of(measured.C); }, nb::rv_policy::automatic,
          "How they change with (x, x').");
  m.def(
      "measurements",
      [](const LinearModel& linear, const NamedFormulas& outputs) {
        return measurements(linear, named_formulas_of(outputs));
      },
      nb::arg("linear"), nb::arg("outputs"),
      "Formulas of the model as measurements near an equilibrium: measurements(linear, {'height': x.z}).");
  m.def("observability", &observability, nb::arg("linear"), nb::arg("measured"), nb::call_guard<Unlocked>(),
        "What measurements tell of the state.");
  nb::class_<Filter>(m, "Filter", "The best guess z of (x, x'): z' = A z + B (u - u0) + gain (y - y0 - C z).")
      .def_prop_ro(
          "gain", [](const Filter& filter) { return array_of(filter.gain); }, nb::rv_policy::automatic,
          "Of the measurements.")
      .def_prop_ro(
          "spectrum", [](const Filter& filter) { return complex_list(filter.spectrum); },
          "How errors of the guess decay.")
      .def_ro("residual", &Filter::residual, "Of the Riccati equation, relative.");
  m.def(
      "kalman",
      [](const LinearModel& linear, const Measurements& measured, const NamedNumbers& noise,
         const NamedNumbers& measured_noise) {
        const Weights weights{.states = weights_of(noise, "noise"),
                              .inputs = weights_of(measured_noise, "measured_noise")};
        const Unlocked unlocked;
        return kalman(linear, measured, weights);
      },
      nb::arg("linear"), nb::arg("measured"), nb::arg("noise") = nb::dict(), nb::arg("measured_noise") = nb::dict(),
      "The Kalman filter for white noise of the forces along every rate (noise={\"x'\": 2}) and of the measurements; "
      "what is not named has the intensity 1.");
}

}  // namespace

void bind_control(nb::module_& m) {
  nb::class_<HiddenDirection>(m, "HiddenDirection", "What no input moves, or no measurement shows.")
      .def_ro("eigenvalue", &HiddenDirection::eigenvalue, "It belongs to this one, and to its conjugate.")
      .def_ro("states", &HiddenDirection::states, "Dimensions of the space of (x, x').")
      .def_ro("words", &HiddenDirection::words, "Of each direction: q[1].x - q[2].x.")
      .def_prop_ro(
          "along", [](const HiddenDirection& hidden) { return array_of(hidden.along); }, nb::rv_policy::automatic,
          "Its columns, in coordinates of the linear model.");
  nb::class_<Reach>(m, "Reach", "What inputs can move, or measurements show.")
      .def_ro("states", &Reach::states, "How many states there are.")
      .def_ro("reached", &Reach::reached, "How many of them inputs can move, or measurements show.")
      .def_ro("margin", &Reach::margin, "How far that is from being fewer.")
      .def_ro("weakest", &Reach::weakest, "The eigenvalue where that is so.")
      .def_ro("hidden", &Reach::hidden, "What is not reached.")
      .def_ro("stabilizable", &Reach::stabilizable,
              "Whether the others come to rest by themselves; of measurements: detectable.")
      .def_prop_ro("complete", &Reach::complete, "Whether these are all states.");
  m.def("controllability", &controllability, nb::arg("linear"), nb::call_guard<Unlocked>(),
        "What the inputs of a linear model can move.");
  nb::class_<Regulator>(m, "Regulator", "u = u0 - gain (x, x'), with the least cost.")
      .def_prop_ro(
          "gain", [](const Regulator& regulator) { return array_of(regulator.gain); }, nb::rv_policy::automatic,
          "Of (x, x').")
      .def_prop_ro(
          "gains",
          [](const Regulator& regulator) -> nb::typed<nb::dict, std::string, nb::typed<nb::tuple, Array, Array>> {
            nb::dict gains;
            for (const Gain& gain : regulator.gains)
              gains[gain.name.c_str()] = nb::make_tuple(array_of(gain.point), array_of(gain.rate));
            return gains;
          },
          "By coordinate: of its error, and of the rate of its error.")
      .def_prop_ro(
          "closed_loop", [](const Regulator& regulator) { return complex_list(regulator.closed_loop); },
          "The spectrum with it.")
      .def_ro("residual", &Regulator::residual, "Of the Riccati equation, relative.")
      .def_ro("sample", &Regulator::sample, "How long an input is held; 0: it changes continuously.")
      .def_ro("left_out", &Regulator::left_out, "What it does not regulate.");
  m.def(
      "lqr",
      [](const LinearModel& model, const NamedNumbers& Q, const NamedNumbers& R, double sample, bool leave_out) {
        const Weights weights{.states = weights_of(Q, "Q"), .inputs = weights_of(R, "R")};
        const Unlocked unlocked;
        return lqr(model, weights, {.sample = sample, .leave_out = leave_out});
      },
      nb::arg("linear"), nb::arg("Q") = nb::dict(), nb::arg("R") = nb::dict(), nb::arg("sample") = 0.0,
      nb::arg("leave_out") = false,
      "The regulator with the least integral of e.Q e + e'.Q' e' + u.R u; weights by the names of coordinates and "
      "inputs.");
  m.def("feedback", &feedback, nb::arg("model"), nb::arg("linear"), nb::arg("regulator"),
        "A regulator as a law, for Model.law.");
  bind_measurements(m);
}

}  // namespace hamel::python
