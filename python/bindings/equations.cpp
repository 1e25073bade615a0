#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "forms.hpp"
#include "hamel/export/c_source.hpp"
#include "hamel/textbook/textbook.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

Notation notation(bool as_latex) { return as_latex ? Notation::latex : Notation::text; }

}  // namespace

void bind_equations(nb::module_& m) {
  m.def(
      "_equations",
      [](const Model& model, const std::string& form, bool as_latex) {
        const Form chosen = form_named(form);
        const Unlocked unlocked;
        return lines(textbook_equations(model, chosen), notation(as_latex));
      },
      nb::arg("model"), nb::arg("form") = "omega", nb::arg("latex") = false, "The equations of motion, one per line.");
  m.def(
      "_c_source",
      [](const Model& model, const std::string& form) {
        const Form chosen = form_named(form);
        const Unlocked unlocked;
        return c_source(model, chosen);
      },
      nb::arg("model"), nb::arg("form"));
  m.def("latex", &latex, nb::arg("formula"), "A formula as LaTeX.");
}

}  // namespace hamel::python
