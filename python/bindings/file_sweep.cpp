#include "hamel/record/file_sweep.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "ensemble.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

using Texts = std::vector<std::string>;

EnsemblePlan plan_of_sweep(const std::string& text, const std::string& path, const NamedTexts& set,
                           const NamedTexts& start, const Vary& given, const Texts& vary, const Texts& lists,
                           const Texts& sample, std::uint64_t members, const std::string& sampling, std::uint64_t seed,
                           const Texts& keep, const Texts& events, const Texts& stops, const std::string& integrator,
                           double step, double tolerance, double until, double every, int halvings) {
  const SweepRequest request{.given = given,
                             .vary = vary,
                             .lists = lists,
                             .samples = sample,
                             .members = members,
                             .sampling = {.sampling = sampling_named(sampling), .seed = seed},
                             .keep = keep,
                             .events = events,
                             .stops = stops,
                             .run = {integrator, step, tolerance, until, every, halvings}};
  const auto file = std::make_shared<const ModelFile>(
      parse_model(text, path, overrides_of(set), overrides_of(start), formulas_asked(request)));
  if (!(changed(file->run, request.run).until.t > file->start.t))
    throw std::invalid_argument("until when? Say until=..., or let [run] of the model file do it");
  const Unlocked unlocked;
  const FileSweep sweep(*file, request);
  return {file, sweep.members(), sweep.vary(), sweep.keep(), sweep.header().kept};
}

}  // namespace

void bind_file_sweeps(nb::module_& m) {
  m.def("_sweep", plan_of_sweep, nb::arg("text"), nb::arg("path"), nb::arg("set"), nb::arg("start"), nb::arg("given"),
        nb::arg("vary"), nb::arg("lists"), nb::arg("sample"), nb::arg("members"), nb::arg("sampling"), nb::arg("seed"),
        nb::arg("keep"), nb::arg("events"), nb::arg("stops"), nb::arg("integrator") = "", nb::arg("step") = 0.0,
        nb::arg("tolerance") = 0.0, nb::arg("until") = 0.0, nb::arg("every") = 0.0, nb::arg("halvings") = -1);
}

}  // namespace hamel::python
