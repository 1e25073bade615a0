#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/report/run_page.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

RunSummary recorded(const ModelFile& file, const System& system, const State& start, const std::string& integrator,
                    double step, double tolerance, double until, double every, int halvings, const std::string& path,
                    bool overwrite, bool resume, bool on_another_machine, const nb::object& progress) {
  RunSettings settings{.until = {.t = until, .every = every, .halvings = halvings}};
  settings.outputs = recorded_outputs(file);
  settings.conserved = file.conserved;
  settings.path = path;
  settings.overwrite = overwrite;
  settings.resume = resume;
  settings.on_another_machine = on_another_machine;
  if (!progress.is_none())
    settings.progress = [&progress](const Progress& so_far) {
      const nb::gil_scoped_acquire acquire;
      progress(so_far.t);
    };
  const Method method = method_named(integrator, step, tolerance);
  return interruptible([&](const std::atomic<bool>& stop) {
    settings.stop = &stop;
    return recorded_run(system, start, method, settings, header_of(file));
  });
}

}  // namespace

void bind_records(nb::module_& m) {
  m.def(
      "_changed_settings",
      [](const ModelFile& file, const std::string& integrator, double step, double tolerance, double until,
         double every, int halvings) {
        return changed(file.run, {integrator, step, tolerance, until, every, halvings});
      },
      nb::arg("file"), nb::kw_only(), nb::arg("integrator") = "", nb::arg("step") = 0.0, nb::arg("tolerance") = 0.0,
      nb::arg("until") = 0.0, nb::arg("every") = 0.0, nb::arg("halvings") = -1);
  m.def("_record_run", recorded, nb::arg("file"), nb::arg("system"), nb::arg("start"), nb::arg("integrator"),
        nb::arg("step"), nb::arg("tolerance"), nb::arg("until"), nb::arg("every"), nb::arg("halvings"), nb::arg("path"),
        nb::arg("overwrite"), nb::arg("resume") = false, nb::arg("on_another_machine") = false,
        nb::arg("progress") = nb::none());
  m.def(
      "_write_report",
      [](const std::string& path, const std::string& record, const ModelFile& file, bool overwrite) {
        write_report(path, record, file, overwrite);
      },
      nb::arg("path"), nb::arg("record"), nb::arg("file"), nb::arg("overwrite") = false,
      "A page with the motion of a record.");
}

}  // namespace hamel::python
