// The bindings of Python: one file for each public header that has something to bind, and what they share.
#pragma once

#include <nanobind/nanobind.h>

namespace hamel::python {

namespace nb = nanobind;

void bind_formulas(nb::module_& m);
void bind_spaces(nb::module_& m);
void bind_models(nb::module_& m);
void bind_states(nb::module_& m);
void bind_systems(nb::module_& m);
void bind_fields(nb::module_& m);
void bind_values(nb::module_& m);
void bind_integration(nb::module_& m);
void bind_momenta(nb::module_& m);
void bind_equations(nb::module_& m);
void bind_linear_models(nb::module_& m);
void bind_equilibria(nb::module_& m);
void bind_control(nb::module_& m);
void bind_model_files(nb::module_& m);
void bind_records(nb::module_& m);
void bind_modes(nb::module_& m);
void bind_along(nb::module_& m);
void bind_pages(nb::module_& m);
void bind_summaries(nb::module_& m);
void bind_comparisons(nb::module_& m);
void bind_regions(nb::module_& m);
void bind_reductions(nb::module_& m);
void bind_record_files(nb::module_& m);
void bind_pickles(nb::module_& m);
void bind_formula_trees(nb::module_& m);
void bind_derivatives(nb::module_& m);
void bind_distributions(nb::module_& m);
void bind_vary(nb::module_& m);
void bind_ensembles(nb::module_& m);
void bind_file_sweeps(nb::module_& m);
void bind_sweep_files(nb::module_& m);

}  // namespace hamel::python
