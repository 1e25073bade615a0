#include "hamel/model/model.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"

namespace hamel::python {

namespace {

Formula parameter(Model& model, const std::string& name, const FormulaLike& value) {
  if (const std::optional<Formula> formula = formula_or_none(value); formula && !formula->is_number())
    return model.derived_parameter(name, *formula);
  const Numbers numbers = numbers_of(value, name);
  if (numbers.shape.size() > 2)
    throw std::invalid_argument(name + " must be a number, a vector or a matrix, and has the shape " +
                                shape_text(numbers.shape));
  return numbers.shape.empty() ? model.parameter(name, numbers.values[0]) : model.parameter(name, numbers.matrix());
}

template <void (Model::*say)(const Formula&)>
auto energy(const char* what) {
  return [what](Model& model, const FormulaLike& formula) { (model.*say)(formula_of(formula, what)); };
}

template <void (Model::*say)(const Formula&, const Formula&)>
auto action(const char* what) {
  return [what](Model& model, const FormulaLike& on, const FormulaLike& formula) {
    (model.*say)(formula_of(on, what), formula_of(formula, what));
  };
}

Formula body(Model& model, const std::string& name, const FormulaLike& attitude, const FormulaLike& inertia,
             const FormulaLike& mass, const FormulaLike& position, const FormulaLike& center) {
  RigidBody body{.attitude = formula_of(attitude, "the attitude of a body"),
                 .inertia = formula_of(inertia, "the inertia of a body")};
  body.mass = formula_of(mass, "the mass of a body");
  if (!position.is_none()) body.position = formula_of(position, "the position of a body");
  if (!center.is_none()) body.center_of_mass = formula_of(center, "the centre of mass of a body");
  return model.body(name, body);
}

}  // namespace

void bind_models(nb::module_& m) {
  nb::class_<Model>(
      m, "Model",
      "A mechanical system by its energies: coordinates on manifolds, parameters, energies, forces, constraints.")
      .def(nb::init<std::string>(), nb::arg("name"))
      .def_prop_ro("name", &Model::name, "The name.")
      .def("parameter", parameter, nb::arg("name"), nb::arg("value"),
           "A number, a vector, a matrix, or a formula of other parameters.")
      .def(
          "coordinate",
          [](Model& model, const std::string& name, const Manifold& space) { return model.coordinate(name, space); },
          nb::arg("name"), nb::arg("space"), "A coordinate on a space, as a formula.")
      .def(
          "coordinates",
          [](Model& model, const std::string& name, const Manifold& space, int count) {
            return model.coordinates(name, space, count);
          },
          nb::arg("name"), nb::arg("space"), nb::arg("count"), "A family of coordinates: name[0], name[1], ...")
      .def(
          "coordinate_symbol",
          [](const Model& model, std::size_t k) {
            if (k >= model.coordinates().size()) throw nb::index_error("there is no such coordinate");
            return model.coordinate(k);
          },
          nb::arg("k"), "The formula of a coordinate that exists.")
      .def_prop_ro("t", &Model::time, "Time.")
      .def("momentum", &Model::momentum, nb::arg("coordinate"), "The momentum of a coordinate, for a Hamiltonian.")
      .def("input", &Model::input, nb::arg("name"), nb::arg("size") = 1, "A control input.")
      .def(
          "law",
          [](Model& model, const Formula& input, const FormulaLike& value, double sample) {
            model.law(input, formula_of(value, "a law"), sample);
          },
          nb::arg("input"), nb::arg("value"), nb::arg("sample") = 0.0,
          "What an input is, at all times or held for `sample`.")
      .def("open", &Model::open, "The same without its laws.")
      .def(
          "point",
          [](Model& model, const std::string& name, const FormulaLike& position) {
            return model.point(name, formula_of(position, name));
          },
          nb::arg("name"), nb::arg("position"), "Names a point, and returns it.")
      .def("body", body, nb::arg("name"), nb::kw_only(), nb::arg("attitude"), nb::arg("inertia"), nb::arg("mass") = 0.0,
           nb::arg("position") = nb::none(), nb::arg("center") = nb::none(),
           "A rigid body: adds its kinetic energy, and returns its centre of mass.")
      .def("kinetic", energy<&Model::kinetic>("the kinetic energy"), nb::arg("energy"), "Adds to the kinetic energy.")
      .def("potential", energy<&Model::potential>("the potential energy"), nb::arg("energy"),
           "Adds to the potential energy.")
      .def("lagrangian", energy<&Model::lagrangian>("the Lagrangian"), nb::arg("energy"),
           "Added to kinetic - potential.")
      .def("hamiltonian", energy<&Model::hamiltonian>("the Hamiltonian"), nb::arg("energy"),
           "Instead of all other energies.")
      .def("dissipation", energy<&Model::dissipation>("the dissipation"), nb::arg("rayleigh"), "A Rayleigh function.")
      .def("field", action<&Model::field>("the rate of a coordinate"), nb::arg("coordinate"), nb::arg("rate"),
           "Instead of energies: how a coordinate moves.")
      .def("angular_field", action<&Model::angular_field>("the angular velocity of a coordinate"),
           nb::arg("coordinate"), nb::arg("omega"), "Instead of energies: the angular velocity of a coordinate.")
      .def("force", action<&Model::force>("a force"), nb::arg("point"), nb::arg("force"), "At a point, in space.")
      .def("force_on", action<&Model::force_on>("a force"), nb::arg("coordinate"), nb::arg("force"),
           "Paired with the rate of a coordinate.")
      .def("torque", action<&Model::torque>("a torque"), nb::arg("coordinate"), nb::arg("torque"),
           "Paired with omega of a coordinate.")
      .def(
          "constraint",
          [](Model& model, const std::string& name, const FormulaLike& zero) {
            model.constraint(name, formula_of(zero, "a constraint"));
          },
          nb::arg("name"), nb::arg("zero"), "Every component of the formula is zero.")
      .def(
          "with_", [](const Model& model, const nb::kwargs& values) { return model.with(parameter_values_of(values)); },
          nb::sig("def with_(self, **values: ArrayLike) -> Model"), "The same model with other parameters.")
      .def_prop_ro(
          "parameter_values",
          [](const Model& model) -> nb::typed<nb::dict, std::string, Array> {
            nb::dict values;
            for (const Parameter& one : model.parameters()) values[one.name.c_str()] = shaped(one.value);
            return values;
          },
          "The values of all parameters.")
      .def_prop_ro(
          "coordinate_names",
          [](const Model& model) {
            std::vector<std::string> names;
            for (const Coordinate& one : model.coordinates()) names.push_back(one.name);
            return names;
          },
          "The names of all coordinates.")
      .def_prop_ro(
          "spaces",
          [](const Model& model) {
            std::vector<Manifold> spaces;
            for (const Coordinate& one : model.coordinates()) spaces.push_back(one.space);
            return spaces;
          },
          "The spaces of its coordinates.")
      .def("__repr__", [](const Model& model) { return "<hamel.Model " + model.name() + ">"; });
}

}  // namespace hamel::python
