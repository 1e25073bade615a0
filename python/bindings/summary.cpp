#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings.hpp"
#include "hamel/record/monitor.hpp"

namespace hamel::python {

void bind_summaries(nb::module_& m) {
  nb::class_<Followed>(m, "Kept", "What became of a quantity that should stay as it was; errors are those of outputs.")
      .def_ro("name", &Followed::name, "What it is.")
      .def_ro("initial", &Followed::initial, "Its value at the start.")
      .def_ro("mean_error", &Followed::mean_error, "The mean of the sizes of its errors.")
      .def_ro("max_error", &Followed::max_error, "The largest error.")
      .def_ro("slope", &Followed::slope, "Of the line through the errors, per time.")
      .def_prop_ro("relative_error", &Followed::relative_error, "The largest error over what its terms change by.")
      .def_prop_ro("digits", &Followed::digits, "How many digits were kept.")
      .def_prop_ro(
          "kept", [](const Followed& one) { return to_string(one.kept()); },
          "kept to rounding, bounded, drifting or lost.")
      .def("__repr__", [](const Followed& one) {
        return fmt::format("<hamel.Kept {}: {}, largest error {:.3g}>", one.name, to_string(one.kept()), one.max_error);
      });
  nb::class_<RunSummary>(m, "Summary", "What a run kept, and what it cost.")
      .def_ro("model", &RunSummary::model, "The name of the model.")
      .def_ro("integrator", &RunSummary::integrator, "The method.")
      .def_ro("step", &RunSummary::step, "Its step; 0 where it chooses it.")
      .def_ro("steps", &RunSummary::steps, "How many steps were taken.")
      .def_ro("outputs", &RunSummary::outputs, "How many outputs there are.")
      .def_ro("time", &RunSummary::time, "The time that was integrated over.")
      .def_ro("until", &RunSummary::until, "The end time that was asked for.")
      .def_ro("wall_seconds", &RunSummary::wall_seconds, "How long it took.")
      .def_ro("finished", &RunSummary::finished, "Whether the end time was reached.")
      .def_ro("failure", &RunSummary::failure, "Why it was not.")
      .def_prop_ro(
          "energy",
          [](const RunSummary& run) -> std::optional<Followed> {
            if (!run.energy.exists) return std::nullopt;
            return run.energy;
          },
          "None for a field; whether it should be constant: energy_conserved.")
      .def_prop_ro(
          "energy_conserved", [](const RunSummary& run) { return run.energy.exists && run.energy.conserved; },
          "Whether the energy should be constant.")
      .def_prop_ro(
          "manifold", [](const RunSummary& run) { return run.manifold; }, "How far points left their spaces.")
      .def_prop_ro(
          "momenta",
          [](const RunSummary& run) { return std::vector<Followed>(run.momenta.begin(), run.momenta.end()); },
          "The conserved momenta.")
      .def_ro("conserved", &RunSummary::conserved, "What the model file claims to be conserved.")
      .def_prop_ro(
          "constraints",
          [](const RunSummary& run) -> std::optional<Followed> {
            if (!run.constraints.exist) return std::nullopt;
            return run.constraints;
          },
          "None where there are none.")
      .def_ro("undecided", &RunSummary::undecided, "What the search for conserved momenta could not tell.")
      .def_ro("final", &RunSummary::final, "The last state.")
      .def("__repr__", [](const RunSummary& run) {
        return fmt::format("<hamel.Summary {}: {} steps of {}, {:.3g} s>", run.model, run.steps, run.integrator,
                           run.wall_seconds);
      });
}

}  // namespace hamel::python
