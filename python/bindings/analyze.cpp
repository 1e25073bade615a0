#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "hamel/language/model_file.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "spectra.hpp"

namespace hamel::python {

namespace {

template <MatrixXd LinearModel::*matrix>
Array matrix_of(const LinearModel& model) {
  return array_of(model.*matrix);
}

// Steady motions along symmetries, at given rates, or with a given momentum.
void ask_for_motion(EquilibriaOptions& options, const System& system, const NamedNumbers& rates,
                    const NamedNumbers& momentum, const std::vector<ConservedMomentum>& symmetries) {
  const auto number = [](nb::handle key, nb::handle value) {
    const Numbers numbers = numbers_of(value, nb::cast<std::string>(key));
    if (numbers.values.size() != 1)
      throw std::invalid_argument(fmt::format("{} must be one number", nb::cast<std::string>(key)));
    return numbers.values[0];
  };
  for (const auto& [key, value] : rates) {
    const ConservedMomentum& symmetry = symmetry_named(nb::cast<std::string>(key), symmetries);
    options.moving = options.moving + generator(symmetry, system.ambient(), number(key, value));
  }
  for (const auto& [key, value] : momentum) {
    options.symmetry = &symmetry_named(nb::cast<std::string>(key), symmetries);
    options.momentum = number(key, value);
  }
}

void add_known(EquilibriaOptions& options, const ModelFile& file, const System& system) {
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& claimed : examine_equilibria(file, system, remarks)) {
    options.known.emplace_back(claimed.name, claimed.state.q);
    options.t = claimed.state.t;
  }
}

Equilibria found_equilibria(const System& system, const InputValues& u, unsigned seed, int starts,
                            const NamedNumbers& rates, const NamedNumbers& momentum, const ModelFile* file) {
  if (momentum.size() > 1 || (momentum.size() > 0 && rates.size() > 0))
    throw std::invalid_argument("steady motions have given rates, or one given momentum");
  EquilibriaOptions options{.inputs = input_values_of(system.model(), u), .seed = seed, .starts = starts};
  std::vector<ConservedMomentum> symmetries;
  if (rates.size() > 0 || momentum.size() > 0) {
    if (!system.has_energies()) throw std::invalid_argument("a field has no momenta, and no steady motions along them");
    symmetries = conserved_momenta(system.model().held(options.inputs)).momenta;
    ask_for_motion(options, system, rates, momentum, symmetries);
  }
  if (file != nullptr) add_known(options, *file, system);
  refuse_large(system.model(), !options.known.empty());
  const auto model = std::make_shared<const Model>(system.model());
  const Unlocked unlocked;
  Equilibria all = equilibria(system, options);
  for (Equilibrium& one : all.found)
    if (!one.linear.at.model) one.linear.at.model = model;
  return all;
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
          "inputs", [](const LinearModel& model) { return array_of(model.inputs); }, nb::rv_policy::automatic,
          "What holds it in balance.")
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
      "_trim",
      [](const System& system, const State& state) {
        const Unlocked unlocked;
        LinearModel model = trimmed(Linearization(system), state);
        if (!model.at.model) model.at.model = state.model;
        return model;
      },
      nb::arg("system"), nb::arg("state"));
  m.def(
      "_linearize",
      [](const System& system, const State& state, const InputValues& u) {
        const VectorXd inputs = input_values_of(system.model(), u);
        const Unlocked unlocked;
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
      .def_ro("rate", &Equilibrium::rate, "Of a steady motion that was asked for by its momentum.")
      .def_prop_ro(
          "drift",
          [](const Equilibrium& one) {
            nb::typed<nb::dict, std::string, double> drift;
            for (const auto& [symmetry, speed] : one.drift) drift[symmetry.c_str()] = speed;
            return drift;
          },
          "Of a steady motion in which drag balances what drives: how fast, along which symmetry.")
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
  m.def("_equilibria", found_equilibria, nb::arg("system"), nb::arg("u").none(), nb::arg("seed"), nb::arg("starts"),
        nb::arg("rate"), nb::arg("momentum"), nb::arg("file").none(),
        "Where a system can rest or move steadily, with spectra and verdicts.");
}

}  // namespace hamel::python
