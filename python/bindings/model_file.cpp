#include "hamel/language/model_file.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/language/write_model.hpp"

namespace hamel::python {

namespace {

// {"m": 2, "l": "[1, 2]"}: numbers, or texts as behind --set.
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

void warn(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks)
    if (PyErr_WarnEx(PyExc_UserWarning, remark.c_str(), 2) != 0) throw nb::python_error();
}

}  // namespace

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
  nb::class_<ModelFile>(m, "ModelFile", "A model, with its start and its settings, as a text.")
      .def_ro("path", &ModelFile::path, "Where it was read.")
      .def_ro("text", &ModelFile::text, "What was read.")
      .def_ro("description", &ModelFile::description, "What the file says that it is.")
      .def_ro("source", &ModelFile::source, "Where the model was taken from.")
      .def_ro("model", &ModelFile::model, "The model.")
      .def_ro("settings", &ModelFile::run, "Its [run].")
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
  m.def("_model_text", &model_text, nb::arg("model"), nb::arg("description") = "");
  m.def("_start_text", &start_text, nb::arg("start"));
  m.def(
      "_read_model",
      [](const std::string& path, const NamedTexts& set, const NamedTexts& start) {
        return read_model(path, overrides_of(set), overrides_of(start));
      },
      nb::arg("path"), nb::arg("set") = nb::dict(), nb::arg("start") = nb::dict());
  m.def(
      "parse",
      [](const std::string& text, const std::string& name, const NamedTexts& set, const NamedTexts& start) {
        return parse_model(text, name, overrides_of(set), overrides_of(start));
      },
      nb::arg("text"), nb::arg("name") = "text", nb::arg("set") = nb::dict(), nb::arg("start") = nb::dict(),
      "A model file from its text.");
}

}  // namespace hamel::python
