#include <fmt/format.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"

namespace hamel::python {

namespace {

VectorXd inputs_or_none(nb::handle u) {
  return u.is_none() ? VectorXd() : VectorXd(numbers_of(u, "u").matrix().reshaped());
}

template <MatrixXd LinearModel::*matrix>
Array matrix_of(const LinearModel& model) {
  return array_of(model.*matrix);
}

std::vector<Weight> weights_of(const nb::dict& given, const char* kind) {
  std::vector<Weight> weights;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    weights.emplace_back(
        name, VectorXd(numbers_of(value, fmt::format("the weight {} of {}", kind, name)).matrix().reshaped()));
  }
  return weights;
}

using ComplexList = nb::typed<nb::list, std::complex<double>>;

ComplexList complex_list(const std::vector<std::complex<double>>& values) {
  nb::list result;
  for (const std::complex<double>& value : values) result.append(value);
  return result;
}

}  // namespace

void bind_linear_models(nb::module_& m) {
  nb::class_<LinearModel>(m, "LinearModel",
                          "M x'' + (D + G) x' + K x = B u near an equilibrium, x in a basis of the tangent space.")
      .def_ro("at", &LinearModel::at, "The equilibrium.")
      .def_prop_ro("M", matrix_of<&LinearModel::M>, nb::rv_policy::automatic, "Mass.")
      .def_prop_ro("D", matrix_of<&LinearModel::D>, nb::rv_policy::automatic, "Damping.")
      .def_prop_ro("G", matrix_of<&LinearModel::G>, nb::rv_policy::automatic, "Gyroscopic.")
      .def_prop_ro("K", matrix_of<&LinearModel::K>, nb::rv_policy::automatic, "Stiffness.")
      .def_prop_ro("B", matrix_of<&LinearModel::B>, nb::rv_policy::automatic, "What inputs push.")
      .def_prop_ro("basis", matrix_of<&LinearModel::basis>, nb::rv_policy::automatic,
                   "Its columns span the tangent space.")
      .def_prop_ro(
          "imbalance", [](const LinearModel& model) { return model.imbalance; },
          "The force that is left at the equilibrium, relative to what cancels.")
      .def(
          "first_order",
          [](const LinearModel& model) -> nb::typed<nb::tuple, Array, Array> {
            const auto [A, B] = model.first_order();
            return nb::make_tuple(array_of(A), array_of(B));
          },
          "A and B of (x, x')' = A (x, x') + B u.")
      .def(
          "eigenvalues", [](const LinearModel& model) { return complex_list(spectrum(model).all()); }, "The spectrum.");
  m.def(
      "_linearize",
      [](const System& system, const State& state, const ArrayLike& u) {
        const VectorXd inputs = inputs_or_none(u);
        const nb::gil_scoped_release release;
        LinearModel model = linearize(system, state, inputs);
        if (!model.at.model) model.at.model = state.model;
        return model;
      },
      nb::arg("system"), nb::arg("state"), nb::arg("u") = nb::none(),
      "The linear equations near an equilibrium; refuses a state that is none.");
}

void bind_equilibria(nb::module_& m) {
  nb::class_<Equilibrium>(m, "Equilibrium", "A place where a system can rest.")
      .def_ro("name", &Equilibrium::name, "hanging, inverted, ... or its signs.")
      .def_ro("signs", &Equilibrium::signs, "Of links that are vertical: + up, - down; otherwise empty.")
      .def_ro("energy", &Equilibrium::energy, "The energy there.")
      .def_ro("linear", &Equilibrium::linear, "The linear equations around it.")
      .def_prop_ro(
          "state", [](const Equilibrium& one) { return one.linear.at; }, "The state at rest.")
      .def_prop_ro(
          "verdict", [](const Equilibrium& one) { return std::string(name(one.stability.verdict)); },
          "stable, unstable, ...")
      .def_prop_ro(
          "reason", [](const Equilibrium& one) { return one.stability.reason; }, "Why.")
      .def_prop_ro(
          "eigenvalues", [](const Equilibrium& one) { return complex_list(one.stability.spectrum.all()); },
          "The spectrum.")
      .def("__repr__", [](const Equilibrium& one) {
        return fmt::format("<hamel.Equilibrium {}: {}>", one.name, name(one.stability.verdict));
      });
  nb::class_<Equilibria>(m, "Equilibria", "All that were found, by energy.")
      .def("__len__", [](const Equilibria& all) { return all.found.size(); })
      .def("__iter__",
           [](const Equilibria& all) -> nb::typed<nb::iterator, Equilibrium> { return nb::iter(nb::cast(all.found)); })
      .def("__getitem__",
           [](const Equilibria& all, std::size_t k) {
             if (k >= all.found.size()) throw nb::index_error();
             return all.found[k];
           })
      .def("__getitem__",
           [](const Equilibria& all, const std::string& wanted) {
             if (const Equilibrium* one = all.find(wanted)) return *one;
             throw nb::key_error(fmt::format("no equilibrium {} was found", wanted).c_str());
           })
      .def_ro("is_complete", &Equilibria::is_complete, "Whether these are all.")
      .def_ro("remark", &Equilibria::remark, "How complete it is, and why.");
  m.def(
      "_equilibria",
      [](const System& system, const ArrayLike& u, unsigned seed, int starts) {
        const EquilibriaOptions options{.inputs = inputs_or_none(u), .seed = seed, .starts = starts};
        const auto model = std::make_shared<const Model>(system.model());
        const nb::gil_scoped_release release;
        Equilibria all = equilibria(system, options);
        for (Equilibrium& one : all.found)
          if (!one.linear.at.model) one.linear.at.model = model;
        return all;
      },
      nb::arg("system"), nb::arg("u") = nb::none(), nb::arg("seed") = 1U, nb::arg("starts") = 0,
      "Where a system can rest, with spectra and verdicts.");
}

void bind_control(nb::module_& m) {
  nb::class_<Reach>(m, "Reach", "What inputs can move.")
      .def_ro("states", &Reach::states, "How many states there are.")
      .def_ro("reached", &Reach::reached, "How many of them inputs can move.")
      .def_ro("margin", &Reach::margin, "How far that is from being fewer.")
      .def_ro("stabilizable", &Reach::stabilizable, "Whether the others come to rest by themselves.")
      .def_prop_ro("complete", &Reach::complete, "Whether these are all states.");
  m.def("controllability", &controllability, nb::arg("linear"), nb::call_guard<nb::gil_scoped_release>(),
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
          "closed_loop",
          [](const Regulator& regulator) {
            return complex_list({regulator.closed_loop.begin(), regulator.closed_loop.end()});
          },
          "The spectrum with it.")
      .def_ro("residual", &Regulator::residual, "Of the Riccati equation, relative.");
  m.def(
      "lqr",
      [](const LinearModel& model, const NamedNumbers& Q, const NamedNumbers& R, double sample, bool leave_out) {
        const Weights weights{.states = weights_of(Q, "Q"), .inputs = weights_of(R, "R")};
        const nb::gil_scoped_release release;
        return lqr(model, weights, {.sample = sample, .leave_out = leave_out});
      },
      nb::arg("linear"), nb::arg("Q") = nb::dict(), nb::arg("R") = nb::dict(), nb::arg("sample") = 0.0,
      nb::arg("leave_out") = false,
      "The regulator with the least integral of e.Q e + e'.Q' e' + u.R u; weights by the names of coordinates and "
      "inputs.");
  m.def("feedback", &feedback, nb::arg("model"), nb::arg("linear"), nb::arg("regulator"),
        "A regulator as a law, for Model.law.");
}

}  // namespace hamel::python
