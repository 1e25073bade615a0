#include "bindings.hpp"
#include "hamel/graph/interruption.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/language/source.hpp"
#include "hamel/program/native.hpp"

namespace hamel::python {

namespace {

// Mistakes in a model are ValueErrors, steps that cannot be taken RuntimeErrors, each with a name of its own.
void bind_errors(nb::module_& m) {
  nb::exception<SourceError>(m, "SourceError", PyExc_ValueError).attr("__doc__") =
      "A mistake in a model file; the message shows the line.";
  nb::exception<StepError>(m, "StepError", PyExc_RuntimeError).attr("__doc__") =
      "A step that could not be taken; the message says when and why.";
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const Interruption&) {  // the error of Python is set already, but for work that was ended otherwise
      if (PyErr_Occurred() == nullptr) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace

NB_MODULE(_hamel, m) {
  m.attr("__version__") = HAMEL_VERSION;
  bind_errors(m);
  bind_formulas(m);
  bind_spaces(m);
  bind_models(m);
  bind_states(m);
  bind_systems(m);
  bind_fields(m);
  bind_values(m);
  bind_integration(m);
  bind_momenta(m);
  bind_equations(m);
  bind_linear_models(m);
  bind_equilibria(m);
  bind_control(m);
  bind_model_files(m);
  bind_records(m);
  bind_modes(m);
  bind_along(m);
  bind_pages(m);
  bind_summaries(m);
  bind_comparisons(m);
  bind_regions(m);
  bind_reductions(m);
  bind_record_files(m);
  bind_pickles(m);
  bind_formula_trees(m);
  bind_derivatives(m);
  bind_distributions(m);
  bind_vary(m);
  bind_ensembles(m);
  bind_file_sweeps(m);
  bind_sweep_files(m);
}

}  // namespace hamel::python
