// Formulas as trees, for those who translate them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/model/model.hpp"

namespace hamel::python {

namespace {

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::number:
      return "number";
    case Kind::symbol:
      return "symbol";
    case Kind::rate:
      return "rate";
    case Kind::add:
      return "add";
    case Kind::subtract:
      return "subtract";
    case Kind::negate:
      return "negate";
    case Kind::multiply:
      return "multiply";
    case Kind::divide:
      return "divide";
    case Kind::power:
      return "power";
    case Kind::function:
      return "function";
    case Kind::dot:
      return "dot";
    case Kind::cross:
      return "cross";
    case Kind::norm:
      return "norm";
    case Kind::squared_norm:
      return "norm2";
    case Kind::hat:
      return "hat";
    case Kind::vee:
      return "vee";
    case Kind::turn:
      return "turn";
    case Kind::transpose:
      return "transpose";
    case Kind::trace:
      return "trace";
    case Kind::determinant:
      return "det";
    case Kind::component:
      return "component";
    case Kind::block:
      return "block";
    case Kind::stack:
      return "stack";
    case Kind::less:
      return "less";
    case Kind::less_equal:
      return "less_equal";
    case Kind::select:
      return "where";
    case Kind::angular_velocity:
      return "omega";
  }
  return "unknown";
}

const char* role_name(Role role) {
  switch (role) {
    case Role::parameter:
      return "parameter";
    case Role::coordinate:
      return "coordinate";
    case Role::momentum:
      return "momentum";
    case Role::input:
      return "input";
    case Role::time:
      return "time";
    case Role::quantity:
      return "quantity";
  }
  return "unknown";
}

const char* turning_name(Turning turning) {
  switch (turning) {
    case Turning::none:
      return "none";
    case Turning::plane:
      return "plane";
    case Turning::direction:
      return "direction";
    case Turning::body:
      return "body";
  }
  return "unknown";
}

}  // namespace

void bind_formula_trees(nb::module_& m) {
  nb::class_<Formula::Node>(m, "_Node")
      .def_prop_ro("kind", [](const Formula::Node& node) { return kind_name(node.kind); })
      .def_ro("rows", &Formula::Node::rows)
      .def_ro("cols", &Formula::Node::cols)
      .def_ro("args", &Formula::Node::args)
      .def_prop_ro(
          "value", [](const Formula::Node& node) { return array_of(node.value); }, nb::rv_policy::automatic)
      .def_ro("function", &Formula::Node::function)
      .def_ro("i", &Formula::Node::i)
      .def_ro("j", &Formula::Node::j)
      .def_prop_ro("role", [](const Formula::Node& node) { return role_name(node.symbol.role); })
      .def_prop_ro("name", [](const Formula::Node& node) { return node.symbol.name; })
      .def_prop_ro("first_index", [](const Formula::Node& node) { return node.symbol.first_index; })
      .def_prop_ro("space",
                   [](const Formula::Node& node) { return node.symbol.space ? node.symbol.space->name() : ""; })
      .def_prop_ro("turning", [](const Formula::Node& node) { return turning_name(node.symbol.turning()); });
  m.def(
      "_node", [](const Formula& formula) { return formula.node(); }, nb::arg("formula"));
  m.def(
      "_node_id", [](const Formula& formula) { return reinterpret_cast<std::uintptr_t>(&formula.node()); },
      nb::arg("formula"));
  m.def(
      "_energies",
      [](const Model& model) {
        nb::typed<nb::dict, std::string, std::vector<Formula>> energies;
        energies["kinetic"] = model.kinetic_terms();
        energies["potential"] = model.potential_terms();
        energies["lagrangian"] = model.lagrangian_terms();
        energies["hamiltonian"] = model.hamiltonian_terms();
        energies["dissipation"] = model.dissipation_terms();
        return energies;
      },
      nb::arg("model"));
}

}  // namespace hamel::python
