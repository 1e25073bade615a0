#include "hamel/language/model_file.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/language/write_model.hpp"
#include "hamel/record/file_run.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

void warn(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks)
    if (PyErr_WarnEx(PyExc_UserWarning, remark.c_str(), 2) != 0) throw nb::python_error();
}

bool has_start(const ModelFile& file) {
  return std::any_of(file.start.coordinates.begin(), file.start.coordinates.end(),
                     [](const StartValues::Coordinate& given) { return given.point.has_value(); });
}

nb::typed<nb::dict, std::string, Formula> formulas_by_name(const std::vector<Model::Named>& formulas) {
  nb::typed<nb::dict, std::string, Formula> result;
  for (const Model::Named& one : formulas) result[one.name.c_str()] = one.formula;
  return result;
}

// A file with what was changed in it, for pickles.
class ChangedFile : public nb::object {
  NB_OBJECT_DEFAULT(ChangedFile, nb::object, "ModelFile", is_anything)
};
ChangedFile remembering(ModelFile file, const NamedTexts& set, const NamedTexts& start) {
  nb::object result = nb::cast(std::move(file));
  result.attr("_changes") = nb::make_tuple(nb::dict(set), nb::dict(start));
  return nb::borrow<ChangedFile>(result);
}

void bind_claims(nb::module_& m) {
  nb::class_<EquilibriumFinding>(m, "EquilibriumClaim", "What the equations say about an equilibrium of a model file.")
      .def_ro("name", &EquilibriumFinding::name, "Its name.")
      .def_ro("state", &EquilibriumFinding::state, "The point, at rest.")
      .def_ro("unrest", &EquilibriumFinding::unrest, "The largest component of q'' there; of a field, of q'.")
      .def_ro("imbalance", &EquilibriumFinding::imbalance, "The force that is left, relative to what cancels.")
      .def_ro("holds", &EquilibriumFinding::holds, "Whether that is zero, to 1e-9.");
  nb::class_<ConservedFinding>(m, "ConservedClaim", "What the equations say about a quantity that should be constant.")
      .def_ro("name", &ConservedFinding::name, "Its name.")
      .def_ro("formula", &ConservedFinding::formula, "What it is.")
      .def_ro("rate", &ConservedFinding::rate, "The largest rate, relative to the sizes of its terms.")
      .def_ro("holds", &ConservedFinding::holds, "Whether that is zero, to 1e-10.");
  m.def(
      "_examine_equilibria",
      [](const ModelFile& file, const System& system) {
        std::vector<std::string> remarks;
        auto found = examine_equilibria(file, system, remarks);
        const auto model = std::make_shared<const Model>(system.model());
        for (EquilibriumFinding& one : found) one.state.model = model;
        return found;
      },
      nb::arg("file"), nb::arg("system"));
  m.def("_examine_conserved", &examine_conserved, nb::arg("file"), nb::arg("system"), nb::call_guard<Unlocked>());
}

}  // namespace

Overrides overrides_of(const nb::dict& given) {
  Overrides result;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (nb::isinstance<nb::str>(value)) {
      result.emplace_back(name, nb::cast<std::string>(value));
      continue;
    }
    const Numbers numbers = numbers_of(value, name);
    const nb::object list = nb::module_::import_("numpy")
                                .attr("asarray")(value, nb::module_::import_("numpy").attr("float64"))
                                .attr("tolist")();
    result.emplace_back(name, nb::cast<std::string>(nb::str(list)));
  }
  return result;
}

void bind_model_files(nb::module_& m) {
  nb::class_<RunSection>(m, "RunSettings", "The [run] of a model file.")
      .def_ro("integrator", &RunSection::integrator, "The name of the method.")
      .def_ro("step", &RunSection::step, "The step; 0 where there is none.")
      .def_ro("tolerance", &RunSection::tolerance, "The tolerance; 0 where there is none.")
      .def_prop_ro(
          "until", [](const RunSection& run) { return run.until.t; }, "The time at which it ends.")
      .def_prop_ro(
          "every", [](const RunSection& run) { return run.until.every; }, "The time between outputs; 0 for each step.")
      .def_prop_ro(
          "halvings", [](const RunSection& run) { return run.until.halvings; }, "How often a step may be halved.");
  nb::class_<ModelFile>(m, "ModelFile", nb::dynamic_attr(), "A model, with its start and its settings, as a text.")
      .def_ro("path", &ModelFile::path, "Where it was read.")
      .def_ro("text", &ModelFile::text, "What was read.")
      .def_ro("description", &ModelFile::description, "What the file says that it is.")
      .def_ro("source", &ModelFile::source, "Where the model was taken from.")
      .def_ro("model", &ModelFile::model, "The model.")
      .def_ro("settings", &ModelFile::run, "Its [run].")
      .def_prop_ro("has_start", has_start, "Whether it says where a motion begins.")
      .def_ro("remarks", &ModelFile::remarks, "What looks like a mistake, and is none.")
      .def_prop_ro(
          "outputs", [](const ModelFile& file) { return formulas_by_name(file.outputs); }, "Its [outputs], by name.")
      .def_prop_ro(
          "conserved", [](const ModelFile& file) { return formulas_by_name(file.conserved); },
          "What its [conserved] claims to be constant, by name.")
      .def_prop_ro(
          "name", [](const ModelFile& file) { return file.model.name(); }, "That of the model.")
      .def(
          "start",
          [](const ModelFile& file, const System& system) {
            std::vector<std::string> remarks;
            State state = start_state(file, system, remarks);
            state.model = std::make_shared<const Model>(system.model());
            warn(remarks);
            return state;
          },
          nb::arg("system"), "Where the motion begins.")
      .def_prop_ro(
          "units",
          [](const ModelFile& file) {
            nb::dict units;
            for (const auto& [name, unit] : file.units) units[name.c_str()] = unit;
            return units;
          },
          "Units by the names of what has them; t is time.")
      .def("__repr__", [](const ModelFile& file) { return fmt::format("<hamel.ModelFile {}>", file.model.name()); });
  bind_claims(m);
  m.def("template", &new_model_text, nb::arg("name"),
        "The text of a commented model file to start from, as of `hamel new`.");
  m.def("_run_text", &run_text, nb::arg("settings"));
  m.def("_model_text", &model_text, nb::arg("model"), nb::arg("description") = "");
  m.def("_start_text", &start_text, nb::arg("start"));
  m.def(
      "_read_model",
      [](const std::string& path, const NamedTexts& set, const NamedTexts& start) {
        return remembering(read_model(path, overrides_of(set), overrides_of(start)), set, start);
      },
      nb::arg("path"), nb::arg("set") = nb::dict(), nb::arg("start") = nb::dict());
  m.def(
      "parse",
      [](const std::string& text, const std::string& name, const NamedTexts& set, const NamedTexts& start) {
        return remembering(parse_model(text, name, overrides_of(set), overrides_of(start)), set, start);
      },
      nb::arg("text"), nb::arg("name") = "text", nb::arg("set") = nb::dict(), nb::arg("start") = nb::dict(),
      "A model file from its text.");
}

}  // namespace hamel::python
