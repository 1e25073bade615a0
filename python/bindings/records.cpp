#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/report/run_page.hpp"

namespace hamel::python {

void bind_records(nb::module_& m) {
  m.def(
      "record_run",
      [](const ModelFile& file, const System& system, const State& start, const std::string& integrator, double step,
         double tolerance, double until, double every, int halvings, const std::string& path, bool overwrite) {
        RunSettings settings{.until = {.t = until, .every = every, .halvings = halvings}};
        settings.outputs = file.outputs;
        settings.conserved = file.conserved;
        settings.path = path;
        settings.overwrite = overwrite;
        RecordHeader header{.model_text = file.text};
        for (const auto& [name, unit] : file.units) header.units[name == "t" ? "time" : name] = unit;
        const Method method = method_named(integrator, step, tolerance);
        const nb::gil_scoped_release release;
        recorded_run(system, start, method, settings, header);
      },
      nb::arg("file"), nb::arg("system"), nb::arg("start"), nb::arg("integrator"), nb::arg("step"),
      nb::arg("tolerance"), nb::arg("until"), nb::arg("every"), nb::arg("halvings"), nb::arg("path"),
      nb::arg("overwrite"));
  m.def(
      "write_report",
      [](const std::string& path, const std::string& record, const ModelFile& file, bool overwrite) {
        write_report(path, record, file, overwrite);
      },
      nb::arg("path"), nb::arg("record"), nb::arg("file"), nb::arg("overwrite") = false,
      "A page with the motion of a record.");
}

}  // namespace hamel::python
