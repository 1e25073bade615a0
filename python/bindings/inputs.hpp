// Values of inputs, and the laws that they follow along a run: numbers, formulas or functions of Python.
#pragma once

#include <memory>

#include "convert.hpp"
#include "hamel/integrate/integrate.hpp"

namespace hamel::python {

// Of the inputs that follow no law. None: no numbers; {"u": 1.0}: others are zero; an array: all of them.
VectorXd input_values_of(const Model& model, nb::handle u);

nb::typed<nb::list, nb::typed<nb::tuple, std::string, int, int>> input_layout_of(const Model& model);

// A function of Python that may be copied without its lock.
using Function = std::shared_ptr<const nb::object>;
Function function_of(nb::handle callable);

// What inputs do along a run: None, which leaves them to the laws of the model; numbers; {"u": formula}; f(state),
// whose exceptions come out as they are. They are held for `sample`, or for a step, or are continuous; numbers are held
// for the whole duration.
Control control_of(const System& system, const Method& method, nb::handle inputs, double sample, bool continuous,
                   double duration);

}  // namespace hamel::python
